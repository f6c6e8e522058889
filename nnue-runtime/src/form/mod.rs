//! The forms in which a layer that reads one buffer of bytes (activations of accumulators or of
//! layers) can be computed, and the choice among them.
//!
//! ```text
//!   shape: inputs, outputs, how many blocks of inputs are not zero ──┐
//!                                                                    ├──► cost of each form ──► the cheapest one
//!   level: what a load, a product, an entry of a list takes (costs) ─┘
//! ```
//!
//! All forms give the same sums. A form determines the order of the prepared weights and whether
//! activations are listed, so [`choose`] selects it once per layer and level, at compile time. The
//! preparation of the weights, the activation kernel and the layer's kernel all call this function.
//!
//! [`Trial`] computes a layer of any size in any form, to compare measured with estimated times.

mod costs;
pub(crate) mod order;
pub(crate) mod passes;
#[cfg(feature = "described")]
mod trial;

use core::fmt;

use nnue_spec::layout::padded_sums;
use nnue_spec::{DEFAULT_NONZERO, NetDesc};

use crate::simd::{AvailableLevel, Level, Simd};
use costs::{Blocks, Costs, Inputs, NEAR_BYTES, SECOND_BYTES};
use passes::{full_passes, last_pass};
#[cfg(feature = "described")]
pub use trial::Trial;

/// A way to compute a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Listed nonzero blocks of four inputs: one dot product of vectors for as many outputs as a
    /// vector has sums.
    ListedBlocks,
    /// All blocks of four inputs, without a list.
    AllBlocks,
    /// Vectors of inputs, with a separate dot product for each output.
    Whole,
    /// Listed nonzero inputs, any four at a time, each with a column of weights: for outputs that
    /// are whole vectors of bytes.
    ListedInputs,
    /// Listed nonzero inputs, any two at a time, in 16 bits: for outputs that are whole vectors of
    /// 16-bit lanes.
    ListedPairs,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 5] = [
        Self::ListedBlocks,
        Self::AllBlocks,
        Self::Whole,
        Self::ListedInputs,
        Self::ListedPairs,
    ];

    /// The name, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ListedBlocks => "listed blocks",
            Self::AllBlocks => "all blocks",
            Self::Whole => "whole vectors",
            Self::ListedInputs => "listed inputs",
            Self::ListedPairs => "listed pairs",
        }
    }

    /// Whether it needs a list of nonzero blocks or inputs, so that its time depends on them.
    pub const fn is_listed(self) -> bool {
        matches!(
            self,
            Self::ListedBlocks | Self::ListedInputs | Self::ListedPairs
        )
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Form {
    /// Whether layers with `outputs` outputs can be computed in this form at a level.
    pub const fn takes(self, level: Level, outputs: usize) -> bool {
        self.takes_outputs(Costs::of(level).bytes, outputs)
    }

    /// [`Self::takes`] for vectors of `bytes` bytes.
    const fn takes_outputs(self, bytes: usize, outputs: usize) -> bool {
        let lanes = match self {
            Self::ListedBlocks | Self::AllBlocks | Self::Whole => 1,
            Self::ListedInputs => bytes,
            Self::ListedPairs => bytes / 2,
        };
        padded_sums(outputs).is_multiple_of(lanes)
    }
}

/// The properties of a layer that its cost depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// bytes of activations, a multiple of 64
    pub inputs: usize,
    /// outputs, without padding
    pub outputs: usize,
    /// expected nonzero blocks of four inputs, per 1000
    pub blocks: usize,
    /// expected nonzero inputs, per 1000
    pub values: usize,
}

/// Expected nonzero values of a layer, per 1000: sums of either sign are clipped at 0.
pub const HIDDEN_VALUES: usize = 500;

/// The expected nonzero blocks per 1000, if `values` of 1000 inputs are nonzero at random places:
/// `1 - (1 - p)^4`.
pub const fn blocks_of(values: usize) -> usize {
    let zero = (1000 - values) as u64;
    1000 - (zero * zero * zero * zero / 1_000_000_000) as usize
}

impl Shape {
    /// The shape of layer `layer` of `net`, if any form may compute it: its only input is one
    /// activation of accumulators, or all lines of one buffer of values of layers.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn of(net: &NetDesc<'_>, layer: usize) -> Option<Self> {
        let desc = &net.layers[layer];
        let (inputs, outputs) = (4 * net.prepared_blocks(layer), desc.outputs);
        if desc.is_sparse_alone() {
            return Some(Self::of_accumulators(
                inputs,
                outputs,
                net.accumulator.nonzero,
            ));
        }
        net.is_dense_alone(layer)
            .then(|| Self::of_layers(inputs, outputs))
    }

    /// The share to declare as `nonzero n%` for accumulators with this share of nonzero blocks.
    pub fn nonzero(self) -> usize {
        (1..=100)
            .min_by_key(|&share| blocks_of(10 * share).abs_diff(self.blocks))
            .unwrap_or(DEFAULT_NONZERO)
    }

    /// A shape that reads activations of accumulators, of which `nonzero` percent are expected to
    /// be nonzero.
    const fn of_accumulators(inputs: usize, outputs: usize, nonzero: usize) -> Self {
        Self::expected(inputs, outputs, 10 * nonzero)
    }

    /// A shape that reads values of layers, whose share of zeros is unknown.
    const fn of_layers(inputs: usize, outputs: usize) -> Self {
        Self::expected(inputs, outputs, HIDDEN_VALUES)
    }

    /// A shape of which `values` of 1000 inputs are expected to be nonzero, at random places.
    const fn expected(inputs: usize, outputs: usize, values: usize) -> Self {
        Self {
            inputs,
            outputs,
            blocks: blocks_of(values),
            values,
        }
    }
}

/// The estimated time of a layer of this shape in a form, from activations in a cache to its sums,
/// in thousandths of a nanosecond on the machine on which the constants of the level were measured.
pub const fn cost(level: Level, form: Form, shape: Shape) -> u64 {
    let costs = Costs::of(level);
    let part = match form {
        Form::ListedBlocks => by_blocks(
            &costs,
            costs.listed,
            shape,
            shape.inputs / 4 * shape.blocks / 1000,
        ),
        Form::AllBlocks => by_blocks(&costs, costs.all, shape, shape.inputs / 4),
        Form::Whole => by_vectors(&costs, shape),
        Form::ListedInputs => by_inputs(&costs, costs.inputs, shape, 4),
        Form::ListedPairs => by_inputs(&costs, costs.pairs, shape, 2),
    };
    // All weights have to stay in a cache, including skipped ones.
    let bytes = padded_sums(shape.outputs) * shape.inputs;
    let far = if bytes > NEAR_BYTES { part.far } else { 0 };
    part.time + far + if bytes > SECOND_BYTES { part.deep } else { 0 }
}

/// The time of a form, and the extra time of its lines of weights if they are not in a near cache.
struct Part {
    time: u64,
    far: u64,
    deep: u64,
}

/// The cost of a form with `blocks` blocks.
const fn by_blocks(costs: &Costs, part: Blocks, shape: Shape, blocks: usize) -> Part {
    let vectors = padded_sums(shape.outputs) * 4 / costs.bytes;
    let each = part.block * vectors.div_ceil(8) as u64 + part.product * vectors as u64;
    let lines = (blocks * padded_sums(shape.outputs) * 4).div_ceil(64) as u64;
    let list = part.list * (shape.inputs / costs.bytes) as u64;
    let time = part.once + part.sums * vectors as u64 + list + each * blocks as u64;
    Part {
        time,
        far: part.far * lines,
        deep: part.deep * lines,
    }
}

const fn by_vectors(costs: &Costs, shape: Shape) -> Part {
    let (part, lanes) = (costs.whole, costs.bytes / 4);
    let full = full_passes(shape.outputs, lanes);
    let (passes, rows) = (
        full as u64 + 1,
        full * lanes + last_pass(shape.outputs, lanes),
    );
    let each = part.vector * passes + part.product * rows as u64;
    let lines = (shape.inputs * rows).div_ceil(64) as u64;
    let time = part.once + part.pass * passes + each * (shape.inputs / costs.bytes) as u64;
    Part {
        time,
        far: part.far * lines,
        deep: part.deep * lines,
    }
}

/// The cost of listed inputs, `together` at a time. A column of weights has runs of as many vectors
/// of sums.
const fn by_inputs(costs: &Costs, part: Inputs, shape: Shape, together: usize) -> Part {
    let blocks = shape.inputs / 4 * shape.blocks / 1000;
    // lists are padded to a multiple of four
    let listed = (shape.inputs * shape.values / 1000).next_multiple_of(4);
    let vectors = padded_sums(shape.outputs) * 4 / costs.bytes;
    let list = part.list * (shape.inputs / costs.bytes) as u64 + part.block * blocks as u64;
    let lines = (listed * padded_sums(shape.outputs)).div_ceil(64) as u64;
    let columns = part.columns * (listed / together * vectors / together) as u64;
    let time = part.once + part.sums * vectors as u64 + list + columns;
    Part {
        time,
        far: part.far * lines,
        deep: part.deep * lines,
    }
}

/// The cheapest form.
pub const fn choose(level: Level, shape: Shape) -> Form {
    let mut best = Form::ALL[0];
    let mut index = 1;
    while index < Form::ALL.len() {
        let form = Form::ALL[index];
        if form.takes(level, shape.outputs) && cost(level, form, shape) < cost(level, best, shape) {
            best = form;
        }
        index += 1;
    }
    best
}

impl AvailableLevel {
    /// The form of layer `layer` of `net` at this level; `None` if there is no choice.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn form(self, net: &NetDesc<'_>, layer: usize) -> Option<Form> {
        Shape::of(net, layer).map(|shape| choose(self.level(), shape))
    }
}

/// The form of a layer of `outputs` outputs whose only input is a buffer of `inputs` activations of
/// accumulators, of which `nonzero` percent are expected to be nonzero.
pub(crate) const fn form_of<S: Simd>(inputs: usize, outputs: usize, nonzero: usize) -> Form {
    assert!(S::BYTES == Costs::of(S::LEVEL).bytes);
    choose(S::LEVEL, Shape::of_accumulators(inputs, outputs, nonzero))
}

/// The form of a layer of `outputs` outputs whose only input is a buffer of `inputs` values of
/// layers.
pub(crate) const fn hidden_form_of<S: Simd>(inputs: usize, outputs: usize) -> Form {
    assert!(S::BYTES == Costs::of(S::LEVEL).bytes);
    choose(S::LEVEL, Shape::of_layers(inputs, outputs))
}

/// Whether the blocks of a buffer of `inputs` activations of accumulators are listed: some layer of
/// at most `outputs` outputs (0: there is none) would read the list, if `nonzero` percent are
/// nonzero.
pub(crate) const fn is_listed<S: Simd>(inputs: usize, outputs: usize, nonzero: usize) -> bool {
    is_listed_at(S::LEVEL, inputs, outputs, nonzero)
}

/// [`is_listed`] at a level that is known only at run time.
pub(crate) const fn is_listed_at(
    level: Level,
    inputs: usize,
    outputs: usize,
    nonzero: usize,
) -> bool {
    let mut fewer = outputs;
    while fewer > 0 {
        if choose(level, Shape::of_accumulators(inputs, fewer, nonzero)).is_listed() {
            return true;
        }
        fewer -= 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const SHAPES: [(usize, usize); 9] = [
        (64, 1),
        (64, 16),
        (128, 5),
        (192, 24),
        (256, 33),
        (1024, 16),
        (320, 130),
        (512, 64),
        (2048, 128),
    ];

    /// Every form on every level of this processor gives the exact sums, even if pair sums do not
    /// fit in 16 bits.
    #[test]
    fn all_forms_give_the_same_sums() {
        let mut random = Random(5);
        for (width, outputs) in SHAPES {
            for (greatest, magnitude) in [(127, 40), (127, 128), (255, 128)] {
                let weights: Vec<i8> = (0..width * outputs)
                    .map(|_| (random.below(2 * magnitude) as i32 - magnitude as i32) as i8)
                    .collect();
                let bias: Vec<i32> = (0..outputs).map(|_| random.i32()).collect();
                for (level, form) in
                    Level::available().flat_map(|level| Form::ALL.map(|form| (level, form)))
                {
                    if !form.takes(level.level(), outputs) {
                        continue;
                    }
                    let mut trial = Trial::new(level, form, &weights, &bias, greatest);
                    for (index, density) in [0, 3, 50, 100].into_iter().enumerate() {
                        let one = usize::from(greatest) + 1;
                        let mut input = || {
                            if random.below(100) < density {
                                random.below(one).max(one - 9) as u8
                            } else {
                                0
                            }
                        };
                        let inputs: Vec<u8> = (0..width - 3).map(|_| input()).collect();
                        trial.add_inputs(&inputs);
                        trial.run(index);
                        let add = |sum: i32, (&w, &x): (&i8, &u8)| {
                            sum.wrapping_add(i32::from(w) * i32::from(x))
                        };
                        let rows = weights.chunks(width).zip(&bias);
                        let expected: Vec<i32> = rows
                            .map(|(row, &bias)| row.iter().zip(&inputs).fold(bias, add))
                            .collect();
                        assert_eq!(
                            trial.sums(),
                            expected,
                            "{form} on {level}, {width} -> {outputs}, {density} %"
                        );
                    }
                }
            }
        }
    }

    /// An activation makes a list if any layer reads it.
    #[test]
    fn what_is_read_is_listed() {
        use crate::simd::Scalar;
        for (inputs, nonzero) in [(64, 16), (1024, 16), (1024, 3), (1024, 90)] {
            assert!(!is_listed::<Scalar>(inputs, 0, nonzero));
            let first =
                (1..=64).find(|&outputs| form_of::<Scalar>(inputs, outputs, nonzero).is_listed());
            for outputs in 1..=64 {
                let is_listed = is_listed::<Scalar>(inputs, outputs, nonzero);
                assert_eq!(
                    is_listed,
                    first.is_some_and(|first| first <= outputs),
                    "{inputs} {outputs} {nonzero} %"
                );
            }
        }
    }

    /// With few declared nonzero values lists are read; with many, none.
    #[test]
    fn what_is_declared_decides() {
        for &level in Level::ALL {
            for outputs in [16, 128] {
                let form = |nonzero| choose(level, Shape::of_accumulators(2048, outputs, nonzero));
                assert!(
                    form(1).is_listed() && !form(100).is_listed(),
                    "{outputs} on {level}"
                );
            }
        }
        assert_eq!(
            [0, 100, 160, 500, 1000].map(blocks_of),
            [0, 344, 503, 938, 1000]
        );
    }

    /// Fewer active blocks make only lists cheaper.
    #[test]
    fn lists_win_where_little_is_active() {
        for &level in Level::ALL {
            let shape = |active| Shape {
                inputs: 4096,
                outputs: 128,
                blocks: active,
                values: active,
            };
            let (few, all) = (shape(20), shape(1000));
            assert!(
                choose(level, few).is_listed() && !choose(level, all).is_listed(),
                "{level}"
            );
            for form in Form::ALL {
                assert_eq!(
                    cost(level, form, few) < cost(level, form, all),
                    form.is_listed(),
                    "{form} on {level}"
                );
            }
        }
    }
}
