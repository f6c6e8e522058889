//! Bounds of the output: its terms, the positional part, the value.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::{NetDesc, Ratio, ValueDesc};

use super::interval::Interval;
use super::layer::LayerBounds;

/// What the output can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputBounds {
    /// the terms of the positional part, in order
    pub terms: Vec<TermBounds>,
    /// true if the sum of the terms, or its scaling, can leave 32 bits and wrap
    pub wraps: bool,
    /// contains every positional part
    pub positional: Interval,
    /// contains every PSQT part: half the difference of the two sides
    pub psqt: Interval,
    /// contains every value
    pub value: Interval,
}

/// What one term of the positional part can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermBounds {
    /// as `fc0[15] * 9600 / 8128`
    pub text: String,
    /// contains every value of the neuron
    pub neuron: Interval,
    /// true if the product with the numerator is taken in 32 bits and can wrap
    pub wraps: bool,
    /// contains every value of the term
    pub range: Interval,
}

/// Bounds of the output of `net`, given those of its parts.
pub(super) fn prove(net: &NetDesc<'_>, psqt: Option<Interval>, layers: &[LayerBounds]) -> OutputBounds {
    let terms: Vec<TermBounds> = net
        .output
        .terms
        .iter()
        .map(|term| {
            let layer = &layers[term.layer];
            let neuron = layer.outputs[term.neuron].wrapped_i32();
            let (scaled, wraps) = scale(neuron, term.ratio);
            let sign = if term.negative { "-" } else { "" };
            let text = format!("{sign}{}[{}]{}", layer.name, term.neuron, ratio_text(term.ratio));
            TermBounds { text, neuron, wraps, range: if term.negative { scaled.negated() } else { scaled } }
        })
        .collect();
    let sum = terms.iter().map(|term| term.range).fold(Interval::ZERO, |sum, range| sum + range);
    let (positional, ratio_wraps) = scale(sum.wrapped_i32(), net.output.ratio);
    let difference = psqt.map_or(Interval::ZERO, |psqt| psqt + psqt.negated());
    let psqt = difference.wrapped_i32().divided(2);
    let value = match net.value {
        ValueDesc::Together { divide } => (psqt + positional).wrapped_i32().divided(divide.into()),
        ValueDesc::Separately { divide } => psqt.divided(divide.into()) + positional.divided(divide.into()),
        // Nothing is proved about floats.
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => Interval::I32,
        ValueDesc::Scaled { num, den } => positional.scaled(num).divided(den).held_to_i32(),
    };
    OutputBounds { terms, wraps: !sum.fits_i32() || ratio_wraps, positional, psqt, value }
}

/// `trunc(x * num / den)` and whether the product can wrap.
fn scale(x: Interval, ratio: Option<Ratio>) -> (Interval, bool) {
    let Some(ratio) = ratio else { return (x, false) };
    let product = x.scaled(ratio.num);
    if ratio.wide {
        return (product.divided(ratio.den).wrapped_i32(), !product.divided(ratio.den).fits_i32());
    }
    (product.wrapped_i32().divided(ratio.den), !product.fits_i32())
}

fn ratio_text(ratio: Option<Ratio>) -> String {
    ratio.map_or_else(String::new, |ratio| format!(" * {} / {}", ratio.num, ratio.den))
}
