//! Notations of a second accumulator, which networks cannot have.

use nnue_spec::diagnostic::Code;
use proc_macro2::{Literal, TokenTree};
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{LitInt, Token};

use super::place::{Place, Wrong};
use super::token::peek_word;

/// The error for a second accumulator.
pub(crate) fn second_accumulator(place: Place) -> Wrong {
    Wrong::new(Code::SeveralAccumulators, place, "a network has one accumulator, and this is a second one")
        .help(
            "write sets of pairs beside the first feature set, `Chess768[..] + PawnPairs[..]`; where the other side has weights of its own, \
             write `separate`; otherwise declare two networks and add their values",
        )
        .note("moves update one vector of neurons for each side, to which all feature sets add rows of the same width")
}

/// The error for `+ 64x2` or `+ 8`, if it is next after the width of an accumulator.
pub(super) fn added_width(input: ParseStream) -> Option<Wrong> {
    let (plus, rest) = input
        .cursor()
        .punct()
        .filter(|(plus, _)| plus.as_char() == '+')?;
    let (number, _) = rest.literal()?;
    let wrong = second_number(&number, Place::of(plus.span()));
    (number.to_string().contains('x') || wrong.code != Code::SeveralAccumulators).then_some(wrong)
}

/// The error for a second number after the width: a second width, or PSQT outputs, whose number is less than
/// any width.
fn second_number(number: &Literal, place: Place) -> Wrong {
    let text = number.to_string();
    let digits = text.split('x').next().unwrap_or_default();
    if !digits
        .parse()
        .is_ok_and(|number: u64| number < SMALLEST_WIDTH)
    {
        return second_accumulator(place);
    }
    let message = "PSQT outputs are written after the width";
    Wrong::new(Code::MisplacedAnnotation, place, message)
        .help(format!("write for example `1024x2, psqt {digits}`"))
}

const SMALLEST_WIDTH: u64 = 32;

/// The error for `(256, 64)` or `[256, 64]`, if it is next in place of a width.
pub(super) fn several_widths(input: ParseStream) -> Option<Wrong> {
    let (group, _) = input.cursor().token_tree()?;
    let TokenTree::Group(group) = group else {
        return None;
    };
    let mut tokens = group.stream().into_iter();
    match (tokens.next(), tokens.next(), tokens.next()) {
        (
            Some(TokenTree::Literal(_)),
            Some(TokenTree::Punct(comma)),
            Some(TokenTree::Literal(second)),
        ) if matches!(comma.as_char(), ',' | '+') => {
            Some(second_number(&second, Place::of(second.span())))
        }
        _ => None,
    }
}

/// Whether `+ (F -> 64)x2` or `| (F -> 64)x2` is next.
pub(super) fn begins_second(input: ParseStream) -> bool {
    (input.peek(Token![+]) || input.peek(Token![|])) && input.peek2(Paren)
}

/// Whether `768 -> 64` or `HalfKP[..] -> 64` is next.
pub(super) fn begins_source(input: ParseStream) -> bool {
    // Names of sets begin with a capital letter, annotations do not.
    let is_name = peek_word(input).is_some_and(|word| word.starts_with(char::is_uppercase));
    (is_name || input.peek(LitInt)) && input.peek2(Token![->]) || is_name && input.peek3(Token![->])
}
