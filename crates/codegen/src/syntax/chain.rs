//! The chain form: `< F[..] -> 1024x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 by (piece_count - 1) / 4 >`.

use nnue_spec::diagnostic::Code;
use proc_macro2::Delimiter;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::arrow::{FEATURES, LAYER, continues, expected_arrow, parse_arrow};
use super::ast::{Chain, Feature};
use super::feature::parse_features;
use super::grouped::nested_parentheses;
use super::layers::Layers;
use super::number::parse_multiplier;
use super::parse::Parse;
use super::place::{Parsed, Place, Wrong};
use super::several::{added_width, begins_second, second_accumulator, several_widths};
use super::token::{expected, found, here, parse_end, parse_parentheses};
use super::width::ChainAccumulator;
use super::written::{Written, group_text};

impl Parse for Chain {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let open = here(input);
        let angle = input.peek(Token![<]);
        if angle {
            input.parse::<Token![<]>()?;
        }
        let (inputs, accumulator) = parse_source(input)?;
        let layers = Layers::parse(input)?;
        if angle {
            parse_angle_end(input, open)?;
        }
        let ChainAccumulator {
            accumulated,
            activation,
        } = accumulator;
        let Layers { layers, stacks, by } = layers;
        Ok(Self {
            inputs,
            accumulator: accumulated,
            activation,
            layers,
            stacks,
            by,
        })
    }
}

fn parse_angle_end(input: ParseStream, open: Place) -> Parsed<()> {
    if input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        return Ok(());
    }
    if continues(input) {
        return Err(expected_arrow(input, LAYER));
    }
    let message = format!(
        "expected `>` at the end of the chain, found {}",
        found(input)
    );
    Err(Wrong::new(Code::UnclosedAngle, here(input), message)
        .help("close the chain with `>`, or leave out both angle brackets")
        .related(open, "`<` opened"))
}

/// `F -> 256x2` or `(F -> 256)x2`.
fn parse_source(input: ParseStream) -> Parsed<(Vec<Feature>, ChainAccumulator)> {
    if !input.peek(Paren) {
        return parse_pair(input);
    }
    let text = group_text(input);
    let (inside, place) = parse_parentheses(input)?;
    if inside.peek(Paren) {
        return Err(nested_parentheses(&inside, place));
    }
    let start = inside.cursor();
    let (inputs, mut accumulator) = parse_pair(&inside)?;
    if inside.peek(Token![->]) {
        let pair = Written::up_to(start, &inside).text();
        return Err(layers_in_parentheses(&inside, &pair, place, input));
    }
    if let Some(wrong) = added_width(&inside) {
        return Err(wrong);
    }
    parse_end(&inside, "the accumulator")?;
    let perspectives = parse_multiplier(input)?;
    match (&perspectives, &accumulator.accumulated.perspectives) {
        (Some(outer), Some(inner)) => {
            let message = "the number of perspectives is written twice";
            return Err(Wrong::new(Code::DuplicateAnnotation, outer.place, message)
                .help("write `F -> 1024x2` or `(F -> 1024)x2`")
                .related(inner.place, "first written"));
        }
        (None, None) => return Err(no_perspectives(input, place, &text)),
        (Some(_), None) => accumulator.accumulated.perspectives = perspectives,
        (None, Some(_)) => {}
    }
    accumulator.parse_annotations(input)?;
    Ok((inputs, accumulator))
}

/// `(F -> 64 -> 16 -> 1)x2`
fn layers_in_parentheses(
    inside: ParseStream,
    pair: &str,
    place: Place,
    input: ParseStream,
) -> Wrong {
    let layers = Written::until(inside, |_| false).text();
    let start = input.cursor();
    let _ = parse_multiplier(input);
    let times = Written::up_to(start, input);
    let place = times.place().map_or(place, |times| place.to(times));
    Wrong::new(
        Code::UnexpectedToken,
        place,
        "layers stand in the parentheses of the accumulator",
    )
    .help(format!("write `({pair}){} {layers}`", times.text()))
}

/// `(F -> 256) -> 1`, `(F -> 256)*2`
fn no_perspectives(input: ParseStream, place: Place, text: &str) -> Wrong {
    if begins_second(input) {
        return second_accumulator(here(input));
    }
    let message = format!(
        "expected the number of perspectives after `)`, found {}",
        found(input)
    );
    if input.peek(Token![*]) {
        return Wrong::new(Code::BadMultiplier, here(input), message).help("write `x`");
    }
    let inside = text.trim_matches(['(', ')']);
    Wrong::new(Code::BadMultiplier, place, message).help(format!(
        "write `{text}x2` for both sides, or `{inside}` for the side to move alone"
    ))
}

fn parse_pair(input: ParseStream) -> Parsed<(Vec<Feature>, ChainAccumulator)> {
    let inputs = parse_features(input)?;
    parse_arrow(input, FEATURES)?;
    if let Some(wrong) = several_widths(input) {
        return Err(wrong);
    }
    if input.peek(Paren) && !holds_number(input) {
        let wrong = expected(Code::ExpectedNumber, input, "the width of the accumulator");
        return Err(wrong.help(PARENTHESES));
    }
    Ok((inputs, ChainAccumulator::parse(input)?))
}

/// Whether `(64)` is next.
fn holds_number(input: ParseStream) -> bool {
    let inside = input
        .cursor()
        .group(Delimiter::Parenthesis)
        .and_then(|(inside, ..)| inside.literal());
    inside.is_some_and(|(_, rest)| rest.eof())
}

const PARENTHESES: &str = "parentheses hold the feature set and the accumulator, or all layers: `(Chess768[..] -> 256)x2 -> (16 -> 32 -> 1)x8`";
