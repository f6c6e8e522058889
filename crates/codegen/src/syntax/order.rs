//! The order of a file: `["CBNF", 1u16, skip 58, ft_weight, align 64, stacks [fc0_weight, fc0_bias]]`,
//! `[text, leb128 [ft_bias], ft_weight[..6144], ft_weight[6144..] as i8]`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Bracket;
use syn::{LitInt, LitStr, Token};

use super::number::parse_int;
use super::place::{At, Int, Parsed, Place, Word, Wrong};
use super::token::{expected, parse_brackets, parse_comma, parse_end, parse_word};

/// The parts of a file and their location.
pub(crate) type Order = At<Vec<At<Part>>>;

/// A part of a file.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Tensor(Word),
    Skip(Int),
    Align(Int),
    /// bytes that are there
    Constant(Vec<u8>),
    /// `ft_weight[6144..] as i8`
    Rows(Rows),
    /// a length and a text
    Text,
    /// once for each stack
    Stacks(Order),
    /// a block of LEB128 numbers
    Block(Order),
}

/// Some rows of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub tensor: Word,
    pub from: Option<Int>,
    pub to: Option<Int>,
    /// `as i8`
    pub element: Option<Word>,
}

/// Greatest depth of `stacks [..]` that is read; the check refuses more than one.
const MAX_DEPTH: usize = 3;

pub(crate) fn parse_order(input: ParseStream) -> Parsed<Order> {
    parse_parts(input, 0)
}

fn parse_parts(input: ParseStream, depth: usize) -> Parsed<Order> {
    let (inside, place) = parse_brackets(input)?;
    let mut parts = Vec::new();
    while !inside.is_empty() {
        parts.push(parse_part(&inside, depth)?);
        if !inside.is_empty() {
            parse_comma(&inside, "the part of the file")?;
        }
    }
    Ok(At::new(parts, place))
}

fn parse_part(input: ParseStream, depth: usize) -> Parsed<At<Part>> {
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        let bytes = text.value().into_bytes();
        return Ok(At::new(Part::Constant(bytes), Place::of(text.span())));
    }
    if input.peek(LitInt) {
        return parse_number(input);
    }
    let word = parse_word(
        input,
        "a tensor, `skip`, `align`, `stacks`, `leb128`, a text or a number",
    )?;
    let (start, bytes) = (word.place, "a number of bytes");
    match word.value.as_str() {
        "skip" | "align" if input.peek(LitInt) => {
            let number = parse_int(input, bytes)?;
            let part = match word.value.as_str() {
                "skip" => Part::Skip(number),
                _ => Part::Align(number),
            };
            Ok(At::new(part, start.to(number.place)))
        }
        "skip" | "align" => {
            let what = format!("{bytes} after `{}`", word.value);
            let wrong = expected(Code::ExpectedNumber, input, &what);
            Err(wrong.help(format!("write for example `{} 64`", word.value)))
        }
        "stacks" | "leb128" if input.peek(Bracket) && depth < MAX_DEPTH => {
            let parts = parse_parts(input, depth + 1)?;
            let place = start.to(parts.place);
            let part = match word.value.as_str() {
                "stacks" => Part::Stacks(parts),
                _ => Part::Block(parts),
            };
            Ok(At::new(part, place))
        }
        "stacks" => {
            let wrong = expected(Code::UnexpectedToken, input, "`[` after `stacks`");
            Err(wrong.help("write for example `stacks [fc0_weight, fc0_bias]`"))
        }
        "leb128" => {
            let wrong = expected(Code::UnexpectedToken, input, "`[` after `leb128`");
            Err(wrong.help("write for example `leb128 [ft_bias]`"))
        }
        "text" => Ok(At::new(Part::Text, start)),
        _ if input.peek(Bracket) => parse_rows(input, word),
        _ => Ok(At::new(Part::Tensor(word), start)),
    }
}

/// `[..6144]`, `[6144..] as i8` after the name of a tensor
fn parse_rows(input: ParseStream, tensor: Word) -> Parsed<At<Part>> {
    let (inside, place) = parse_brackets(input)?;
    let bound = |what: &str| match inside.peek(LitInt) {
        true => parse_int(&inside, what).map(Some),
        false => Ok(None),
    };
    let from = bound("the first row")?;
    if !inside.peek(Token![..]) {
        let wrong = expected(Code::UnexpectedToken, &inside, "`..` between rows");
        return Err(wrong.help("write for example `[..6144]`: the rows before row 6144"));
    }
    inside.parse::<Token![..]>()?;
    let to = bound("the row after the last")?;
    parse_end(&inside, "the rows")?;
    let element = match input.peek(Token![as]) {
        true => {
            input.parse::<Token![as]>()?;
            Some(parse_word(input, "a type after `as`")?)
        }
        false => None,
    };
    let end = element.as_ref().map_or(place, |element| element.place);
    let place = tensor.place.to(end);
    let rows = Rows {
        tensor,
        from,
        to,
        element,
    };
    Ok(At::new(Part::Rows(rows), place))
}

/// `1u16`: a number with the type that it has in the file.
fn parse_number(input: ParseStream) -> Parsed<At<Part>> {
    let literal: LitInt = input.parse()?;
    let place = Place::of(literal.span());
    let digits = literal.base10_digits();
    let bits = match literal.suffix() {
        "u8" => 8,
        "u16" => 16,
        "u32" => 32,
        "u64" => 64,
        _ => {
            let message = format!("the type of `{literal}` in the file is not said");
            let help = format!("write for example `{digits}u32`: `u8`, `u16`, `u32` or `u64`");
            return Err(Wrong::new(Code::BadNumber, place, message).help(help));
        }
    };
    let number = digits.parse::<u64>().ok();
    let Some(number) = number.filter(|number| bits == 64 || number >> bits == 0) else {
        let message = format!("`{literal}` does not fit in {bits} bits");
        let help = "write the number with a wider type";
        return Err(Wrong::new(Code::BadNumber, place, message).help(help));
    };
    let bytes = number.to_le_bytes()[..bits / 8].to_vec();
    Ok(At::new(Part::Constant(bytes), place))
}
