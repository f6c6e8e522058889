//! Rules over active rows: `by row_count / 8`, `by (row_count(history) - 1) / 4`, `by row(phase)`.

use nnue_spec::diagnostic::Code;
use nnue_spec::model::SelectorSpec;
use nnue_spec::rows::RowMeasure;
use proc_macro2::Delimiter;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::ast::Selector;
use super::number::parse_int;
use super::place::{At, Int, Parsed, Word, Wrong};
use super::token::{found, here, is_word, parse_end, parse_parentheses, parse_word};

/// Whether `row_count`, `(row_count` or `row(` is next.
pub(super) fn begins_row_rule(input: ParseStream) -> bool {
    let inside = input.cursor().group(Delimiter::Parenthesis);
    let first = inside.and_then(|(inside, ..)| inside.ident());
    is_word(input, "row_count")
        || (is_word(input, "row") && input.peek2(Paren))
        || first.is_some_and(|(word, _)| word == "row_count")
}

pub(super) fn parse_row_rule(input: ParseStream) -> Parsed<Selector> {
    let start = here(input);
    if is_word(input, "row") {
        parse_word(input, "`row`")?;
        let (group, place) = parse_group(input)?;
        return Ok(Selector {
            value: SelectorSpec::Rows(RowMeasure::Row),
            group: Some(group),
            function: None,
            place: start.to(place.place),
        });
    }
    let (group, minus) = if input.peek(Paren) {
        let (inside, _) = parse_parentheses(input)?;
        let group = parse_row_count(&inside)?;
        if !inside.peek(Token![-]) {
            return Err(wrong(&inside, "expected `-` after `row_count`"));
        }
        inside.parse::<Token![-]>()?;
        let minus = parse_int(&inside, "a number after `-`")?;
        parse_end(&inside, "the subtraction")?;
        (group, number(minus)?)
    } else {
        (parse_row_count(input)?, 0)
    };
    if input.peek(Token![-]) && !input.peek(Token![->]) {
        return Err(wrong(input, "the subtraction needs parentheses"));
    }
    if !input.peek(Token![/]) {
        return Err(wrong(
            input,
            "expected `/` and the number of rows per stack",
        ));
    }
    input.parse::<Token![/]>()?;
    let divide = parse_int(input, "a number of rows after `/`")?;
    Ok(Selector {
        value: SelectorSpec::Rows(RowMeasure::Count {
            minus,
            divide: number(divide)?,
        }),
        group,
        function: None,
        place: start.to(divide.place),
    })
}

/// `row_count`, `row_count(history)`
fn parse_row_count(input: ParseStream) -> Parsed<Option<Word>> {
    parse_word(input, "`row_count`")?;
    if input.peek(Paren) {
        parse_group(input).map(|(group, _)| Some(group))
    } else {
        Ok(None)
    }
}

/// `(history)`, and where it ends
fn parse_group(input: ParseStream) -> Parsed<(Word, At<()>)> {
    let (inside, place) = parse_parentheses(input)?;
    if inside.is_empty() {
        return Err(Wrong::new(
            Code::BadSelector,
            place,
            "expected the name of a group of rows",
        )
        .help("write for example `by row_count(history) / 4`, where `rows[features: 4096, history: 1024]`"));
    }
    let group = parse_word(&inside, "the name of a group of rows")?;
    parse_end(&inside, "the name of the group")?;
    Ok((group, At::new((), place)))
}

fn number(written: Int) -> Parsed<u32> {
    u32::try_from(written.value).map_err(|_| {
        let message = format!("{} is more rows than any network has", written.value);
        Wrong::new(Code::BadSelector, written.place, message)
    })
}

fn wrong(input: ParseStream, message: &str) -> Wrong {
    let message = format!("{message}, found {}", found(input));
    Wrong::new(Code::BadSelector, here(input), message).help("write for example `by row_count / 8`")
}
