//! Widths and their annotations: `1024x2 @ 255 pairwise >> 9, psqt 8` and `16: i8 @ 64 crelu`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;

use super::ast::{Accumulated, Activated, ChainLayer, Width};
use super::function::begins_function;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{here, parse_int, parse_multiplied, parse_multiplier, parse_word, peek_word};

impl Parse for Width {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let value = parse_int(input, "a number of neurons")?;
        let (element, scale, sums) = (parse_element(input)?, parse_scale(input)?, parse_sums(input)?);
        Ok(Self { value, element, scale, sums })
    }
}

fn parse_element(input: ParseStream) -> Parsed<Option<super::place::Word>> {
    // The path of an activation may begin with two colons.
    if !input.peek(Token![:]) || input.peek(Token![::]) {
        return Ok(None);
    }
    input.parse::<Token![:]>()?;
    parse_word(input, "an element type after `:`").map(Some)
}

fn parse_scale(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(Token![@]) {
        return Ok(None);
    }
    input.parse::<Token![@]>()?;
    parse_int(input, "a scale after `@`").map(Some)
}

/// `sums 16`, if it stands next.
fn parse_sums(input: ParseStream) -> Parsed<Option<Int>> {
    if peek_word(input).as_deref() != Some("sums") {
        return Ok(None);
    }
    parse_word(input, "`sums`")?;
    parse_int(input, "a number of partial sums after `sums`").map(Some)
}

/// Sets an annotation that may be written once.
fn set<T>(slot: &mut Option<T>, value: T, place: Place, name: &str) -> Parsed<()> {
    if slot.is_some() {
        let message = format!("{name} is written twice");
        return Err(Wrong::new(Code::DuplicateAnnotation, place, message).help("remove one of the two"));
    }
    *slot = Some(value);
    Ok(())
}

/// The accumulator of a chain, with its activation. Annotations may stand in any order, each once.
pub(crate) struct ChainAccumulator {
    /// what `accumulate` would say
    pub accumulated: Accumulated,
    /// the activation behind it
    pub activation: Option<Activated>,
}

impl Parse for ChainAccumulator {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (value, perspectives) = parse_multiplied(input, "the width of the accumulator")?;
        let width = Width { value, element: None, scale: None, sums: None };
        let mut accumulator = Self {
            accumulated: Accumulated { width, perspectives, psqt: None, white_first: None, separate: None },
            activation: None,
        };
        accumulator.parse_annotations(input)?;
        Ok(accumulator)
    }
}

impl ChainAccumulator {
    /// The annotations that stand here; called again behind `(F -> 256)x2`.
    pub(crate) fn parse_annotations(&mut self, input: ParseStream) -> Parsed<()> {
        loop {
            let place = here(input);
            if let Some(element) = parse_element(input)? {
                set(&mut self.accumulated.width.element, element, place, "the element type")?;
            } else if let Some(scale) = parse_scale(input)? {
                set(&mut self.accumulated.width.scale, scale, place, "the scale")?;
            } else if let Some(perspectives) = parse_multiplier(input)? {
                set(&mut self.accumulated.perspectives, perspectives, place, "the number of perspectives")?;
            } else if self.accumulated.parse_part(input)? {
                // `psqt 8`, `white_first` or `separate` was written, and is kept.
            } else if begins_function(input) {
                let activation = Activated::parse(input)?;
                set(&mut self.activation, activation, place, "the activation")?;
            } else {
                return Ok(());
            }
        }
    }
}

impl Accumulated {
    /// `, psqt 8`, `, white_first` or `, separate` (the comma may be left out), if it stands next.
    fn parse_part(&mut self, input: ParseStream) -> Parsed<bool> {
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            if !begins_part(input) {
                let what = "`psqt`, `white_first` or `separate` after the comma";
                let wrong = super::token::expected(Code::UnexpectedToken, input, what);
                return Err(wrong.help("write for example `, psqt 8`"));
            }
        }
        if !begins_part(input) {
            return Ok(false);
        }
        let place = here(input);
        match parse_word(input, "`psqt`")?.value.as_str() {
            "psqt" => {
                let outputs = parse_int(input, "a number of outputs after `psqt`")?;
                set(&mut self.psqt, outputs, place, "`psqt`")?;
            }
            "separate" => set(&mut self.separate, place, place, "`separate`")?,
            _ => set(&mut self.white_first, place, place, "`white_first`")?,
        }
        Ok(true)
    }
}

/// Whether a word stands next that says something about an accumulator, and about nothing else.
fn begins_part(input: ParseStream) -> bool {
    matches!(peek_word(input).as_deref(), Some("psqt" | "white_first" | "separate"))
}

/// What stands behind `accumulate(..)`: `x 2, psqt 8, white_first, separate`.
pub(crate) fn parse_accumulated(width: Width, input: ParseStream) -> Parsed<Accumulated> {
    let perspectives = parse_multiplier(input)?;
    let mut accumulated = Accumulated { width, perspectives, psqt: None, white_first: None, separate: None };
    while accumulated.parse_part(input)? {}
    Ok(accumulated)
}

/// A layer of a chain, and the stack count that was written with it (`1x8`).
pub(crate) struct CountedLayer {
    /// the layer
    pub layer: ChainLayer,
    /// `x8`
    pub stacks: Option<Int>,
}

impl Parse for CountedLayer {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (value, mut stacks) = parse_multiplied(input, "a number of neurons")?;
        let mut width = Width { value, element: None, scale: None, sums: None };
        let mut activation = None;
        loop {
            let place = here(input);
            if let Some(element) = parse_element(input)? {
                set(&mut width.element, element, place, "the element type")?;
            } else if let Some(scale) = parse_scale(input)? {
                set(&mut width.scale, scale, place, "the scale")?;
            } else if let Some(sums) = parse_sums(input)? {
                set(&mut width.sums, sums, place, "the number of partial sums")?;
            } else if let Some(count) = parse_multiplier(input)? {
                set(&mut stacks, count, place, "the number of stacks")?;
            } else if begins_part(input) || input.peek(Token![,]) {
                return Err(misplaced_part(input));
            } else if begins_function(input) {
                set(&mut activation, Activated::parse(input)?, place, "the activation")?;
            } else {
                return Ok(Self { layer: ChainLayer { width, activation }, stacks });
            }
        }
    }
}

fn misplaced_part(input: ParseStream) -> Wrong {
    if input.peek(Token![,]) && !(input.peek2(syn::Ident)) {
        return super::token::expected(Code::ExpectedArrow, input, "`->` or the end of the chain");
    }
    let (message, help) = match peek_word(input).as_deref() {
        Some("white_first") => ("`white_first` orders perspectives, which layers have not", "1024x2 white_first"),
        Some("separate") => {
            ("`separate` concerns the weights of perspectives, which layers have not", "1024x2 separate")
        }
        _ => ("only the accumulator has PSQT outputs", "1024x2, psqt 8"),
    };
    Wrong::new(Code::MisplacedAnnotation, here(input), message)
        .help(format!("write it behind the accumulator: `{help} -> ..`"))
}
