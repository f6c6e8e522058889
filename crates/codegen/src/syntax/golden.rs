//! The clause `golden`: a position, and the expected value or numbers.

use nnue_spec::Decimal;
use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{Lit, LitStr, Token};

use super::custom::{self, CustomPath, begins_path};
use super::listed::begins_listed;
use super::number::parse_int;
use super::place::{At, Int, Parsed, Place, Word, Wrong};
use super::token::{expected, here, parse_brackets, parse_comma, parse_word, peek_word, skip};

/// `golden "FEN" = 60;`
#[derive(Debug)]
pub(crate) struct Golden {
    pub position: GoldenPosition,
    /// the expected value or numbers
    pub says: GoldenSays,
}

/// The position of `golden`.
#[derive(Debug)]
pub(crate) enum GoldenPosition {
    /// `"FEN"`, the text of a position of another game, or `rows[3, 17]`
    Text(Word),
    /// `self::position`, a function that returns a position
    Function(CustomPath),
}

/// The expected value or numbers.
#[derive(Debug)]
pub(crate) enum GoldenSays {
    /// `= 60`
    Value(At<i64>),
    /// `wdl = [0.1, 0.3, 0.6]`, `policy[5, 7] = [0.5, -1.25]`, `moves_left = 31.5`
    Output {
        name: Word,
        /// the rows in brackets
        rows: Vec<Int>,
        numbers: At<Vec<Decimal>>,
    },
}

/// Reads the part after `golden`.
pub(crate) fn parse_golden(input: ParseStream) -> Parsed<Golden> {
    let position = parse_position(input)?;
    let output = match peek_word(input) {
        Some(_) => Some((
            parse_word(input, "the name of an output")?,
            parse_rows(input)?,
        )),
        None => None,
    };
    if !input.peek(Token![=]) {
        let what = if output.is_some() {
            "`=` and the numbers of the output"
        } else {
            "`=` and the value of the position"
        };
        let example = if output.is_some() {
            OUTPUT_EXAMPLE
        } else {
            EXAMPLE
        };
        return Err(expected(Code::BadGolden, input, what).help(example));
    }
    input.parse::<Token![=]>()?;
    let says = match output {
        Some((name, rows)) => GoldenSays::Output {
            name,
            rows,
            numbers: parse_numbers(input)?,
        },
        None => GoldenSays::Value(parse_value(input)?),
    };
    Ok(Golden { position, says })
}

fn parse_position(input: ParseStream) -> Parsed<GoldenPosition> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        return Ok(GoldenPosition::Text(At::new(
            literal.value(),
            Place::of(literal.span()),
        )));
    }
    if begins_listed(input) {
        return parse_lists(input).map(GoldenPosition::Text);
    }
    if !begins_path(input) {
        return Err(no_position(input));
    }
    let function = custom::parse_path(input)?;
    if input.peek(Paren) {
        let message = "the function is called by the network: no arguments stand here";
        return Err(Wrong::new(Code::BadGolden, here(input), message)
            .help("write its path alone: `self::position`"));
    }
    Ok(GoldenPosition::Function(function))
}

/// `rows[3, 17, 40]` or `rows[3, 17 | 8]`: the active rows, as the text that [`RowSets`](nnue_spec::RowSets)
/// reads.
fn parse_lists(input: ParseStream) -> Parsed<Word> {
    let start = here(input);
    parse_word(input, "`rows`")?;
    let (inside, place) = parse_brackets(input)?;
    let mut text = String::new();
    while !inside.is_empty() {
        if inside.peek(Token![|]) {
            inside.parse::<Token![|]>()?;
            text += "| ";
            continue;
        }
        text += &format!("{} ", parse_int(&inside, "the number of a row")?.value);
        if !inside.is_empty() && !inside.peek(Token![|]) {
            parse_comma(&inside, "the number of a row")?;
        }
    }
    Ok(At::new(text.trim_end().to_owned(), start.to(place)))
}

fn parse_value(input: ParseStream) -> Parsed<At<i64>> {
    let start = here(input);
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    let number = parse_int(input, "a value")?;
    // Larger numbers, of either sign, are refused later.
    let value = i64::try_from(number.value).unwrap_or(i64::MAX);
    Ok(At::new(
        if negative { -value } else { value },
        start.to(number.place),
    ))
}

/// `[5, 7]`, if there are brackets.
fn parse_rows(input: ParseStream) -> Parsed<Vec<Int>> {
    if !input.peek(Bracket) {
        return Ok(Vec::new());
    }
    list(input, "the row", |inside| {
        parse_int(inside, "the number of a row")
    })
    .map(|rows| rows.value)
}

/// `[0.1, 0.3, 0.6]`, or one number without brackets.
fn parse_numbers(input: ParseStream) -> Parsed<At<Vec<Decimal>>> {
    if input.peek(Bracket) {
        return list(input, "the number", |inside| {
            parse_decimal(inside).map(|number| number.value)
        });
    }
    parse_decimal(input).map(|number| At::new(vec![number.value], number.place))
}

/// Values in brackets, with commas between them.
fn list<T>(
    input: ParseStream,
    what: &str,
    parse: impl Fn(ParseStream) -> Parsed<T>,
) -> Parsed<At<Vec<T>>> {
    let (inside, place) = parse_brackets(input)?;
    let mut values = Vec::new();
    while !inside.is_empty() {
        values.push(parse(&inside)?);
        if !inside.is_empty() {
            parse_comma(&inside, what)?;
        }
    }
    Ok(At::new(values, place))
}

fn parse_decimal(input: ParseStream) -> Parsed<At<Decimal>> {
    let start = here(input);
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    if !input.peek(Lit) {
        return Err(expected(Code::BadGolden, input, "a number").help(OUTPUT_EXAMPLE));
    }
    let literal: Lit = input.parse()?;
    let place = start.to(Place::of(literal.span()));
    let text = quote::ToTokens::to_token_stream(&literal).to_string();
    let digits = text.replace('_', "");
    match Decimal::parse(&if negative {
        format!("-{digits}")
    } else {
        digits
    }) {
        Some(number) => Ok(At::new(number, place)),
        None => {
            let message = format!("`{text}` is not a decimal number of at most 18 digits");
            Err(Wrong::new(Code::BadGolden, place, message)
                .help("write digits and a point, for example `-12.5`"))
        }
    }
}

/// The error for a missing FEN. A word in its place is skipped, so that it is not read as the next clause.
fn no_position(input: ParseStream) -> Wrong {
    let wrong = Wrong::new(
        Code::BadGolden,
        here(input),
        "expected a position as a FEN in quotes",
    );
    match peek_word(input) {
        Some(word) if matches!(word.as_str(), "start" | "startpos") => {
            skip(input);
            wrong.help(format!("write `\"{START}\"`"))
        }
        Some(word) => {
            skip(input);
            wrong.help(EXAMPLE).note(format!(
                "a game of your own may have a function that gives the position: `golden self::{word} = 60;`"
            ))
        }
        None => wrong.help(EXAMPLE),
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const EXAMPLE: &str =
    "write for example `golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = 60;`";

const OUTPUT_EXAMPLE: &str =
    "write for example `golden \"8/8/4k3/8/8/3QK3/8/8 b - - 0 1\" wdl = [0.91, 0.08, 0.01];`";
