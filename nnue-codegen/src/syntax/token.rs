//! Small pieces that every clause is made of: numbers, words, multipliers, punctuation, and what stands where.

use nnue_spec::diagnostic::Code;
use proc_macro2::{Delimiter, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, LitInt, Token};

use super::place::{At, Int, Parsed, Place, Word, Wrong};

/// The place of the next token (both halves of `->`), or of the closing delimiter.
pub(crate) fn here(input: ParseStream) -> Place {
    let place = Place::of(input.span());
    let double = input.peek(Token![->]) || input.peek(Token![=>]) || input.peek(Token![..]) || input.peek(Token![>>]);
    match input.cursor().punct().and_then(|(_, rest)| rest.punct()) {
        Some((second, _)) if double => place.to(Place::of(second.span())),
        _ => place,
    }
}

/// What stands next, for messages.
pub(crate) fn found(input: ParseStream) -> String {
    match input.cursor().token_tree() {
        None => "the end".to_owned(),
        Some((TokenTree::Group(group), _)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(`".to_owned(),
            Delimiter::Brace => "`{`".to_owned(),
            Delimiter::Bracket => "`[`".to_owned(),
            Delimiter::None => format!("`{}`", group.stream()),
        },
        Some((TokenTree::Punct(_), _)) if input.peek(Token![->]) => "`->`".to_owned(),
        Some((TokenTree::Punct(_), _)) if input.peek(Token![=>]) => "`=>`".to_owned(),
        Some((TokenTree::Punct(_), _)) if input.peek(Token![..]) => "`..`".to_owned(),
        Some((token, _)) => format!("`{token}`"),
    }
}

/// The error that something else was expected here.
pub(crate) fn expected(code: Code, input: ParseStream, what: &str) -> Wrong {
    Wrong::new(code, here(input), format!("expected {what}, found {}", found(input)))
}

/// Any identifier, keywords of Rust included.
pub(crate) fn parse_word(input: ParseStream, what: &str) -> Parsed<Word> {
    if !input.peek(Ident::peek_any) {
        return Err(expected(Code::ExpectedName, input, what));
    }
    let ident = input.call(Ident::parse_any)?;
    Ok(At::new(ident.unraw().to_string(), Place::of(ident.span())))
}

/// The identifier that stands next, without taking it.
pub(crate) fn peek_word(input: ParseStream) -> Option<String> {
    let (ident, _) = input.cursor().ident()?;
    Some(ident.unraw().to_string())
}

/// True if this very word stands next.
pub(crate) fn is_word(input: ParseStream, word: &str) -> bool {
    peek_word(input).is_some_and(|found| found == word)
}

/// A number without a suffix.
pub(crate) fn parse_int(input: ParseStream, what: &str) -> Parsed<Int> {
    let (value, suffix) = parse_suffixed(input, what)?;
    if suffix.is_empty() { Ok(value) } else { Err(bad_suffix(&value, &suffix)) }
}

/// A number that may carry its multiplier: `1024x2`, `1024 x2` or `1024 x 2`.
pub(crate) fn parse_multiplied(input: ParseStream, what: &str) -> Parsed<(Int, Option<Int>)> {
    let (value, suffix) = parse_suffixed(input, what)?;
    if suffix.is_empty() {
        let multiplier = parse_multiplier(input)?;
        return Ok((value, multiplier));
    }
    match multiplier_of(&suffix) {
        Some(multiplier) => Ok((value, Some(At::new(multiplier, value.place)))),
        None => Err(bad_suffix(&value, &suffix)),
    }
}

/// `x2` or `x 2`, if it stands next.
pub(crate) fn parse_multiplier(input: ParseStream) -> Parsed<Option<Int>> {
    let Some(word) = peek_word(input) else { return Ok(None) };
    if word != "x" && multiplier_of(&word).is_none() {
        return Ok(None);
    }
    let word = parse_word(input, "`x`")?;
    if let Some(value) = multiplier_of(&word.value) {
        return Ok(Some(At::new(value, word.place)));
    }
    if !input.peek(LitInt) {
        return Err(expected(Code::BadMultiplier, input, "a number after `x`").help("write for example `x2`"));
    }
    let value = parse_int(input, "a number after `x`")?;
    Ok(Some(At::new(value.value, word.place.to(value.place))))
}

fn multiplier_of(suffix: &str) -> Option<u64> {
    let digits = suffix.strip_prefix('x')?;
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn parse_suffixed(input: ParseStream, what: &str) -> Parsed<(Int, String)> {
    if input.peek(syn::LitFloat) {
        let literal: syn::LitFloat = input.parse()?;
        let message = format!("expected {what}, found `{literal}`");
        return Err(Wrong::new(Code::BadNumber, Place::of(literal.span()), message).help("write a whole number"));
    }
    if !input.peek(LitInt) {
        return Err(expected(Code::ExpectedNumber, input, what));
    }
    let literal: LitInt = input.parse()?;
    let place = Place::of(literal.span());
    let value = literal.base10_digits().parse().map_err(|_| {
        Wrong::new(Code::BadNumber, place, format!("`{literal}` is too large")).note("numbers are below 2^64")
    })?;
    Ok((At::new(value, place), literal.suffix().to_owned()))
}

fn bad_suffix(value: &Int, suffix: &str) -> Wrong {
    let number = value.value;
    Wrong::new(Code::BadNumber, value.place, format!("a number cannot end in `{suffix}`")).help(match suffix {
        _ if multiplier_of(suffix).is_some() => format!("write `{number}`: a multiplier has no meaning here"),
        "i8" | "i16" | "i32" => format!("write `{number}: {suffix}`"),
        _ => format!("write `{number}`"),
    })
}

/// An arrow.
pub(crate) fn parse_arrow(input: ParseStream, after: &str) -> Parsed<()> {
    if input.peek(Token![->]) {
        input.parse::<Token![->]>()?;
        return Ok(());
    }
    let wrong = expected(Code::ExpectedArrow, input, &format!("`->` after {after}"));
    Err(if input.peek(Token![=>]) || input.peek(Token![-]) {
        wrong.help("write `->`")
    } else if input.is_empty() {
        wrong
    } else {
        wrong.help(format!("write `->` before {}", found(input)))
    })
}

/// Punctuation `comma` between arguments.
pub(crate) fn parse_comma(input: ParseStream, after: &str) -> Parsed<()> {
    if !input.peek(Token![,]) {
        return Err(expected(Code::UnexpectedToken, input, &format!("`,` after {after}")).help("write `,`"));
    }
    input.parse::<Token![,]>()?;
    Ok(())
}

/// Nothing may follow.
pub(crate) fn parse_end(input: ParseStream, after: &str) -> Parsed<()> {
    if input.is_empty() {
        return Ok(());
    }
    Err(Wrong::new(Code::UnexpectedToken, here(input), format!("unexpected {} after {after}", found(input))))
}

/// The inside of parentheses, and their place.
pub(crate) fn parse_parentheses<'a>(input: &ParseBuffer<'a>) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::parenthesized!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// The inside of brackets, and their place.
pub(crate) fn parse_brackets<'a>(input: &ParseBuffer<'a>) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::bracketed!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// The inside of braces, and their place.
pub(crate) fn parse_braces<'a>(input: &ParseBuffer<'a>) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::braced!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// Takes the next token, whatever it is.
pub(crate) fn skip(input: ParseStream) {
    // A `TokenTree` is there: callers ask `is_empty` before, and taking one cannot fail otherwise.
    let _ = input.parse::<TokenTree>();
}
