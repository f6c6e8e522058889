//! The judge: a slow and plain interpreter of a descriptor.
//!
//! It computes everything from nothing for every position, in 64-bit integers, and wraps exactly where the networks do
//! (accumulators modulo 2^16, PSQT and dense sums modulo 2^32). It shares no code with the kernels, the feature sets or
//! the layouts of the runtime, so that a mistake would have to be made twice to stay hidden.
//!
//! Formulas: fact sheet `stockfish-nnue`, sections 5 and 6.

mod board;
mod feature;
mod forward;
#[cfg(all(test, feature = "compiler"))]
mod tests;

use alloc::vec::Vec;

use crate::descriptor::{NetDesc, TensorRole, ValueDesc};
use crate::tensor::TensorRef;
pub use board::{Board, Piece};
pub use feature::active_features;

/// Everything that happens in one evaluation. Pairs stand for the side to move, then the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// active rows, ascending
    pub features: [Vec<usize>; 2],
    /// accumulators, of both sides even if only one is read
    pub accumulators: [Vec<i16>; 2],
    /// PSQT accumulators; empty without PSQT
    pub psqt_accumulators: [Vec<i32>; 2],
    /// the layers, once per stack
    pub stacks: Vec<StackTrace>,
    /// side to move minus other side, per bucket; empty without PSQT
    pub psqt_diff: Vec<i32>,
    /// half of that, rounded toward zero
    pub psqt: Vec<i32>,
    /// the positional part, per stack
    pub positional: Vec<i32>,
    /// the stack and the PSQT output that this position uses
    pub bucket: usize,
    /// the value in the network's own unit, from the parts of `bucket`
    pub value: i32,
}

/// What one layer stack computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackTrace {
    /// the buffers, as in [`NetDesc::buffers`], without padding
    pub buffers: Vec<Vec<u8>>,
    /// the sums of the layers, as in [`NetDesc::layers`]
    pub sums: Vec<Vec<i32>>,
}

impl Trace {
    /// The PSQT part that counts; 0 without PSQT.
    pub fn used_psqt(&self) -> i32 {
        self.psqt.get(self.bucket).copied().unwrap_or(0)
    }

    /// The positional part that counts.
    pub fn used_positional(&self) -> i32 {
        self.positional[self.bucket]
    }
}

/// Evaluates a position with all layer stacks. `tensors` has the parameters in the order of [`NetDesc::tensors`].
///
/// # Panics
///
/// If the tensors are not those of the descriptor (number, element type, length), if the descriptor is inconsistent, or
/// if the feature set needs kings and a side does not have exactly one.
pub fn evaluate(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Board) -> Trace {
    let parameters = Parameters::new(net, tensors);
    let sides = [board.black_to_move, !board.black_to_move];
    let features = sides.map(|black| active_features(net, board, black));
    let accumulators = [0, 1].map(|side| accumulate(&parameters, &features[side]));
    let psqt_accumulators = [0, 1].map(|side| accumulate_psqt(&parameters, &features[side]));
    let halves = psqt_accumulators[0].iter().zip(&psqt_accumulators[1]);
    let psqt_diff: Vec<i32> = halves.map(|(us, them)| us.wrapping_sub(*them)).collect();
    let psqt: Vec<i32> = psqt_diff.iter().map(|diff| diff / 2).collect();
    let stacks = (0..net.stacks.count).map(|stack| forward::forward(&parameters, &accumulators, stack));
    let stacks: Vec<_> = stacks.collect();
    let positional: Vec<_> = stacks.iter().map(|trace| forward::positional(net, &trace.sums)).collect();
    let bucket = net.stacks.select(board.pieces.len());
    let value = value(net.value, psqt.get(bucket).copied().unwrap_or(0), positional[bucket]);
    Trace { features, accumulators, psqt_accumulators, stacks, psqt_diff, psqt, positional, bucket, value }
}

/// The value from its two parts; divisions truncate, sums wrap.
fn value(desc: ValueDesc, psqt: i32, positional: i32) -> i32 {
    match desc {
        ValueDesc::Together { divide } => psqt.wrapping_add(positional) / divide,
        ValueDesc::Separately { divide } => (psqt / divide).wrapping_add(positional / divide),
    }
}

/// The parameters, to be asked for single elements.
struct Parameters<'a> {
    net: &'a NetDesc<'a>,
    tensors: &'a [TensorRef<'a>],
}

impl<'a> Parameters<'a> {
    fn new(net: &'a NetDesc<'a>, tensors: &'a [TensorRef<'a>]) -> Self {
        assert_eq!(tensors.len(), net.tensors.len(), "number of tensors");
        for (tensor, desc) in tensors.iter().zip(net.tensors) {
            assert_eq!((tensor.element(), tensor.len()), (desc.element, desc.len()), "tensor `{}`", desc.name);
        }
        Self { net, tensors }
    }

    /// Element `[copy][row][col]` of the tensor with this role.
    fn get(&self, role: TensorRole, copy: usize, row: usize, col: usize) -> i64 {
        let index = self.net.tensors.iter().position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        let desc = &self.net.tensors[index];
        i64::from(self.tensors[index].get((copy * desc.rows + row) * desc.cols + col))
    }
}

/// `bias[j] + sum over f of weight[f][j]`, modulo 2^16.
fn accumulate(parameters: &Parameters<'_>, features: &[usize]) -> Vec<i16> {
    let weight = |row, col| parameters.get(TensorRole::TransformerWeight, 0, row, col);
    let neuron = |j| {
        let bias = parameters.get(TensorRole::TransformerBias, 0, 0, j);
        let sum = bias + features.iter().map(|&row| weight(row, j)).sum::<i64>();
        sum as i16 // wraps, as the networks do
    };
    (0..parameters.net.accumulator.width).map(neuron).collect()
}

/// `sum over f of psqt[f][b]`, modulo 2^32; there is no bias.
fn accumulate_psqt(parameters: &Parameters<'_>, features: &[usize]) -> Vec<i32> {
    let weight = |row, bucket| parameters.get(TensorRole::TransformerPsqt, 0, row, bucket);
    let bucket = |b| features.iter().map(|&row| weight(row, b)).sum::<i64>() as i32;
    (0..parameters.net.accumulator.psqt).map(bucket).collect()
}
