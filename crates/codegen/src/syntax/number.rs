//! Numbers, and the multipliers that may follow them: `16`, `1024x2`, `1024 x 2`.
//!
//! Rust has no token for a multiplier: it reads `1024x2` as a number with the suffix `x2`, and `0x2` as a
//! hexadecimal number. Where a multiplier is allowed, `0x2` means the number 0 twice, just as `1x2` means 1
//! twice.

use nnue_spec::diagnostic::Code;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::token::{Brace, Paren};
use syn::{LitFloat, LitInt, Token};

use super::keyword::known_as;
use super::place::{At, Int, Parsed, Place, Wrong};
use super::token::{expected, here, parse_word, peek_word};
use super::written::group_text;

/// Greatest multiplier directly after a 0. A greater number is read as hexadecimal.
const MOST_TIMES: u64 = 64;

/// Rust types that can be a suffix of a number, and whether weights can have them.
const TYPES: [(&str, bool); 14] = [
    ("i8", true),
    ("i16", true),
    ("f32", true),
    ("i128", false),
    ("i32", false),
    ("i64", false),
    ("isize", false),
    ("u128", false),
    ("u16", false),
    ("u32", false),
    ("u64", false),
    ("u8", false),
    ("usize", false),
    ("f64", false),
];

/// A number without a suffix.
pub(crate) fn parse_int(input: ParseStream, what: &str) -> Parsed<Int> {
    let (value, suffix) = parse_suffixed(input, what)?;
    if suffix.is_empty() {
        Ok(value)
    } else {
        Err(bad_suffix(&value, &suffix, false))
    }
}

/// The float nearest to a number with a fraction or an exponent.
pub(super) fn parse_float(input: ParseStream) -> Parsed<At<f32>> {
    let literal: LitFloat = input.parse()?;
    let place = Place::of(literal.span());
    let suffix = literal.suffix();
    if !matches!(suffix, "" | "f32") {
        let message = format!("constants are `f32`, not `{suffix}`");
        let help = format!("write `{}`", literal.base10_digits());
        return Err(Wrong::new(Code::BadNumber, place, message).help(help));
    }
    match literal.base10_digits().parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(At::new(value, place)),
        _ => {
            let message = format!("`{literal}` is too large for a 32-bit float");
            Err(Wrong::new(Code::BadNumber, place, message).help("write up to 3.4e38"))
        }
    }
}

/// Takes `@ 128`, if it is next.
pub(super) fn parse_scale(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(Token![@]) {
        return Ok(None);
    }
    input.parse::<Token![@]>()?;
    parse_int(input, "a scale after `@`").map(Some)
}

/// A number with an optional multiplier: `1024x2`, `1024 x2` or `1024 x 2`.
pub(crate) fn parse_multiplied(input: ParseStream, what: &str) -> Parsed<(Int, Option<Int>)> {
    if let Some(multiplied) = parse_zero_times(input)? {
        return Ok(multiplied);
    }
    let (value, suffix) = parse_suffixed(input, what)?;
    if suffix.is_empty() {
        let multiplier = parse_multiplier(input)?;
        return Ok((value, multiplier));
    }
    match multiplier_of(&suffix) {
        Some(multiplier) => Ok((value, Some(At::new(multiplier, value.place)))),
        None => Err(bad_suffix(&value, &suffix, true)),
    }
}

/// Takes `0x2`, if it is next, which Rust reads as a hexadecimal number.
fn parse_zero_times(input: ParseStream) -> Parsed<Option<(Int, Option<Int>)>> {
    let text = input
        .cursor()
        .literal()
        .map(|(literal, _)| literal.to_string())
        .unwrap_or_default();
    let Some(digits) = text.strip_prefix("0x").filter(|_| input.peek(LitInt)) else {
        return Ok(None);
    };
    let literal: LitInt = input.parse()?;
    let place = Place::of(literal.span());
    if let Some(times) = multiplier_of(&format!("x{digits}")).filter(|times| *times <= MOST_TIMES) {
        return Ok(Some((At::new(0, place), Some(At::new(times, place)))));
    }
    let wrong = Wrong::new(
        Code::BadNumber,
        place,
        format!("`{text}` is a hexadecimal number"),
    );
    Err(match literal.base10_digits() {
        digits if literal.suffix().is_empty() => wrong.help(format!("write `{digits}`")),
        _ => wrong.help("write it in decimal"),
    })
}

/// Takes `x2` or `x 2`, if it is next.
pub(crate) fn parse_multiplier(input: ParseStream) -> Parsed<Option<Int>> {
    let Some(word) = peek_word(input) else {
        return Ok(None);
    };
    let is_multiplier = word.strip_prefix(['x', 'X']).is_some_and(is_digits);
    if !is_multiplier {
        return Ok(None);
    }
    let place = here(input);
    if word.starts_with('X') {
        let message = format!("a multiplier begins with a small `x`, found `{word}`");
        return Err(Wrong::new(Code::BadMultiplier, place, message)
            .help(format!("write `{}`", word.to_lowercase())));
    }
    let word = parse_word(input, "`x`")?;
    if let Some(value) = multiplier_of(&word.value) {
        return Ok(Some(At::new(value, word.place)));
    }
    if word.value != "x" {
        return Err(too_large(&word.value, word.place));
    }
    if !input.peek(LitInt) {
        return Err(expected(Code::BadMultiplier, input, "a number after `x`")
            .help("write for example `x2`"));
    }
    let value = parse_int(input, "a number after `x`")?;
    Ok(Some(At::new(value.value, word.place.to(value.place))))
}

/// The number in `x2`.
fn multiplier_of(suffix: &str) -> Option<u64> {
    suffix
        .strip_prefix('x')
        .filter(|digits| !digits.is_empty() && is_digits(digits))?
        .parse()
        .ok()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn parse_suffixed(input: ParseStream, what: &str) -> Parsed<(Int, String)> {
    if input.peek(LitFloat) {
        return Err(float(&input.parse()?, what));
    }
    if !input.peek(LitInt) {
        return Err(no_number(input, what));
    }
    let start = here(input);
    let literal: LitInt = input.parse()?;
    let place = start.to(Place::of(literal.span()));
    let (digits, suffix) = (literal.base10_digits(), literal.suffix());
    if digits.starts_with('-') {
        let message = format!("expected {what}, found the negative number `{literal}`");
        return Err(Wrong::new(Code::BadNumber, place, message)
            .note("numbers of a declaration have no sign"));
    }
    if matches!(suffix, "x" | "X") && input.peek(Paren) {
        return Err(multiplier_in_front(input, digits, place));
    }
    let value = digits
        .parse()
        .map_err(|_| too_large(&literal.to_string(), place))?;
    Ok((At::new(value, place), suffix.to_owned()))
}

fn too_large(text: &str, place: Place) -> Wrong {
    Wrong::new(Code::BadNumber, place, format!("`{text}` is too large"))
        .note("numbers are below 2^64")
}

/// `2x(768 -> 1024)`
fn multiplier_in_front(input: ParseStream, digits: &str, place: Place) -> Wrong {
    let message = format!("the multiplier `{digits}x` follows its parentheses");
    let Some((_, span, _)) = input.cursor().group(Delimiter::Parenthesis) else {
        return Wrong::new(Code::BadMultiplier, place, message);
    };
    let place = place.to(Place::of(span.join()));
    let help = format!("write `{}x{digits}`", group_text(input));
    Wrong::new(Code::BadMultiplier, place, message).help(help)
}

/// The error for a number with a fraction or an exponent.
fn float(literal: &LitFloat, what: &str) -> Wrong {
    let message = format!("expected {what}, found `{literal}`");
    let wrong = Wrong::new(Code::BadNumber, Place::of(literal.span()), message);
    let suffix = literal.suffix();
    match literal.base10_parse::<f64>() {
        // Integers below 2^53 are exact, so the intended number is known.
        Ok(value) if value.fract() == 0.0 && (0.0..9e15).contains(&value) => {
            let suffix = if multiplier_of(suffix).is_some() {
                suffix
            } else {
                ""
            };
            wrong.help(format!("write `{value}{suffix}`"))
        }
        _ => wrong.help("write a whole number"),
    }
}

/// The numerator and the denominator of `137.5`, if a decimal fraction is next.
pub(crate) fn peek_fraction(input: ParseStream) -> Option<(u64, u64)> {
    let literal: LitFloat = input.fork().parse().ok()?;
    let (whole, fraction) = literal.base10_digits().split_once('.')?;
    let num: u64 = format!("{whole}{fraction}").parse().ok()?;
    let den = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let divisor = greatest_common_divisor(num, den);
    Some((num / divisor, den / divisor))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// The error for something other than a number.
fn no_number(input: ParseStream, what: &str) -> Wrong {
    let wrong = expected(Code::ExpectedNumber, input, what);
    if let Some(constant) = peek_constant(input) {
        let example = constant.rfind('x').map_or(String::new(), |start| {
            format!(", for example `1024{}`", &constant[start..])
        });
        return wrong
            .help(format!("write the number itself{example}"))
            .note(CONSTANTS);
    }
    let delimiter = if input.peek(Brace) {
        Delimiter::Brace
    } else {
        Delimiter::Parenthesis
    };
    match input.cursor().group(delimiter) {
        Some((inside, span, _)) if inside.literal().is_some_and(|(_, rest)| rest.eof()) => {
            let number = group_text(input);
            let number = number.trim_matches(['{', '}', '(', ')']).trim().to_owned();
            Wrong {
                place: Place::of(span.join()),
                ..wrong
            }
            .help(format!("write `{number}`"))
        }
        _ => wrong,
    }
}

/// Why constants cannot be used as numbers.
pub(super) const CONSTANTS: &str = "a declaration is read before constants have values";

/// The name of a constant, if it is next, with or without a multiplier: `WIDTH`, `WIDTHx2`.
pub(super) fn peek_constant(input: ParseStream) -> Option<String> {
    let word = peek_word(input)?;
    let name = match word.rsplit_once('x') {
        Some((name, digits)) if !digits.is_empty() && is_digits(digits) => name,
        _ => &word,
    };
    let is_constant = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_constant.then_some(word)
}

/// The error for a suffix of a number that is not a multiplier.
fn bad_suffix(value: &Int, suffix: &str, may_multiply: bool) -> Wrong {
    let number = value.value;
    let (ty, rest) = match TYPES
        .iter()
        .find_map(|(ty, of_weights)| Some(((*ty, *of_weights), suffix.strip_prefix(ty)?)))
    {
        Some((ty, rest)) => (Some(ty), rest),
        None => (None, suffix),
    };
    let multiplier = multiplier_of(&rest.to_lowercase());
    let wrong = Wrong::new(
        Code::BadNumber,
        value.place,
        format!("a number cannot end in `{suffix}`"),
    );
    match (ty, multiplier) {
        (_, Some(multiplier)) if may_multiply => {
            wrong.help(format!("write `{number}x{multiplier}`"))
        }
        (None, Some(_)) => wrong.help(format!(
            "write `{number}`: a multiplier has no meaning here"
        )),
        (Some((ty, true)), None) if rest.is_empty() => {
            wrong.help(format!("write `{number}: {ty}`"))
        }
        (Some(_), None) if rest.is_empty() => wrong.help(format!("write `{number}`")),
        _ => match known_as(rest) {
            Some(name) => wrong.help(format!("write `{number} {name}`")),
            None => wrong.help("write a whole number in digits, with a space before what follows"),
        },
    }
}

/// Whether an operator follows a number. Widths are not computed.
pub(super) fn begins_operation(input: ParseStream) -> bool {
    input.peek(Token![*]) || input.peek(Token![/]) || input.peek(Token![+])
}
