//! The chain form: `< F[..] -> 1024x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 by (piece_count - 1) / 4 >`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::ast::{Chain, ChainLayer, Feature, Selector};
use super::feature::parse_features;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{expected, found, here, is_word, parse_arrow, parse_end, parse_multiplier, parse_parentheses};
use super::width::{ChainAccumulator, CountedLayer};

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
        let ChainAccumulator { accumulated, activation } = accumulator;
        let Layers { layers, stacks, by } = layers;
        Ok(Self { inputs, accumulator: accumulated, activation, layers, stacks, by })
    }
}

fn parse_angle_end(input: ParseStream, open: Place) -> Parsed<()> {
    if input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        return Ok(());
    }
    if continues(input) {
        return Err(expected_after_layer(input));
    }
    let message = format!("expected `>` at the end of the chain, found {}", found(input));
    Err(Wrong::new(Code::UnclosedAngle, here(input), message)
        .help("close the chain with `>`, or leave out both angle brackets")
        .related(open, "`<` opened"))
}

/// True if the next token looks like more of a chain rather than the end of it.
fn continues(input: ParseStream) -> bool {
    input.peek(syn::LitInt) || input.peek(Paren) || input.peek(Token![-]) || input.peek(Token![=>])
}

fn expected_after_layer(input: ParseStream) -> Wrong {
    expected(Code::ExpectedArrow, input, "`->` or the end of the chain").help("write `->` between layers")
}

/// `F -> 256x2` or `(F -> 256)x2`.
fn parse_source(input: ParseStream) -> Parsed<(Vec<Feature>, ChainAccumulator)> {
    if !input.peek(Paren) {
        return parse_pair(input);
    }
    let (inside, place) = parse_parentheses(input)?;
    let (inputs, mut accumulator) = parse_pair(&inside)?;
    parse_end(&inside, "the accumulator")?;
    let perspectives = parse_multiplier(input)?;
    match (&perspectives, &accumulator.accumulated.perspectives) {
        (Some(outer), Some(inner)) => {
            let message = "the number of perspectives is written twice";
            return Err(Wrong::new(Code::DuplicateAnnotation, outer.place, message)
                .help("write `F -> 1024x2` or `(F -> 1024)x2`")
                .related(inner.place, "first written"));
        }
        (None, None) => {
            let message = "expected the number of perspectives behind `)`";
            return Err(Wrong::new(Code::BadMultiplier, place, message).help("write `(F -> 1024)x2`"));
        }
        (Some(_), None) => accumulator.accumulated.perspectives = perspectives,
        (None, Some(_)) => {}
    }
    accumulator.parse_annotations(input)?;
    Ok((inputs, accumulator))
}

fn parse_pair(input: ParseStream) -> Parsed<(Vec<Feature>, ChainAccumulator)> {
    let inputs = parse_features(input)?;
    parse_arrow(input, "the feature set")?;
    Ok((inputs, ChainAccumulator::parse(input)?))
}

/// Everything behind the accumulator.
struct Layers {
    layers: Vec<ChainLayer>,
    stacks: Option<Int>,
    by: Option<Selector>,
}

impl Parse for Layers {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if !input.peek(Token![->]) {
            return Err(no_layers(input));
        }
        let mut layers: Vec<ChainLayer> = Vec::new();
        let mut stacks = None;
        while input.peek(Token![->]) && stacks.is_none() {
            parse_arrow(input, "the accumulator")?;
            if input.peek(Paren) {
                stacks = Some(parse_stacks(input, &mut layers)?);
            } else {
                let CountedLayer { layer, stacks: counted } = CountedLayer::parse(input)?;
                if let Some(count) = counted {
                    whole_stack_only(&layers, &layer, count)?;
                    stacks = Some(count);
                }
                layers.push(layer);
            }
        }
        if stacks.is_some() && input.peek(Token![->]) {
            return Err(layers_after_stacks(input));
        }
        output_has_no_activation(&layers)?;
        Ok(Self { by: parse_by(input, stacks.is_some())?, layers, stacks })
    }
}

/// `(16 -> 32 -> 1)x8`
fn parse_stacks(input: ParseStream, layers: &mut Vec<ChainLayer>) -> Parsed<Int> {
    if let Some(first) = layers.first() {
        let message = "layers in front of the stacks are not available";
        return Err(Wrong::new(Code::PartialStacks, first.width.value.place, message)
            .help("put all layers inside the parentheses")
            .note("every stack holds all layers behind the accumulator"));
    }
    let (inside, place) = parse_parentheses(input)?;
    loop {
        let CountedLayer { layer, stacks } = CountedLayer::parse(&inside)?;
        if let Some(stacks) = stacks {
            let message = "the number of stacks belongs behind `)`";
            return Err(Wrong::new(Code::PartialStacks, stacks.place, message)
                .help(format!("write `(.. -> {})x{}`", layer.width.value.value, stacks.value)));
        }
        layers.push(layer);
        if inside.is_empty() {
            break;
        }
        parse_arrow(&inside, "the layer")?;
    }
    parse_multiplier(input)?.ok_or_else(|| {
        Wrong::new(Code::BadMultiplier, place, "expected the number of stacks behind `)`").help("write `(..)x8`")
    })
}

/// `1x8` alone is a stack of one layer; behind other layers it would split the stack.
fn whole_stack_only(layers: &[ChainLayer], last: &ChainLayer, count: Int) -> Parsed<()> {
    if layers.is_empty() {
        return Ok(());
    }
    let widths: Vec<String> = layers.iter().chain([last]).map(|layer| layer.width.value.value.to_string()).collect();
    Err(Wrong::new(Code::PartialStacks, count.place, "stacks of the last layer alone are not available")
        .help(format!("write `({})x{}`", widths.join(" -> "), count.value))
        .note("every stack holds all layers behind the accumulator"))
}

fn no_layers(input: ParseStream) -> Wrong {
    if continues(input) || !(input.is_empty() || input.peek(Token![;]) || input.peek(Token![>])) {
        return expected(Code::ExpectedArrow, input, "`->` after the accumulator");
    }
    Wrong::new(Code::NoLayers, here(input), "the chain ends with the accumulator")
        .help("add at least an output layer: `-> 1`")
}

fn layers_after_stacks(input: ParseStream) -> Wrong {
    Wrong::new(Code::LayersAfterStacks, here(input), "no layers may follow the stacks")
        .help("put all layers inside the parentheses")
}

fn output_has_no_activation(layers: &[ChainLayer]) -> Parsed<()> {
    match layers.last().and_then(|layer| layer.activation.as_ref()) {
        None => Ok(()),
        Some(activation) => {
            let place = activation.function.place;
            Err(Wrong::new(Code::OutputActivation, place, "the output layer has no activation")
                .help(format!("remove `{}`", activation.function.value)))
        }
    }
}

/// `by ..`, if it stands next.
fn parse_by(input: ParseStream, has_stacks: bool) -> Parsed<Option<Selector>> {
    if is_word(input, "by") && !has_stacks {
        let message = "`by` chooses between stacks, and there is only one";
        return Err(Wrong::new(Code::SelectorWithoutStacks, here(input), message)
            .help("say how many: `(16 -> 32 -> 1)x8 by (piece_count - 1) / 4`"));
    }
    super::selector::parse_optional_by(input)
}
