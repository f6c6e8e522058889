//! A slow, plain interpreter of a descriptor, against which the kernels are tested.
//!
//! It computes every position from scratch, in 64-bit integers, and wraps exactly where the networks do
//! (accumulators modulo 2^16, PSQT and dense sums modulo 2^32). It shares no code with the kernels, the
//! feature sets or the layouts of the runtime, so that a bug in one of them cannot hide.
//!
//! Activations are defined in [`crate::op`]; `docs/numerics.md` has the other formulas.

mod binary;
mod board;
mod custom;
mod feature;
mod float;
mod formula;
mod forward;
mod pawn_pair;
mod place;
mod position;
#[cfg(feature = "real")]
mod real;
#[cfg(all(test, feature = "compiler"))]
mod tests;
mod threat;

use alloc::vec::Vec;

use crate::descriptor::{ElementType, HeadKind, NetDesc, RawOutput, TensorRole, psqt_difference};
use crate::tensor::TensorRef;
use crate::wdl::Wdl;
pub use board::{Board, Piece};
pub use custom::{CustomActivation, CustomActivations};
pub use feature::active_features;
pub(crate) use feature::rows_of_set;
pub(crate) use float::multiply_add;
pub use position::{Features, Position};

#[cfg(feature = "real")]
pub use real::{Clipping, RealTrace, evaluate_real, evaluate_real_heads, trace_real};

/// All intermediate results of one evaluation. Pairs are in [order](crate::PerspectiveOrder): side to move
/// and other side, or White and Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// active rows, ascending; rows of a second feature set follow those of the first
    pub features: [Vec<usize>; 2],
    /// accumulators of both sides, even if only one is read
    pub accumulators: [Vec<i16>; 2],
    /// PSQT accumulators; empty without PSQT
    pub psqt_accumulators: [Vec<i32>; 2],
    /// the layers, once per stack
    pub stacks: Vec<StackTrace>,
    /// first perspective minus second, per bucket; empty without PSQT
    pub psqt_diff: Vec<i32>,
    /// half of [`Self::psqt_diff`], truncated
    pub psqt: Vec<i32>,
    /// the positional part, per stack
    pub positional: Vec<i32>,
    /// the stack and PSQT output that this position uses
    pub bucket: usize,
    /// the value in the network's unit, for the side to move, from the parts of `bucket`
    pub value: i32,
}

/// The results of one layer stack.
#[derive(Clone, Debug, PartialEq)]
pub struct StackTrace {
    /// the u8 buffers, indexed as [`NetDesc::buffers`], without padding; empty for buffers of other types
    pub buffers: Vec<Vec<u8>>,
    /// the 16-bit buffers; empty for others
    pub words: Vec<Vec<i16>>,
    /// the buffers of 32-bit integers; empty for others
    pub integers: Vec<Vec<i32>>,
    /// the float buffers; empty for others
    pub float_buffers: Vec<Vec<f32>>,
    /// the sums of the layers, indexed as [`NetDesc::layers`]
    pub sums: Vec<Vec<i32>>,
    /// the raw sum of products of the layer that reads the accumulators directly
    pub direct: Option<i64>,
    /// the sums of float layers; empty for others
    pub floats: Vec<Vec<f32>>,
    /// floats of the active features, added to the output neurons; empty if there are none, or if the layers
    /// were evaluated from accumulators without known features
    pub added: Vec<f32>,
}

impl StackTrace {
    /// The output of the last layer before conversion to a value: its terms, added and scaled.
    ///
    /// # Panics
    ///
    /// If the layers of `net` do not match this trace.
    pub fn output(&self, net: &NetDesc<'_>) -> RawOutput {
        forward::output(net, self)
    }

    /// The numbers of the named output `net.heads[index]`: for [`HeadKind::Wdl`], the logits; for
    /// [`HeadKind::Rows`], all computed rows.
    ///
    /// # Panics
    ///
    /// If there is no such output, or if the layers of `net` do not match this trace.
    pub fn head(&self, net: &NetDesc<'_>, index: usize) -> Vec<f32> {
        forward::head(net, self, index)
    }
}

impl Trace {
    /// The PSQT part of `bucket`; 0 without PSQT.
    pub fn used_psqt(&self) -> i32 {
        self.psqt.get(self.bucket).copied().unwrap_or(0)
    }

    /// The positional part of `bucket`.
    pub fn used_positional(&self) -> i32 {
        self.positional[self.bucket]
    }
}

/// Evaluates a position with all layer stacks. `tensors` are in the order of [`NetDesc::tensors`].
///
/// # Panics
///
/// If the tensors do not match the descriptor (number, element type, length), if the descriptor is
/// inconsistent, if it is no position of the network ([`Position::features`]), or if an activation is a
/// function of the program (see [`evaluate_custom`]).
pub fn evaluate(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], position: &dyn Position) -> Trace {
    evaluate_custom(net, tensors, position, &[])
}

/// As [`evaluate`], with activations that are functions of the program.
///
/// # Panics
///
/// As [`evaluate`], and if an activation of the network is missing or of another kind.
pub fn evaluate_custom(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &dyn Position,
    custom: CustomActivations<'_>,
) -> Trace {
    let features = position.features(net);
    let parameters = Parameters::new(net, tensors, custom);
    let trace = evaluate_with(&parameters, features.rows, features.stack);
    Trace {
        value: net.value_of(
            trace.used_psqt(),
            trace.used_positional(),
            features.black_to_move,
        ),
        ..trace
    }
}

/// The parts of the value of a position, for the first perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// the PSQT part; 0 without PSQT
    pub psqt: i32,
    /// output of the last layer of the position's stack
    pub output: RawOutput,
}

/// The parts of the value of [`evaluate`], computing only the position's stack.
///
/// # Panics
///
/// As [`evaluate`].
pub fn evaluate_parts(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &dyn Position,
) -> Parts {
    let Features { rows, stack, .. } = position.features(net);
    let parameters = Parameters::new(net, tensors, &[]);
    let accumulators = [0, 1].map(|side| accumulate(&parameters, side, &rows[side]));
    let [first, second] = [0, 1].map(|side| {
        accumulate_psqt(&parameters, &rows[side])
            .get(stack)
            .copied()
    });
    let psqt = psqt_difference(first.unwrap_or(0), second.unwrap_or(0));
    let mut layers = forward::forward(
        &parameters,
        accumulators.each_ref().map(Vec::as_slice),
        stack,
        Some(&[]),
    );
    layers.added = sum_floats(&parameters, &rows[0]);
    Parts {
        psqt,
        output: layers.output(net),
    }
}

/// The accumulators of the first and the second perspective.
///
/// # Panics
///
/// As [`evaluate`].
pub fn accumulators(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &dyn Position,
) -> [Vec<i16>; 2] {
    let parameters = Parameters::new(net, tensors, &[]);
    let features = position.features(net);
    [0, 1].map(|side| accumulate(&parameters, side, &features.rows[side]))
}

/// As [`evaluate`], for a position of any game, given the active rows of both perspectives and the stack
/// `bucket`. The value is that of the first perspective.
///
/// # Panics
///
/// If the tensors do not match the descriptor (number, element type, length), if the descriptor is
/// inconsistent, or if a row or the stack does not exist.
pub fn evaluate_rows(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    features: [Vec<usize>; 2],
    bucket: usize,
) -> Trace {
    evaluate_with(&Parameters::new(net, tensors, &[]), features, bucket)
}

/// The layers of stack `stack`, from the accumulators of the first and the second perspective.
///
/// # Panics
///
/// As [`evaluate_custom`], and if the accumulators have a wrong width or there is no such stack.
pub fn evaluate_layers(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    accumulators: [&[i16]; 2],
    stack: usize,
    custom: CustomActivations<'_>,
) -> StackTrace {
    assert_eq!(
        accumulators.map(<[i16]>::len),
        [net.accumulator.width; 2],
        "widths of the accumulators"
    );
    forward::forward(
        &Parameters::new(net, tensors, custom),
        accumulators,
        stack,
        None,
    )
}

/// As [`evaluate_layers`], but a layer whose rows are on demand computes the `listed` rows only, in their
/// order.
///
/// # Panics
///
/// As [`evaluate_layers`], and if there is no such row.
pub fn evaluate_listed(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    accumulators: [&[i16]; 2],
    stack: usize,
    listed: &[usize],
) -> StackTrace {
    assert_eq!(
        accumulators.map(<[i16]>::len),
        [net.accumulator.width; 2],
        "widths of the accumulators"
    );
    forward::forward(
        &Parameters::new(net, tensors, &[]),
        accumulators,
        stack,
        Some(listed),
    )
}

/// The numbers of the output `net.heads[head]` in a position, as in
/// [`HeadGoldenDesc::numbers`](crate::HeadGoldenDesc::numbers): for an output of rows, those of the `listed`
/// rows in their order.
///
/// # Panics
///
/// As [`evaluate`], and if there is no such output or row.
pub fn evaluate_head(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &dyn Position,
    head: usize,
    listed: &[usize],
) -> Vec<f32> {
    let [first, second] = accumulators(net, tensors, position);
    let stack = position.features(net).stack;
    let layers = evaluate_listed(net, tensors, [&first, &second], stack, listed);
    let numbers = layers.head(net, head);
    match (net.heads[head].kind, &*numbers) {
        (HeadKind::Wdl, &[loss, draw, win]) => Wdl::new([loss, draw, win]).probabilities().into(),
        _ => numbers,
    }
}

fn evaluate_with(parameters: &Parameters<'_>, features: [Vec<usize>; 2], bucket: usize) -> Trace {
    let net = parameters.net;
    let accumulators = [0, 1].map(|side| accumulate(parameters, side, &features[side]));
    let psqt_accumulators = [0, 1].map(|side| accumulate_psqt(parameters, &features[side]));
    let halves = psqt_accumulators[0].iter().zip(&psqt_accumulators[1]);
    let psqt_diff: Vec<i32> = halves.map(|(us, them)| us.wrapping_sub(*them)).collect();
    let halves = psqt_accumulators[0].iter().zip(&psqt_accumulators[1]);
    let psqt: Vec<i32> = halves
        .map(|(us, them)| psqt_difference(*us, *them))
        .collect();
    let values = accumulators.each_ref().map(Vec::as_slice);
    let added = sum_floats(parameters, &features[0]);
    let layers = |stack| StackTrace {
        added: added.clone(),
        ..forward::forward(parameters, values, stack, None)
    };
    let stacks: Vec<_> = (0..net.stacks.count).map(layers).collect();
    let positional: Vec<_> = stacks
        .iter()
        .map(|trace| trace.output(net).positional(net.value))
        .collect();
    let value = net
        .value
        .join(psqt.get(bucket).copied().unwrap_or(0), positional[bucket]);
    Trace {
        features,
        accumulators,
        psqt_accumulators,
        stacks,
        psqt_diff,
        psqt,
        positional,
        bucket,
        value,
    }
}

/// The parameters, with access to single elements.
struct Parameters<'a> {
    net: &'a NetDesc<'a>,
    tensors: &'a [TensorRef<'a>],
    custom: CustomActivations<'a>,
}

impl<'a> Parameters<'a> {
    fn new(
        net: &'a NetDesc<'a>,
        tensors: &'a [TensorRef<'a>],
        custom: CustomActivations<'a>,
    ) -> Self {
        assert_eq!(tensors.len(), net.tensors.len(), "number of tensors");
        for (tensor, desc) in tensors.iter().zip(net.tensors) {
            assert_eq!(
                (tensor.element(), tensor.len()),
                (desc.element, desc.len()),
                "tensor `{}`",
                desc.name
            );
        }
        Self {
            net,
            tensors,
            custom,
        }
    }

    /// Element `[copy][row][col]` of the tensor with this role.
    fn get(&self, role: TensorRole, copy: usize, row: usize, col: usize) -> i64 {
        let index = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        let desc = &self.net.tensors[index];
        i64::from(self.tensors[index].get((copy * desc.rows + row) * desc.cols + col))
    }
}

impl Parameters<'_> {
    /// As [`Self::get`], for a float tensor.
    fn float(&self, role: TensorRole, copy: usize, row: usize, col: usize) -> f32 {
        let index = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        let desc = &self.net.tensors[index];
        match self.tensors[index] {
            TensorRef::F32(values) => values[(copy * desc.rows + row) * desc.cols + col],
            _ => panic!("tensor `{}` is not made of floats", desc.name),
        }
    }

    /// Whether an integer layer has a float bias, which is added after the conversion of its sums.
    fn has_float_bias(&self, layer: usize) -> bool {
        self.net
            .tensors
            .iter()
            .any(|t| t.role == TensorRole::LayerBias(layer) && t.element == ElementType::F32)
    }
}

/// The set of a row index over all sets, and the row within the set.
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
    let sums = sum_rows(
        parameters,
        features,
        |set| accumulator.weight_of(perspective, set),
        bias,
    );
    sums.into_iter().map(|sum| sum as i16).collect() // wraps, as the networks do
}

/// `sum over f of psqt[f][b]`, modulo 2^32; there is no bias.
fn accumulate_psqt(parameters: &Parameters<'_>, features: &[usize]) -> Vec<i32> {
    let zero = alloc::vec![0; parameters.net.accumulator.psqt];
    let sums = sum_rows(parameters, features, TensorRole::psqt_of, zero);
    sums.into_iter().map(|sum| sum as i32).collect()
}

/// The floats (`psqt 3: f32`) that the rows `features` of the first perspective add to the output neurons:
/// added from zero in ascending order of the rows, sets in order. Empty if the network has none.
///
/// # Panics
///
/// As [`evaluate_rows`].
pub fn feature_floats(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    features: &[usize],
) -> Vec<f32> {
    sum_floats(&Parameters::new(net, tensors, &[]), features)
}

fn sum_floats(parameters: &Parameters<'_>, features: &[usize]) -> Vec<f32> {
    let mut ascending = features.to_vec();
    ascending.sort_unstable();
    let mut sums = alloc::vec![0.0; parameters.net.accumulator.psqt_floats];
    for (set, row) in ascending
        .into_iter()
        .map(|feature| set_of_row(parameters.net, feature))
    {
        for (column, sum) in sums.iter_mut().enumerate() {
            *sum += parameters.float(TensorRole::psqt_of(set), 0, row, column);
        }
    }
    sums
}

/// Adds the rows of `features` to `sums`; `role` gives the tensor of a feature set.
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
