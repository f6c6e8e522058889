//! Selectors: `by (piece_count - 1) / 4`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;

use super::ast::Selector;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{here, is_word, parse_end, parse_int, parse_parentheses, parse_word};

/// `by ..`, if it stands next.
pub(crate) fn parse_optional_by(input: ParseStream) -> Parsed<Option<Selector>> {
    if !is_word(input, "by") {
        return Ok(None);
    }
    parse_word(input, "`by`")?;
    Selector::parse(input).map(Some)
}

impl Parse for Selector {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let start = here(input);
        let minus = if input.peek(syn::token::Paren) {
            let (inside, _) = parse_parentheses(input)?;
            let minus = parse_difference(&inside)?;
            parse_end(&inside, "the subtraction")?;
            minus.value
        } else {
            parse_piece_count(input)?;
            if input.peek(Token![-]) {
                return Err(bad_selector(here(input), "the subtraction needs parentheses"));
            }
            0
        };
        if !input.peek(Token![/]) {
            return Err(bad_selector(here(input), "expected `/` and the number of pieces per stack"));
        }
        input.parse::<Token![/]>()?;
        let divide = parse_int(input, "a number of pieces after `/`")?;
        Ok(Self { value: (minus, divide.value), place: start.to(divide.place) })
    }
}

/// `piece_count - 1`
fn parse_difference(input: ParseStream) -> Parsed<Int> {
    parse_piece_count(input)?;
    if !input.peek(Token![-]) {
        return Err(bad_selector(here(input), "expected `-` after `piece_count`"));
    }
    input.parse::<Token![-]>()?;
    parse_int(input, "a number after `-`")
}

fn parse_piece_count(input: ParseStream) -> Parsed<()> {
    if is_word(input, "piece_count") {
        parse_word(input, "`piece_count`")?;
        return Ok(());
    }
    let message = format!("stacks are chosen by `piece_count`, found {}", super::token::found(input));
    Err(bad_selector(here(input), &message))
}

fn bad_selector(place: Place, message: &str) -> Wrong {
    Wrong::new(Code::BadSelector, place, message).help("write for example `by (piece_count - 1) / 4`")
}
