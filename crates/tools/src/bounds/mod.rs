//! Overflow proofs for loaded weights, valid for all positions.
//!
//! All ranges are over-estimates: they contain every value that at most 32 pieces with one king a side can
//! cause, and usually more. The placement need not be legal (it may have 30 pawns), because programs can fill
//! in a board as they like. So "fits" is proved, while "may not fit" is not. Ranges of sums are those before
//! wrapping. For custom feature sets, the declared `active` is trusted.
//!
//! ```text
//!   feature weights ──► accumulators: fit in i16?     (accumulator: one pass, then the 30 greatest weights where needed)
//!   PSQT weights    ──► PSQT sums: fit in i32?
//!   layer weights   ──► sums of every layer: fit in i32? do pairs of products fit in i16?     (layer)
//!   output terms    ──► does the 32-bit product of a forwarded neuron wrap? what is the range of the value?     (output)
//! ```
//!
//! Exact results do not depend on these proofs: accumulators and sums wrap identically on every level, and
//! dot products are chosen so that they never saturate. The proofs say whether the integers equal what the
//! trainer computed in floats.

mod accumulator;
mod binary;
mod direct;
mod display;
mod geometry;
mod integer;
mod interval;
mod layer;
mod output;
mod pairs;
mod pawn_pairs;
mod words;

use nnue_spec::{LayerKind, NetDesc, TensorRef, TensorRole};

use accumulator::Effort;
pub use accumulator::{AccumulatorBounds, Proof};
pub use interval::Interval;
pub use layer::{LayerBounds, layer};
use nnue_format::{LoadError, LoadErrorKind};
pub use output::{OutputBounds, TermBounds};

/// Ranges of all quantities for the weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// the neurons of an accumulator
    pub accumulator: AccumulatorBounds,
    /// the same for the second perspective if it has separate weights; `accumulator` is then the first
    pub second: Option<AccumulatorBounds>,
    /// the PSQT sums of one perspective; `None` without PSQT
    pub psqt: Option<Interval>,
    /// the layers, in file order
    pub layers: Vec<LayerBounds>,
    /// the output
    pub output: OutputBounds,
}

/// Computes the bounds of `net` with the weights `tensors`, in the order of `net.tensors`.
///
/// Takes one pass over the feature weights, at about memory speed. Neurons for which this pass proves nothing
/// take a second, slower pass.
///
/// # Panics
///
/// If the number, lengths or types of `tensors` do not match `net.tensors`.
pub fn prove(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Bounds {
    prove_with(net, tensors, Effort::Enough)
}

/// As [`prove`], with the tightest possible range of the accumulators. Takes up to a second.
///
/// # Panics
///
/// As [`prove`].
pub fn prove_tightly(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Bounds {
    prove_with(net, tensors, Effort::Full)
}

fn prove_with(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], effort: Effort) -> Bounds {
    nnue_format::assert_shapes(
        net,
        tensors.iter().map(TensorRef::element),
        tensors.iter().map(TensorRef::len),
    );
    let tensor = |role| {
        let index = net.tensors.iter().position(|tensor| tensor.role == role);
        index.map(|index| tensors[index])
    };
    let accumulator = accumulator::prove(net, tensor, 0, effort);
    let second = net
        .accumulator
        .separate
        .then(|| accumulator::prove(net, tensor, 1, effort));
    let psqt = accumulator::prove_psqt(net, tensor);
    let layers: Vec<LayerBounds> = (0..net.layers.len())
        .map(|index| {
            let (bias, weight) = (
                tensor(TensorRole::LayerBias(index)),
                tensor(TensorRole::LayerWeight(index)),
            );
            let (bias, weight) = (
                bias.expect("a layer has a bias"),
                weight.expect("a layer has weights"),
            );
            match net.layers[index].kind {
                _ if net.reads_words(index) => words::prove(net, index, bias, weight),
                LayerKind::Direct => direct::prove(net, index, bias, weight),
                LayerKind::Integer => integer::prove(net, index, bias, weight),
                LayerKind::Float { .. } => LayerBounds::of_floats(net, index),
                LayerKind::Binary => {
                    let scale =
                        tensor(TensorRole::LayerScale(index)).expect("a binary layer has scales");
                    binary::prove(net, index, bias, scale)
                }
                LayerKind::Sparse
                | LayerKind::BlockSparse { .. }
                | LayerKind::Dense
                | LayerKind::Row
                | LayerKind::Rows
                | LayerKind::Words => layer(net, index, bias, weight),
            }
        })
        .collect();
    let output = output::prove(net, psqt, &layers);
    Bounds {
        accumulator,
        second,
        psqt,
        layers,
        output,
    }
}

impl Bounds {
    /// True if no accumulator, PSQT sum or layer sum can wrap in any position.
    pub fn nothing_wraps(&self) -> bool {
        self.wrapping().is_none()
    }

    /// Refuses weights with which an accumulator, a PSQT sum or a layer sum may wrap.
    ///
    /// # Errors
    ///
    /// [`LoadErrorKind::ValueRange`], for the first that may wrap.
    pub fn require_no_wrapping(&self) -> Result<(), LoadError> {
        let Some((tensor, message)) = self.wrapping() else {
            return Ok(());
        };
        Err(LoadError::new(LoadErrorKind::ValueRange, 0, message).with_tensor(tensor))
    }

    /// The first quantity that may wrap: its tensor, and a message.
    fn wrapping(&self) -> Option<(&str, String)> {
        let accumulators = [
            ("ft_weight", Some(&self.accumulator)),
            ("ft_second_weight", self.second.as_ref()),
        ];
        for (tensor, bounds) in accumulators {
            let Some(AccumulatorBounds {
                range, unproven, ..
            }) = bounds.filter(|b| !b.range.fits_i16())
            else {
                continue;
            };
            let neuron = unproven.first().copied().unwrap_or(0);
            let message = format!(
                "`{tensor}`: accumulator neuron {neuron} can reach {range}, more than i16 holds"
            );
            return Some((tensor, message));
        }
        if let Some(range) = self.psqt.filter(|range| !range.fits_i32()) {
            return Some((
                "ft_psqt",
                format!("`ft_psqt`: a PSQT sum can reach {range}, more than i32 holds"),
            ));
        }
        let layer = self.layers.iter().find(|layer| !layer.sums.fits_i32())?;
        let message = format!(
            "`{0}_weight`: a sum of {0} can reach {1}, more than i32 holds",
            layer.name, layer.sums
        );
        Some((&layer.name, message))
    }
}
