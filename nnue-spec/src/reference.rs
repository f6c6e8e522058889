//! The judge: a slow and plain interpreter of a descriptor.
//!
//! It computes everything from nothing for every position, in 64-bit integers, and wraps exactly where the networks do
//! (accumulators modulo 2^16, PSQT and dense sums modulo 2^32). It shares no code with the kernels, the feature sets or
//! the layouts of the runtime, so that a mistake would have to be made twice to stay hidden.
//!
//! Formulas: fact sheet `stockfish-nnue`, sections 5 and 6.

mod board;
mod feature;
mod float;
mod forward;
mod own;
mod pawn_pair;
mod real;
#[cfg(all(test, feature = "compiler"))]
mod tests;
mod threat;

use alloc::vec::Vec;

use crate::descriptor::{ElementType, NetDesc, TensorRole, ValueDesc};
use crate::tensor::TensorRef;
pub use board::{Board, Piece};
pub use feature::active_features;
pub use own::{OwnActivation, OwnActivations};
pub use real::evaluate_real;

/// Everything that happens in one evaluation. Pairs stand for the side to move, then the other side; in a network whose
/// [order](crate::PerspectiveOrder) says so, for White, then Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// active rows, ascending; those of a second feature set stand behind all rows of the first
    pub features: [Vec<usize>; 2],
    /// accumulators, of both sides even if only one is read
    pub accumulators: [Vec<i16>; 2],
    /// PSQT accumulators; empty without PSQT
    pub psqt_accumulators: [Vec<i32>; 2],
    /// the layers, once per stack
    pub stacks: Vec<StackTrace>,
    /// first perspective minus second, per bucket; empty without PSQT
    pub psqt_diff: Vec<i32>,
    /// half of that, rounded toward zero
    pub psqt: Vec<i32>,
    /// the positional part, per stack
    pub positional: Vec<i32>,
    /// the stack and the PSQT output that this position uses
    pub bucket: usize,
    /// the value in the network's own unit, from the parts of `bucket` and the side to move's point of view
    pub value: i32,
}

/// What one layer stack computes.
#[derive(Clone, Debug, PartialEq)]
pub struct StackTrace {
    /// the buffers, as in [`NetDesc::buffers`], without padding; those of floats are empty
    pub buffers: Vec<Vec<u8>>,
    /// the sums of the layers, as in [`NetDesc::layers`]
    pub sums: Vec<Vec<i32>>,
    /// of the layer that reads the accumulators themselves, the sum of the products before anything is done to it
    pub direct: Option<i64>,
    /// the sums of the layers of floats; empty for other layers
    pub floats: Vec<Vec<f32>>,
}

impl StackTrace {
    /// The output of a network of floats before it becomes a value: its terms, added in order.
    ///
    /// # Panics
    ///
    /// If the layers of `net` are not of floats, or others than those of this trace.
    pub fn float_output(&self, net: &NetDesc<'_>) -> f32 {
        float::output(net, &self.floats)
    }
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
/// if the feature set needs kings and a side does not have exactly one; if an activation is a function of the program, which
/// [`evaluate_own`] is given.
pub fn evaluate(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Board) -> Trace {
    evaluate_own(net, tensors, board, &[])
}

/// As [`evaluate`], with the activations that are functions of the program.
///
/// # Panics
///
/// As [`evaluate`], and if an activation of the network is missing or of another kind.
pub fn evaluate_own(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Board, own: OwnActivations<'_>) -> Trace {
    let black_first = net.accumulator.order.begins_with_black(board.black_to_move);
    let features = [black_first, !black_first].map(|black| active_features(net, board, black));
    let parameters = Parameters::new(net, tensors, own);
    let trace = evaluate_with(&parameters, features, net.stacks.select(board.pieces.len()));
    if black_first == board.black_to_move {
        trace
    } else {
        Trace { value: net.value.of_other_side(trace.value), ..trace }
    }
}

/// As [`evaluate`], of the position of any game in which the rows `features` are active, for the first and the second
/// perspective, and which uses stack `bucket`. The value is from the point of view of the first.
///
/// # Panics
///
/// If the tensors are not those of the descriptor (number, element type, length), if the descriptor is inconsistent, or if
/// there is no such row or stack.
pub fn evaluate_rows(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], features: [Vec<usize>; 2], bucket: usize) -> Trace {
    evaluate_with(&Parameters::new(net, tensors, &[]), features, bucket)
}

fn evaluate_with(parameters: &Parameters<'_>, features: [Vec<usize>; 2], bucket: usize) -> Trace {
    let net = parameters.net;
    let accumulators = [0, 1].map(|side| accumulate(parameters, side, &features[side]));
    let psqt_accumulators = [0, 1].map(|side| accumulate_psqt(parameters, &features[side]));
    let halves = psqt_accumulators[0].iter().zip(&psqt_accumulators[1]);
    let psqt_diff: Vec<i32> = halves.map(|(us, them)| us.wrapping_sub(*them)).collect();
    let psqt: Vec<i32> = psqt_diff.iter().map(|diff| diff / 2).collect();
    let stacks = (0..net.stacks.count).map(|stack| forward::forward(parameters, &accumulators, stack));
    let stacks: Vec<_> = stacks.collect();
    let positional: Vec<_> = stacks.iter().map(|trace| forward::positional(net, trace)).collect();
    let value = value(net.value, psqt.get(bucket).copied().unwrap_or(0), positional[bucket]);
    Trace { features, accumulators, psqt_accumulators, stacks, psqt_diff, psqt, positional, bucket, value }
}

/// The value from its two parts; divisions truncate, sums wrap.
pub fn value(desc: ValueDesc, psqt: i32, positional: i32) -> i32 {
    match desc {
        ValueDesc::Together { divide } => psqt.wrapping_add(positional) / divide,
        ValueDesc::Separately { divide } => (psqt / divide).wrapping_add(positional / divide),
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => positional,
        ValueDesc::Scaled { num, den } => forward::held_to_i32(i64::from(positional) * num / den),
    }
}

/// The parameters, to be asked for single elements.
struct Parameters<'a> {
    net: &'a NetDesc<'a>,
    tensors: &'a [TensorRef<'a>],
    own: OwnActivations<'a>,
}

impl<'a> Parameters<'a> {
    fn new(net: &'a NetDesc<'a>, tensors: &'a [TensorRef<'a>], own: OwnActivations<'a>) -> Self {
        assert_eq!(tensors.len(), net.tensors.len(), "number of tensors");
        for (tensor, desc) in tensors.iter().zip(net.tensors) {
            assert_eq!((tensor.element(), tensor.len()), (desc.element, desc.len()), "tensor `{}`", desc.name);
        }
        Self { net, tensors, own }
    }

    /// Element `[copy][row][col]` of the tensor with this role.
    fn get(&self, role: TensorRole, copy: usize, row: usize, col: usize) -> i64 {
        let index = self.net.tensors.iter().position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        let desc = &self.net.tensors[index];
        i64::from(self.tensors[index].get((copy * desc.rows + row) * desc.cols + col))
    }
}

impl Parameters<'_> {
    /// As [`Self::get`], of a tensor of floats.
    fn float(&self, role: TensorRole, copy: usize, row: usize, col: usize) -> f32 {
        let index = self.net.tensors.iter().position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        let desc = &self.net.tensors[index];
        match self.tensors[index] {
            TensorRef::F32(values) => values[(copy * desc.rows + row) * desc.cols + col],
            _ => panic!("tensor `{}` is not made of floats", desc.name),
        }
    }

    /// Whether a layer of whole numbers has its bias in floats, where it is added later.
    fn has_float_bias(&self, layer: usize) -> bool {
        self.net.tensors.iter().any(|t| t.role == TensorRole::LayerBias(layer) && t.element == ElementType::F32)
    }
}

/// The set of a row that counts all sets, and the row in that set.
fn set_of_row(net: &NetDesc<'_>, mut row: usize) -> (usize, usize) {
    for (set, feature) in net.features.iter().enumerate() {
        if row < feature.rows {
            return (set, row);
        }
        row -= feature.rows;
    }
    panic!("`{}` has no such row", net.name)
}

/// `bias[j] + sum over f of weight[f][j]`, modulo 2^16, with the weights of perspective `perspective`.
fn accumulate(parameters: &Parameters<'_>, perspective: usize, features: &[usize]) -> Vec<i16> {
    let accumulator = parameters.net.accumulator;
    let bias = |j| parameters.get(accumulator.bias_of(perspective), 0, 0, j);
    let bias = (0..accumulator.width).map(bias).collect();
    let sums = sum_rows(parameters, features, |set| accumulator.weight_of(perspective, set), bias);
    sums.into_iter().map(|sum| sum as i16).collect() // wraps, as the networks do
}

/// `sum over f of psqt[f][b]`, modulo 2^32; there is no bias.
fn accumulate_psqt(parameters: &Parameters<'_>, features: &[usize]) -> Vec<i32> {
    let zero = alloc::vec![0; parameters.net.accumulator.psqt];
    let sums = sum_rows(parameters, features, TensorRole::psqt_of, zero);
    sums.into_iter().map(|sum| sum as i32).collect()
}

/// Adds the rows of `features` to `sums`; `role` names the tensor of a feature set.
fn sum_rows(
    parameters: &Parameters<'_>,
    features: &[usize],
    role: impl Fn(usize) -> TensorRole,
    mut sums: Vec<i64>,
) -> Vec<i64> {
    for &feature in features {
        let (set, row) = set_of_row(parameters.net, feature);
        for (column, sum) in sums.iter_mut().enumerate() {
            *sum += parameters.get(role(set), 0, row, column);
        }
    }
    sums
}
