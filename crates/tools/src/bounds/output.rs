//! Bounds of the output: its terms, the positional part, the value.

use nnue_spec::{NetDesc, OutputTerm, PerspectiveOrder, Ratio, RawOutput, ValueDesc};

use super::interval::Interval;
use super::layer::LayerBounds;

/// The possible outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputBounds {
    /// the terms of the positional part, in order; empty if the output is a float
    pub terms: Vec<TermBounds>,
    /// true if the sum of the terms, or its scaling, can overflow 32 bits and wrap
    pub wraps: bool,
    /// contains every positional part
    pub positional: Interval,
    /// contains every PSQT part: half the difference of the two sides
    pub psqt: Interval,
    /// contains every value, for either side to move
    pub value: Interval,
}

/// The possible values of one term of the positional part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermBounds {
    /// the term as text, such as `fc0[15] * 9600 / 8128`
    pub text: String,
    /// contains every value of the neuron
    pub neuron: Interval,
    /// true if the product with the numerator is computed in 32 bits and can wrap
    pub wraps: bool,
    /// contains every value of the term
    pub range: Interval,
}

/// Bounds of the output of `net`, given those of its parts.
pub(super) fn prove(
    net: &NetDesc<'_>,
    psqt: Option<Interval>,
    layers: &[LayerBounds],
) -> OutputBounds {
    let difference = psqt.map_or(Interval::ZERO, |psqt| psqt + psqt.negated());
    let psqt = difference.wrapped_i32().divided(2);
    let (terms, positional, wraps) = match of_floats(net.value) {
        Some(positional) => (Vec::new(), positional, false),
        None => sum_of_terms(net, layers),
    };
    let value = value(net, psqt, positional);
    OutputBounds {
        terms,
        wraps,
        positional,
        psqt,
        value,
    }
}

/// The possible positional parts of a float output, whatever its layers; `None` for an integer output.
fn of_floats(value: ValueDesc) -> Option<Interval> {
    match value {
        ValueDesc::Float { .. } => Some(Interval::I32),
        // Expected scores are in 0..=1; NaN gives 0.
        ValueDesc::Sigmoid { scale } | ValueDesc::Wdl { scale } => {
            let certain = RawOutput::Float(f32::INFINITY).positional(ValueDesc::Sigmoid { scale });
            Some(Interval {
                min: 0,
                max: certain.into(),
            })
        }
        ValueDesc::Together { .. }
        | ValueDesc::Separately { .. }
        | ValueDesc::Scaled { .. }
        | ValueDesc::Shifted { .. } => None,
    }
}

/// The terms, the range of their scaled sum, and whether that can wrap.
fn sum_of_terms(net: &NetDesc<'_>, layers: &[LayerBounds]) -> (Vec<TermBounds>, Interval, bool) {
    let terms: Vec<TermBounds> = net
        .output
        .terms
        .iter()
        .map(|term| of_term(term, &layers[term.layer]))
        .collect();
    let sum = terms
        .iter()
        .map(|term| term.range)
        .fold(Interval::ZERO, |sum, range| sum + range);
    let (positional, ratio_wraps) = scale(sum.wrapped_i32(), net.output.ratio);
    (terms, positional, !sum.fits_i32() || ratio_wraps)
}

fn of_term(term: &OutputTerm, layer: &LayerBounds) -> TermBounds {
    let neuron = layer.outputs[term.neuron].wrapped_i32();
    let (scaled, wraps) = scale(neuron, term.ratio);
    let sign = if term.negative { "-" } else { "" };
    let text = format!(
        "{sign}{}[{}]{}",
        layer.name,
        term.neuron,
        ratio_text(term.ratio)
    );
    TermBounds {
        text,
        neuron,
        wraps,
        range: if term.negative {
            scaled.negated()
        } else {
            scaled
        },
    }
}

/// The values for the side to move, whichever that is.
fn value(net: &NetDesc<'_>, psqt: Interval, positional: Interval) -> Interval {
    let of_first = match net.value {
        ValueDesc::Together { divide } => (psqt + positional).wrapped_i32().divided(divide.into()),
        ValueDesc::Separately { divide } => {
            (psqt.divided(divide.into()) + positional.divided(divide.into())).wrapped_i32()
        }
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => positional,
        ValueDesc::Shifted { bits } => Interval {
            min: positional.min >> bits,
            max: positional.max >> bits,
        },
        ValueDesc::Scaled { num, den } => positional.scaled(num).divided(den).held_to_i32(),
    };
    match net.accumulator.order {
        PerspectiveOrder::SideToMove => of_first,
        PerspectiveOrder::WhiteFirst => of_first.union(of_other_side(net.value, of_first)),
    }
}

/// The values from the other side's point of view. They fit in i32.
fn of_other_side(desc: ValueDesc, values: Interval) -> Interval {
    let seen = |value: i64| i64::from(desc.of_other_side(value as i32));
    Interval {
        min: seen(values.max),
        max: seen(values.min),
    }
}

/// `trunc(x * num / den)` and whether the product can wrap.
fn scale(x: Interval, ratio: Option<Ratio>) -> (Interval, bool) {
    let Some(ratio) = ratio else {
        return (x, false);
    };
    let product = x.scaled(ratio.num);
    if ratio.wide {
        return (
            product.divided(ratio.den).wrapped_i32(),
            !product.divided(ratio.den).fits_i32(),
        );
    }
    (
        product.wrapped_i32().divided(ratio.den),
        !product.fits_i32(),
    )
}

fn ratio_text(ratio: Option<Ratio>) -> String {
    ratio.map_or_else(String::new, |ratio| {
        format!(" * {} / {}", ratio.num, ratio.den)
    })
}
