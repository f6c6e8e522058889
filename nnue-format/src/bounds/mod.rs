//! Proofs about loaded weights: what can overflow in any position, and what cannot.
//!
//! Everything here over-estimates: a range that is reported contains every value that any legal or illegal placement of
//! at most 32 pieces with one king a side can produce, and usually more. "Fits" is therefore a proof, "may not fit" is
//! not.
//!
//! ```text
//!   feature weights ──► accumulators: fit in i16?     (accumulator: one streaming pass, exact top-30 sums where needed)
//!   PSQT weights    ──► PSQT sums: fit in i32?
//!   layer weights   ──► sums of every layer: fit in i32? do pairs of products fit in i16?     (layer)
//!   output terms    ──► does the 32-bit product of a forward neuron wrap? the range of the value     (output)
//! ```
//!
//! Nothing of this is needed for exact results: accumulators and sums wrap in the same way on every level, and dot
//! products are chosen so that they never saturate. It says whether the numbers mean what the trainer meant.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

mod accumulator;
mod direct;
mod display;
mod geometry;
mod interval;
mod layer;
mod output;
mod pairs;

use nnue_spec::{LayerKind, NetDesc, TensorRef, TensorRole};

use crate::error::{LoadError, LoadErrorKind};
use accumulator::Effort;
pub use accumulator::{AccumulatorBounds, Proof};
pub use interval::Interval;
pub use layer::{LayerBounds, layer};
pub use output::{OutputBounds, TermBounds};

/// What can happen with the weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// the neurons of an accumulator
    pub accumulator: AccumulatorBounds,
    /// those of the second perspective, where it has weights of its own; `accumulator` are those of the first then
    pub second: Option<AccumulatorBounds>,
    /// the PSQT sums of one perspective; `None` without PSQT
    pub psqt: Option<Interval>,
    /// the layers, in file order
    pub layers: Vec<LayerBounds>,
    /// the output
    pub output: OutputBounds,
}

/// Proves what can be proved about the weights `tensors` of `net`, which are those of `net.tensors` in the same order.
///
/// One pass over the feature weights, at about the speed of memory; a network whose accumulators that pass cannot prove
/// takes a second, slower one over the neurons concerned.
///
/// # Panics
///
/// If `tensors` are not as many, as long and of the types that `net.tensors` says.
pub fn prove(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Bounds {
    prove_with(net, tensors, Effort::Enough)
}

/// As [`prove`], with the tightest range of the accumulators that this module can find. Takes up to a second.
///
/// # Panics
///
/// As [`prove`].
pub fn prove_tightly(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Bounds {
    prove_with(net, tensors, Effort::Full)
}

fn prove_with(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], effort: Effort) -> Bounds {
    crate::reader::assert_shapes(net, tensors.iter().map(TensorRef::element), tensors.iter().map(TensorRef::len));
    let tensor = |role| {
        let index = net.tensors.iter().position(|tensor| tensor.role == role);
        index.map(|index| tensors[index])
    };
    let accumulator = accumulator::prove(net, tensor, 0, effort);
    let second = net.accumulator.separate.then(|| accumulator::prove(net, tensor, 1, effort));
    let psqt = accumulator::prove_psqt(net, tensor);
    let layers: Vec<LayerBounds> = (0..net.layers.len())
        .map(|index| {
            let (bias, weight) = (tensor(TensorRole::LayerBias(index)), tensor(TensorRole::LayerWeight(index)));
            let (bias, weight) = (bias.expect("a layer has a bias"), weight.expect("a layer has weights"));
            match net.layers[index].kind {
                LayerKind::Direct => direct::prove(net, index, bias, weight),
                LayerKind::Float { .. } => LayerBounds::of_floats(net, index),
                LayerKind::Sparse | LayerKind::Dense | LayerKind::Row => layer(net, index, bias, weight),
            }
        })
        .collect();
    let output = output::prove(net, psqt, &layers);
    Bounds { accumulator, second, psqt, layers, output }
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
    /// [`LoadErrorKind::ValueRange`], naming the first that may.
    pub fn require_no_wrapping(&self) -> Result<(), LoadError> {
        let Some((tensor, message)) = self.wrapping() else { return Ok(()) };
        Err(LoadError::new(LoadErrorKind::ValueRange, 0, message).with_tensor(tensor))
    }

    /// The first thing that may wrap: the tensor to blame and a sentence.
    fn wrapping(&self) -> Option<(&str, String)> {
        let accumulators = [("ft_weight", Some(&self.accumulator)), ("ft_second_weight", self.second.as_ref())];
        for (tensor, bounds) in accumulators {
            let Some(AccumulatorBounds { range, unproven, .. }) = bounds.filter(|b| !b.range.fits_i16()) else {
                continue;
            };
            let neuron = unproven.first().copied().unwrap_or(0);
            let message = format!("`{tensor}`: accumulator neuron {neuron} can reach {range}, more than i16 holds");
            return Some((tensor, message));
        }
        if let Some(range) = self.psqt.filter(|range| !range.fits_i32()) {
            return Some(("ft_psqt", format!("`ft_psqt`: a PSQT sum can reach {range}, more than i32 holds")));
        }
        let layer = self.layers.iter().find(|layer| !layer.sums.fits_i32())?;
        let message = format!("`{0}_weight`: a sum of {0} can reach {1}, more than i32 holds", layer.name, layer.sums);
        Some((&layer.name, message))
    }
}
