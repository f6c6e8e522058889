//! Widths and their annotations: `1024x2 @ 255 pairwise >> 9, psqt 8` and `16: i8 @ 64 crelu`.

use nnue_spec::diagnostic::Code;
use nnue_spec::model::ReachKind;
use proc_macro2::TokenTree;
use syn::Token;
use syn::parse::ParseStream;

use super::ast::{Accumulated, Activated, ChainLayer, Quotient, Reach, Width};
use super::function::begins_function;
use super::keyword::{CLAUSES, known_as};
use super::number::{parse_int, parse_multiplied, parse_multiplier, parse_scale};
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::several::{begins_source, second_accumulator};
use super::token::{expected, here, parse_word, peek_word};
use super::written::Written;

impl Parse for Width {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let value = parse_int(input, "a number of neurons")?;
        let (element, scale, sums) = (
            parse_element(input)?,
            parse_scale(input)?,
            parse_sums(input)?,
        );
        Ok(Self {
            value,
            element,
            scale,
            sums,
            bias: parse_bias(input)?,
            unit: parse_unit(input)?,
            binary: parse_binary(input)?,
            reach: parse_reach(input)?,
        })
    }
}

pub(super) fn parse_element(input: ParseStream) -> Parsed<Option<super::place::Word>> {
    // A custom activation may begin with `::`.
    if !input.peek(Token![:]) || input.peek(Token![::]) {
        return Ok(None);
    }
    input.parse::<Token![:]>()?;
    parse_word(input, "an element type after `:`").map(Some)
}

/// Takes `sums 16`, if it is next.
fn parse_sums(input: ParseStream) -> Parsed<Option<Int>> {
    if peek_word(input).as_deref() != Some("sums") {
        return Ok(None);
    }
    parse_word(input, "`sums`")?;
    parse_int(input, "a number of partial sums after `sums`").map(Some)
}

/// Takes `bias i32`, if it is next.
fn parse_bias(input: ParseStream) -> Parsed<Option<Box<super::place::Word>>> {
    if peek_word(input).as_deref() != Some("bias") {
        return Ok(None);
    }
    parse_word(input, "`bias`")?;
    parse_word(input, "the type of the bias after `bias`").map(|word| Some(Box::new(word)))
}

/// Takes `unit 1/16256`, if it is next.
fn parse_unit(input: ParseStream) -> Parsed<Option<Box<Quotient>>> {
    if peek_word(input).as_deref() != Some("unit") {
        return Ok(None);
    }
    let help = "write the factor that makes floats of the sums: `unit 1/16256`";
    parse_word(input, "`unit`")?;
    let num = parse_int(input, "a number after `unit`").map_err(|wrong| wrong.help(help))?;
    if !input.peek(Token![/]) {
        let what = format!("`/` after `unit {}`", num.value);
        return Err(expected(Code::UnexpectedToken, input, &what).help(help));
    }
    input.parse::<Token![/]>()?;
    let den = parse_int(input, "a number after `/`").map_err(|wrong| wrong.help(help))?;
    Ok(Some(Box::new(Quotient { num, den })))
}

/// Takes `binary`, if it is next.
fn parse_binary(input: ParseStream) -> Parsed<Option<Place>> {
    if peek_word(input).as_deref() != Some("binary") {
        return Ok(None);
    }
    parse_word(input, "`binary`").map(|word| Some(word.place))
}

/// Takes `blocks 4 of 16` or `shards 2 of 64`, if it is next, with an optional comma before it.
fn parse_reach(input: ParseStream) -> Parsed<Option<Box<Reach>>> {
    let after_comma = input.peek(Token![,]);
    let word = if after_comma {
        second_word(input)
    } else {
        peek_word(input)
    };
    let (kind, help, count, size) = match word.as_deref() {
        Some("blocks") => (
            ReachKind::Blocks,
            "write how many blocks of 16 outputs each input reaches: `blocks 4 of 16`",
            "a number of blocks",
            "the outputs of a block",
        ),
        Some("shards") => (
            ReachKind::Shards,
            "write into how many shards the last inputs are cut, and how many a shard has: `shards 2 of 64`",
            "a number of shards",
            "the inputs of a shard",
        ),
        _ => return Ok(None),
    };
    if after_comma {
        input.parse::<Token![,]>()?;
    }
    let name = kind.name();
    let place = parse_word(input, name)?.place;
    let count =
        parse_int(input, &format!("{count} after `{name}`")).map_err(|wrong| wrong.help(help))?;
    if peek_word(input).as_deref() != Some("of") {
        let what = format!("`of` after the number of {name}");
        return Err(expected(Code::UnexpectedToken, input, &what).help(help));
    }
    parse_word(input, "`of`")?;
    let size = parse_int(input, &format!("{size} after `of`")).map_err(|wrong| wrong.help(help))?;
    Ok(Some(Box::new(Reach {
        kind,
        count,
        size,
        place: place.to(size.place),
    })))
}

/// Sets an annotation, and refuses a second one.
fn set<T>(slot: &mut Option<T>, value: T, place: Place, name: &str) -> Parsed<()> {
    if slot.is_some() {
        let message = format!("{name} is written twice");
        return Err(
            Wrong::new(Code::DuplicateAnnotation, place, message).help("remove one of the two")
        );
    }
    *slot = Some(value);
    Ok(())
}

/// Sets which outputs the inputs reach, and refuses a second clause.
fn set_reach(slot: &mut Option<Box<Reach>>, reach: Box<Reach>) -> Parsed<()> {
    let (place, word) = (reach.place, reach.kind.name());
    match slot {
        Some(first) if first.kind != reach.kind => {
            let message = format!("a layer has `{}` or `{word}`, not both", first.kind.name());
            let wrong = Wrong::new(Code::DuplicateAnnotation, place, message);
            Err(wrong.help("remove one of the two"))
        }
        _ => set(slot, reach, place, &format!("`{word}`")),
    }
}

/// Sets the activation, and refuses a second one.
fn set_activation(slot: &mut Option<Activated>, input: ParseStream) -> Parsed<()> {
    refuse_dropout(input)?;
    let (place, word) = (here(input), peek_word(input));
    let Some(first) = slot else {
        *slot = Some(Activated::parse(input)?);
        return refuse_bar(input, slot.as_ref());
    };
    let first = &first.function;
    let (message, help) = match word {
        Some(word) if word == first.value => (
            "the activation is written twice".to_owned(),
            "remove one of the two",
        ),
        word => {
            let word = word.unwrap_or_default();
            (
                format!(
                    "a width has one activation, found `{word}` after `{}`",
                    first.value
                ),
                JOINED,
            )
        }
    };
    let wrong = Wrong::new(Code::DuplicateAnnotation, place, message);
    Err(wrong.help(help).related(first.place, "the first one"))
}

const JOINED: &str =
    "remove one of the two, or join both in the graph form: `concat(sqr_crelu(h1), crelu(h1))`";

/// Refuses `crelu|sqr_crelu`.
fn refuse_bar(input: ParseStream, first: Option<&Activated>) -> Parsed<()> {
    let Some(first) = first.filter(|_| input.peek(Token![|])) else {
        return Ok(());
    };
    let message = format!(
        "a width has one activation, found `|` after `{}`",
        first.function.value
    );
    Err(Wrong::new(Code::DuplicateAnnotation, here(input), message).help(JOINED))
}

/// Refuses `dropout 0.1`.
fn refuse_dropout(input: ParseStream) -> Parsed<()> {
    if peek_word(input).as_deref() != Some("dropout") {
        return Ok(());
    }
    let place = here(input);
    parse_word(input, "`dropout`")?;
    let rate = Written::until(input, |token| !matches!(token, TokenTree::Literal(_)));
    let place = rate.place().map_or(place, |rate| place.to(rate));
    let message = "`dropout` is part of training, and no network for play has it";
    Err(Wrong::new(Code::MisplacedAnnotation, place, message).help("remove it"))
}

/// The accumulator of a chain, with its activation. Annotations may have any order, each once.
pub(crate) struct ChainAccumulator {
    /// the arguments and options of `accumulate` in the graph form
    pub accumulated: Accumulated,
    /// the activation after it
    pub activation: Option<Activated>,
}

impl Parse for ChainAccumulator {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (value, perspectives) = parse_multiplied(input, "the width of the accumulator")
            .map_err(|wrong| {
                if input.peek(Token![;]) {
                    wrong.help(super::arrow::CHAIN)
                } else {
                    wrong
                }
            })?;
        let width = Width {
            value,
            element: None,
            scale: None,
            sums: None,
            bias: None,
            unit: None,
            binary: None,
            reach: None,
        };
        let mut accumulator = Self {
            accumulated: Accumulated::new(width, perspectives),
            activation: None,
        };
        accumulator.parse_annotations(input)?;
        Ok(accumulator)
    }
}

impl ChainAccumulator {
    /// Reads the annotations here. Called again after `(F -> 256)x2`.
    pub(crate) fn parse_annotations(&mut self, input: ParseStream) -> Parsed<()> {
        loop {
            let place = here(input);
            if let Some(element) = parse_element(input)? {
                set(
                    &mut self.accumulated.width.element,
                    element,
                    place,
                    "the element type",
                )?;
            } else if let Some(scale) = parse_scale(input)? {
                set(&mut self.accumulated.width.scale, scale, place, "the scale")?;
            } else if let Some(perspectives) = parse_multiplier(input)? {
                set(
                    &mut self.accumulated.perspectives,
                    perspectives,
                    place,
                    "the number of perspectives",
                )?;
            } else if self.accumulated.parse_part(input)? {
                // `parse_part` has set `psqt 8`, `white_first`, `separate` or `nonzero 5%`.
            } else if begins_function(input) {
                set_activation(&mut self.activation, input)?;
            } else {
                return Ok(());
            }
        }
    }
}

impl Accumulated {
    /// The location of integer PSQT outputs, if there are any.
    pub(crate) fn whole_psqt(&self) -> Option<Place> {
        let is_float = self
            .psqt_element
            .as_ref()
            .is_some_and(|element| element.value == "f32");
        self.psqt.filter(|_| !is_float).map(|psqt| psqt.place)
    }

    /// Takes `, psqt 8`, `, white_first`, `, separate` or `, nonzero 5%`, if it is next. The comma is
    /// optional.
    fn parse_part(&mut self, input: ParseStream) -> Parsed<bool> {
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            if !begins_part(input) {
                if begins_source(input) {
                    return Err(second_accumulator(here(input)));
                }
                let what = "`psqt`, `white_first`, `separate` or `nonzero` after the comma";
                let wrong = expected(Code::UnexpectedToken, input, what);
                if let Some(activation) = peek_word(input).and_then(|word| known_as(&word)) {
                    return Err(wrong.help(format!("write `{activation}` without the comma")));
                }
                return Err(wrong.help("write for example `, psqt 8`"));
            }
        }
        if !begins_part(input) {
            return Ok(false);
        }
        let place = here(input);
        match parse_word(input, "`psqt`")?.value.as_str() {
            "psqt" => {
                let outputs =
                    parse_int(input, "a number of outputs after `psqt`").map_err(|wrong| {
                        wrong.help(
                            "write one for each layer stack: `psqt 8` before `(16 -> 32 -> 1)x8`",
                        )
                    })?;
                set(&mut self.psqt, outputs, place, "`psqt`")?;
                self.psqt_element = parse_element(input)?;
            }
            "separate" => set(&mut self.separate, place, place, "`separate`")?,
            "nonzero" => set(&mut self.nonzero, parse_share(input)?, place, "`nonzero`")?,
            _ => set(&mut self.white_first, place, place, "`white_first`")?,
        }
        Ok(true)
    }
}

/// The percentage after `nonzero`: `5%`.
fn parse_share(input: ParseStream) -> Parsed<Int> {
    let help = "write how many of 100 activated values are not zero: `nonzero 5%`";
    let share = parse_int(input, "a share after `nonzero`").map_err(|wrong| wrong.help(help))?;
    if !input.peek(Token![%]) {
        let what = format!("`%` after `nonzero {}`", share.value);
        return Err(expected(Code::UnexpectedToken, input, &what).help(help));
    }
    input.parse::<Token![%]>()?;
    Ok(share)
}

/// Whether the next word is an annotation of accumulators only.
fn begins_part(input: ParseStream) -> bool {
    matches!(
        peek_word(input).as_deref(),
        Some("psqt" | "white_first" | "separate" | "nonzero")
    )
}

/// The options after `accumulate(..)`: `x 2, psqt 8, white_first, separate, nonzero 5%`.
pub(crate) fn parse_accumulated(width: Width, input: ParseStream) -> Parsed<Accumulated> {
    let perspectives = parse_multiplier(input)?;
    let mut accumulated = Accumulated::new(width, perspectives);
    while accumulated.parse_part(input)? {}
    Ok(accumulated)
}

/// A layer of a chain, and the stack count written with it (`1x8`).
pub(crate) struct CountedLayer {
    pub layer: ChainLayer,
    /// `x8`
    pub stacks: Option<Int>,
    /// the layer as written, without the stack count
    pub text: String,
}

impl Parse for CountedLayer {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (value, mut stacks) = parse_multiplied(input, "a number of neurons")?;
        let mut width = Width {
            value,
            element: None,
            scale: None,
            sums: None,
            bias: None,
            unit: None,
            binary: None,
            reach: None,
        };
        let (mut activation, mut text) = (None, width.value.value.to_string());
        loop {
            let (place, start) = (here(input), input.cursor());
            if let Some(element) = parse_element(input)? {
                set(&mut width.element, element, place, "the element type")?;
            } else if let Some(scale) = parse_scale(input)? {
                set(&mut width.scale, scale, place, "the scale")?;
            } else if let Some(sums) = parse_sums(input)? {
                set(&mut width.sums, sums, place, "the number of partial sums")?;
            } else if let Some(bias) = parse_bias(input)? {
                set(&mut width.bias, bias, place, "the type of the bias")?;
            } else if let Some(unit) = parse_unit(input)? {
                set(&mut width.unit, unit, place, "the unit")?;
            } else if let Some(binary) = parse_binary(input)? {
                set(&mut width.binary, binary, place, "`binary`")?;
            } else if let Some(reach) = parse_reach(input)? {
                set_reach(&mut width.reach, reach)?;
            } else if let Some(count) = parse_multiplier(input)? {
                set(&mut stacks, count, place, "the number of stacks")?;
                continue;
            } else if begins_part(input)
                || (input.peek(Token![,])
                    && !input.peek2(Token![pub])
                    && !input.peek2(Token![struct]))
            {
                return Err(misplaced_part(input));
            } else if begins_function(input) {
                set_activation(&mut activation, input)?;
            } else {
                return Ok(Self {
                    layer: ChainLayer { width, activation },
                    stacks,
                    text,
                });
            }
            let annotation = Written::up_to(start, input).text();
            text += if annotation.starts_with(':') { "" } else { " " };
            text += &annotation;
        }
    }
}

fn misplaced_part(input: ParseStream) -> Wrong {
    let word = if input.peek(Token![,]) {
        second_word(input)
    } else {
        peek_word(input)
    };
    let (message, help) = match word.as_deref() {
        Some("white_first") => (
            "`white_first` orders perspectives, which layers have not",
            "1024x2 white_first",
        ),
        Some("separate") => (
            "`separate` concerns the weights of perspectives, which layers have not",
            "1024x2 separate",
        ),
        Some("psqt") => ("only the accumulator has PSQT outputs", "1024x2, psqt 8"),
        Some("nonzero") => (
            "`nonzero` is said of activated accumulators, not of layers",
            "1024x2, nonzero 5%",
        ),
        Some(clause) if CLAUSES.contains(&clause) => {
            let message = format!("the clause `{clause}` stands in braces after the chain");
            let help = format!("leave the comma out, and write `{{ {clause} ..; }}`");
            return Wrong::new(Code::MisplacedClause, here(input), message).help(help);
        }
        _ => return super::arrow::expected_arrow(input, super::arrow::LAYER),
    };
    Wrong::new(Code::MisplacedAnnotation, here(input), message)
        .help(format!("write it after the accumulator: `{help} -> ..`"))
}

/// The word after the comma, if a comma is next.
fn second_word(input: ParseStream) -> Option<String> {
    let (_, rest) = input.cursor().punct()?;
    rest.ident().map(|(word, _)| word.to_string())
}
