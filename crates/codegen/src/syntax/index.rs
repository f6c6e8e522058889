//! Brackets with axes and their parts: `[input / 64][63 - input % 64]`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::{LitInt, Token};

use super::number::parse_int;
use super::place::{Int, Parsed, Place, Word, Wrong};
use super::token::{expected, parse_brackets, parse_comma, parse_word, peek_word};

/// What brackets have, and their location.
#[derive(Clone, Debug)]
pub(crate) struct Indices {
    pub indices: Vec<Index>,
    pub place: Place,
}

/// `input`, `input / 4 % 2`, `63 - input % 64`
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub word: Word,
    /// `63 -`
    pub from: Option<Int>,
    /// `/ 4`
    pub over: Option<Int>,
    /// `% 2`
    pub modulo: Option<Int>,
    /// `to 32`
    pub to: Option<Int>,
    pub place: Place,
}

impl Index {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let from = parse_from(input)?;
        let word = parse_word(input, "a name")?;
        let over = parse_operand(input, input.peek(Token![/]), "a number after `/`")?;
        let modulo = parse_operand(input, input.peek(Token![%]), "a number after `%`")?;
        let to = parse_operand(
            input,
            peek_word(input).as_deref() == Some("to"),
            "a number after `to`",
        )?;
        let start = from.as_ref().map_or(word.place, |from| from.place);
        let last = to.as_ref().or(modulo.as_ref()).or(over.as_ref());
        let place = start.to(last.map_or(word.place, |last| last.place));
        Ok(Self {
            word,
            from,
            over,
            modulo,
            to,
            place,
        })
    }
}

/// Takes `63 -`, if it is next.
fn parse_from(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(LitInt) {
        return Ok(None);
    }
    let from = parse_int(input, "a number")?;
    if input.is_empty() {
        let message = format!("`{}` is no part of an axis", from.value);
        let help = format!("write which: `input % {}`", from.value);
        return Err(Wrong::new(Code::TensorAxes, from.place, message).help(help));
    }
    if !input.peek(Token![-]) {
        let what = format!("`-` after `{}`", from.value);
        return Err(expected(Code::UnexpectedToken, input, &what));
    }
    input.parse::<Token![-]>()?;
    Ok(Some(from))
}

/// Takes a sign and its number, if the sign is next.
fn parse_operand(input: ParseStream, is_next: bool, what: &str) -> Parsed<Option<Int>> {
    if !is_next {
        return Ok(None);
    }
    super::token::skip(input);
    parse_int(input, what).map(Some)
}

pub(crate) fn parse_indices(input: ParseStream) -> Parsed<Indices> {
    let (inside, place) = parse_brackets(input)?;
    let mut indices = Vec::new();
    while !inside.is_empty() {
        indices.push(Index::parse(&inside)?);
        if !inside.is_empty() {
            parse_comma(&inside, "the name")?;
        }
    }
    Ok(Indices { indices, place })
}
