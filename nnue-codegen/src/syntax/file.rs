//! The clauses about the file: `format`, `golden`, `weights`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Brace, Bracket, Paren};
use syn::{LitInt, LitStr, Token};

use super::ast::{ClauseKind, Format, FormatField, FormatValue, GoldenPosition};
use super::custom::{self, begins_path};
use super::list::{Words, parse_words};
use super::number::parse_int;
use super::parse::Parse;
use super::place::{At, Parsed, Place, Word, Wrong};
use super::token::{expected, here, parse_braces, parse_comma, parse_word, peek_word, skip};
use super::width::parse_scale;
use super::written::Written;

/// The most axes of a tensor that are read; there are three.
const MAX_LISTS: usize = 8;

impl Parse for Format {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let name = parse_word(input, "a container after `format`")?;
        let mut fields = Vec::new();
        if input.peek(Brace) {
            let (inside, _) = parse_braces(input)?;
            while !inside.is_empty() {
                fields.push(FormatField::parse(&inside)?);
                if !inside.is_empty() {
                    parse_comma(&inside, "the field")?;
                }
            }
        }
        Ok(Self { name, fields })
    }
}

impl Parse for FormatField {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let name = parse_word(input, "a field such as `version`")?;
        if !input.peek(Token![:]) {
            return Err(expected(Code::UnexpectedToken, input, &format!("`:` after `{}`", name.value)));
        }
        input.parse::<Token![:]>()?;
        let value = FormatValue::parse(input)?;
        Ok(Self { name, value, scale: parse_scale(input)? })
    }
}

impl Parse for FormatValue {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if input.peek(LitInt) {
            return parse_int(input, "a number").map(Self::Int);
        }
        let start = here(input);
        let word = if input.peek(Bracket) { None } else { Some(parse_word(input, "a number or a word")?) };
        let mut lists: Vec<Words> = Vec::new();
        while input.peek(Bracket) && lists.len() < MAX_LISTS {
            lists.push(parse_words(input)?);
        }
        match (word, lists.first().zip(lists.last())) {
            (Some(word), None) => Ok(Self::Word(word)),
            (word, Some((first, last))) => {
                let place = first.place.to(last.place);
                Ok(Self::Lists { word, lists, place })
            }
            (None, None) => Err(Wrong::new(Code::UnexpectedToken, start, "expected a value")),
        }
    }
}

/// `"FEN" = 60` or `self::position = 60` after `golden`.
pub(crate) fn parse_golden(input: ParseStream) -> Parsed<ClauseKind> {
    let position = if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        GoldenPosition::Text(At::new(literal.value(), Place::of(literal.span())))
    } else if begins_path(input) {
        GoldenPosition::Function(custom::parse_path(input)?)
    } else {
        return Err(no_position(input));
    };
    if input.peek(Paren) {
        let message = "the function is called by the network: no arguments stand here";
        return Err(Wrong::new(Code::BadGolden, here(input), message).help("write its path alone: `self::position`"));
    }
    if !input.peek(Token![=]) {
        return Err(expected(Code::BadGolden, input, "`=` and the value of the position").help(GOLDEN_EXAMPLE));
    }
    input.parse::<Token![=]>()?;
    let start = here(input);
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    }
    let number = parse_int(input, "a value")?;
    // Larger numbers are refused later, as values, whatever their sign.
    let value = i64::try_from(number.value).unwrap_or(i64::MAX);
    let value = At::new(if negative { -value } else { value }, start.to(number.place));
    Ok(ClauseKind::Golden { position, value })
}

/// The error for a missing FEN. A word in its place is skipped, so that it is not read as the next clause.
fn no_position(input: ParseStream) -> Wrong {
    let wrong = Wrong::new(Code::BadGolden, here(input), "expected a position as a FEN in quotes");
    match peek_word(input) {
        Some(word) if matches!(word.as_str(), "start" | "startpos") => {
            skip(input);
            wrong.help(format!("write `\"{START}\"`"))
        }
        Some(word) => {
            skip(input);
            wrong.help(GOLDEN_EXAMPLE).note(format!(
                "a game of your own may have a function that gives the position: `golden self::{word} = 60;`"
            ))
        }
        None => wrong.help(GOLDEN_EXAMPLE),
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const GOLDEN_EXAMPLE: &str =
    "write for example `golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = 60;`";

/// The string of `weights "path";`
pub(crate) fn parse_path(input: ParseStream) -> Parsed<Word> {
    if !input.peek(LitStr) {
        let path = Written::until(input, |token| token.to_string() == ";");
        let wrong = Wrong::new(
            Code::BadWeights,
            path.place().unwrap_or_else(|| here(input)),
            "expected the path of a file in quotes",
        );
        let text = path.text();
        return Err(if text.is_empty() {
            wrong.help("write for example `weights \"nets/mine.nnue\";`")
        } else {
            wrong.help(format!("write `\"{text}\"`"))
        });
    }
    let literal: LitStr = input.parse()?;
    Ok(At::new(literal.value(), Place::of(literal.span())))
}
