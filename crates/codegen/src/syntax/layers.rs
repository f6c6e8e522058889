//! The layers of a chain: `16 -> 32 -> 1`, or in stacks: `(16 -> 32 -> 1)x8 by (piece_count - 1) / 4`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::ParseStream;
use syn::token::{Brace, Bracket, Paren};

use super::arrow::{ACCUMULATOR, CHAIN, LAYER, continues, expected_arrow, parse_arrow};
use super::ast::{ChainLayer, Selector};
use super::keyword::{FUNCTIONS, PLANNED, known_as};
use super::number::parse_multiplier;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Word, Wrong};
use super::token::{expected, here, is_word, parse_parentheses, peek_word};
use super::width::CountedLayer;
use super::written::{Written, group_text};

/// The part of a chain after the accumulator.
pub(crate) struct Layers {
    /// the layers, at least one
    pub layers: Vec<ChainLayer>,
    /// `x8`
    pub stacks: Option<Int>,
    /// `by ..`
    pub by: Option<Selector>,
}

impl Parse for Layers {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if !input.peek(Token![->]) {
            return Err(no_layers(input));
        }
        let mut layers: Vec<ChainLayer> = Vec::new();
        let (mut stacks, mut texts, mut start) = (None, Vec::new(), None);
        while input.peek(Token![->]) && stacks.is_none() {
            parse_arrow(input, ACCUMULATOR)?;
            let start = *start.get_or_insert(input.cursor());
            if input.peek(Paren) {
                stacks = Some(parse_stacks(input, &mut layers)?);
                continue;
            }
            expect_width(input)?;
            let CountedLayer {
                layer,
                stacks: counted,
                text,
            } = CountedLayer::parse(input)?;
            layers.push(layer);
            texts.push(text);
            if let Some(count) = counted.filter(|_| layers.len() > 1 || input.peek(Token![->])) {
                return Err(stacks_of_layers(input, start, texts, count));
            }
            stacks = counted;
        }
        if stacks.is_some() && input.peek(Token![->]) {
            return Err(layers_after_stacks(input));
        }
        output_has_no_activation(&layers, stacks.is_some())?;
        Ok(Self {
            by: parse_by(input, stacks.is_some())?,
            layers,
            stacks,
        })
    }
}

/// `(16 -> 32 -> 1)x8`
fn parse_stacks(input: ParseStream, layers: &mut Vec<ChainLayer>) -> Parsed<Int> {
    if let Some(first) = layers.first() {
        let message = "layers before the stacks are not available";
        return Err(
            Wrong::new(Code::PartialStacks, first.width.value.place, message)
                .help("put all layers inside the parentheses")
                .note("every stack holds all layers after the accumulator"),
        );
    }
    let (inside, place) = parse_parentheses(input)?;
    loop {
        expect_width(&inside)?;
        let CountedLayer {
            layer,
            stacks,
            text,
        } = CountedLayer::parse(&inside)?;
        if let Some(stacks) = stacks {
            let message = "the number of stacks belongs after `)`";
            let help = match inside.is_empty() {
                true => format!("end the parentheses with `{text})x{}`", stacks.value),
                false => TWO_ACTIVATIONS.to_owned(),
            };
            return Err(Wrong::new(Code::PartialStacks, stacks.place, message).help(help));
        }
        layers.push(layer);
        if inside.is_empty() {
            break;
        }
        parse_arrow(&inside, LAYER)?;
    }
    parse_multiplier(input)?.ok_or_else(|| {
        let wrong = Wrong::new(
            Code::BadMultiplier,
            place,
            "expected the number of stacks after `)`",
        );
        wrong.help("write it after the parentheses, as in `(16 -> 32 -> 1)x8`, or leave them out")
    })
}

/// Help for `16x2` of one layer in the notation of some engines.
const TWO_ACTIVATIONS: &str = "all layers have as many stacks; two activations of one layer are written in the graph form: `concat(sqr_crelu(h1), crelu(h1))`";

/// The error for a common mistake in place of a width.
fn expect_width(input: ParseStream) -> Parsed<()> {
    if input.peek(Bracket) || input.peek(Brace) {
        let text = group_text(input);
        let message = format!("layers stand in parentheses, found `{}`", &text[..1]);
        let text = text.trim_matches(['[', ']', '{', '}']).trim();
        return Err(
            Wrong::new(Code::ExpectedNumber, group_place(input), message)
                .help(format!("write `({text})`")),
        );
    }
    if is_word(input, "binary") {
        let wrong = expected(Code::ExpectedNumber, input, "a number of neurons");
        return Err(wrong.help("write `binary` after the number: `256 binary`"));
    }
    let Some(word) = peek_word(input).filter(|word| is_activation(word)) else {
        let ends = input.is_empty() || input.peek(Token![;]);
        let wrong = expected(Code::ExpectedNumber, input, "a number of neurons");
        return if ends {
            Err(wrong.help("end the chain with its output: `-> 1`"))
        } else {
            Ok(())
        };
    };
    let wrong = expected(Code::ExpectedNumber, input, "a number of neurons");
    let word = known_as(&word).unwrap_or(&word);
    Err(wrong.help(format!(
        "write `{word}` after the width that it follows, without an arrow: `64x2 {word} -> ..`"
    )))
}

fn group_place(input: ParseStream) -> Place {
    input
        .cursor()
        .token_tree()
        .map_or_else(|| here(input), |(token, _)| Place::of(token.span()))
}

fn is_activation(word: &str) -> bool {
    let is_function = FUNCTIONS.contains(&word) && word != "affine" && word != "concat";
    is_function
        || matches!(word, "tanh" | "softmax")
        || PLANNED.iter().any(|(name, _)| *name == word)
        || word.to_lowercase().ends_with("relu")
}

/// The error for `15 -> 32 -> 1x8` or `16x8 -> 32x8 -> 1x8`: stacks contain all layers.
fn stacks_of_layers<'a>(
    input: ParseStream<'a>,
    start: Cursor<'a>,
    mut texts: Vec<String>,
    count: Int,
) -> Wrong {
    let (is_last, mut is_one_count) = (!input.peek(Token![->]), true);
    while input.peek(Token![->]) && parse_arrow(input, LAYER).is_ok() {
        let Ok(CountedLayer { stacks, text, .. }) = CountedLayer::parse(input) else {
            return layers_after_stacks(input);
        };
        is_one_count &= stacks.is_none_or(|stacks| stacks.value == count.value);
        texts.push(text);
    }
    let place = Written::up_to(start, input).place().unwrap_or(count.place);
    let which = if is_last {
        "the last layer alone"
    } else {
        "single layers"
    };
    let wrong = Wrong::new(
        Code::PartialStacks,
        place,
        format!("stacks of {which} are not available"),
    );
    let wrong = wrong.note("every stack holds all layers after the accumulator");
    let layers = texts.join(" -> ");
    wrong.help(match is_one_count {
        true => format!("write `({layers})x{}`", count.value),
        false => format!("write one number of stacks, after all layers: `({layers})x..`"),
    })
}

fn no_layers(input: ParseStream) -> Wrong {
    if continues(input) || !(input.is_empty() || input.peek(Token![;]) || input.peek(Token![>])) {
        return expected_arrow(input, ACCUMULATOR);
    }
    Wrong::new(
        Code::NoLayers,
        here(input),
        "the chain ends with the accumulator",
    )
    .help("end it with an output layer, `-> 1`")
    .note(CHAIN)
}

fn layers_after_stacks(input: ParseStream) -> Wrong {
    Wrong::new(
        Code::LayersAfterStacks,
        here(input),
        "no layers may follow the stacks",
    )
    .help("put all layers inside the parentheses")
}

fn output_has_no_activation(layers: &[ChainLayer], has_stacks: bool) -> Parsed<()> {
    match layers.last().and_then(|layer| layer.activation.as_ref()) {
        None => Ok(()),
        Some(activation)
            if activation.own.is_none() && !is_activation(&activation.function.value) =>
        {
            Err(after_output(&activation.function, has_stacks))
        }
        Some(activation) => {
            let Word { value, place } = &activation.function;
            let help = match value.as_str() {
                "sigmoid" => {
                    "remove it, and write the value in braces: `{ value sigmoid(output) * 1000; }`"
                        .to_owned()
                }
                "softmax" => {
                    "remove it: `{ value wdl * 1000; }` makes probabilities of three outputs"
                        .to_owned()
                }
                "tanh" => "remove it; the program can take `tanh` of `Network::output`".to_owned(),
                _ => format!(
                    "remove it, or write it before the arrow if it activates what the output reads: `.. {value} -> 1`"
                ),
            };
            Err(Wrong::new(
                Code::OutputActivation,
                *place,
                "the output layer has no activation",
            )
            .help(help))
        }
    }
}

/// `1x8 buckets`, `1 buckets 8`
fn after_output(word: &Word, has_stacks: bool) -> Wrong {
    let message = format!("unexpected `{}` after the output layer", word.value);
    let wrong = Wrong::new(Code::UnexpectedToken, word.place, message);
    match word.value.as_str() {
        "bucket" | "buckets" | "stacks" if has_stacks => {
            wrong.help("remove it: `1x8` are eight stacks, and `by ..` says which is used")
        }
        "bucket" | "buckets" | "stacks" => {
            wrong.help("eight stacks are written `1x8`, and `by ..` after it says which is used")
        }
        name => wrong.help(format!(
            "remove `{name}`: the output layer has no activation"
        )),
    }
}

/// Takes `by ..`, if it is next.
fn parse_by(input: ParseStream, has_stacks: bool) -> Parsed<Option<Selector>> {
    if is_word(input, "by") && !has_stacks {
        let message = "`by` chooses between stacks, and there is only one";
        return Err(
            Wrong::new(Code::SelectorWithoutStacks, here(input), message)
                .help("say how many: `(16 -> 32 -> 1)x8 by (piece_count - 1) / 4`"),
        );
    }
    super::selector::parse_optional_by(input)
}
