//! The arrows of a chain, and the error messages where one is missing.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{LitInt, Token};

use super::number::begins_operation;
use super::place::{Parsed, Place, Wrong};
use super::several::{added_width, begins_second, second_accumulator};
use super::token::{begins_declaration, expected, found};

/// The parts of a chain in order.
pub(super) const CHAIN: &str =
    "a chain is a feature set, an accumulator and layers: `Chess768[..] -> 256x2 -> 16 -> 1`";

/// Takes an arrow.
pub(crate) fn parse_arrow(input: ParseStream, after: &str) -> Parsed<()> {
    if !input.peek(Token![->]) {
        return Err(expected_arrow(input, after));
    }
    input.parse::<Token![->]>()?;
    Ok(())
}

/// Whether the chain goes on at the next token.
pub(super) fn continues(input: ParseStream) -> bool {
    input.peek(LitInt) || input.peek(Paren) || input.peek(Token![-]) || input.peek(Token![=>])
}

/// The error for a missing `->`.
pub(crate) fn expected_arrow(input: ParseStream, after: &str) -> Wrong {
    let wrong = expected(Code::ExpectedArrow, input, &format!("`->` after {after}"));
    if let Some(place) = split_arrow(input) {
        let message = format!("expected `->` after {after}, found `- >`");
        return Wrong {
            place,
            message: message.into(),
            ..wrong
        }
        .help("write `->`");
    }
    if input.peek(Token![=>]) || input.peek(Token![-]) {
        return wrong.help("write `->`");
    }
    let joins = input.peek(Token![&]) || input.peek(Token![|]) || input.peek(Token![,]);
    if begins_second(input) {
        return second_accumulator(wrong.place);
    }
    if let Some(wrong) = added_width(input).filter(|_| after == ACCUMULATOR) {
        return wrong;
    }
    match after {
        FEATURES if joins && !input.peek2(LitInt) => wrong.help("write `+`").note("the rows of all feature sets are added"),
        _ if input.peek(Token![,]) => wrong.help("write `->`"),
        LAYER if input.peek(Token![+]) => wrong
            .help("neurons that skip to the output are part of the layer, and terms of the graph form: `output affine(a1, 1) + h1[15];`"),
        LAYER if input.peek(Token![:]) => wrong
            .help("write the type of the weights after the number of neurons, before the activation and `by`")
            .note("as in `16: i16 screlu` and `1x8: i16 @ 64 by material_count`"),
        ACCUMULATOR if begins_declaration(input) => wrong.help("end the chain with an output layer: `-> 1;`"),
        _ if input.peek(Token![/]) => wrong.help("write what 1.0 is in the weights of a layer as `@ 64`"),
        _ if begins_operation(input) => wrong.help("write the result as one number: widths are not computed"),
        _ if input.peek(LitInt) || input.peek(Paren) => wrong.help(format!("write `->` before {}", found(input))),
        LAYER => wrong.help("after a layer stands `->` and the next one, a clause in braces, or `;`"),
        _ => wrong.help(CHAIN),
    }
}

/// Description of the part before the first arrow.
pub(crate) const FEATURES: &str = "the feature set";

/// Description of the part before the second arrow.
pub(crate) const ACCUMULATOR: &str = "the accumulator";

/// Description of the part before later arrows.
pub(crate) const LAYER: &str = "the layer";

/// The location of `- >`, if it is next.
fn split_arrow(input: ParseStream) -> Option<Place> {
    if input.peek(Token![->]) {
        return None;
    }
    let (minus, rest) = input
        .cursor()
        .punct()
        .filter(|(minus, _)| minus.as_char() == '-')?;
    let (greater, _) = rest
        .punct()
        .filter(|(greater, _)| greater.as_char() == '>')?;
    Some(Place::of(minus.span()).to(Place::of(greater.span())))
}
