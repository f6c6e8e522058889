//! Layers of 32-bit integers: tensors in file order and a copy that the kernels read.
//!
//! ```text
//!   file:         weight[stack][output][input]
//!   prepared:     columns[stack][line of 16 outputs][input][16 outputs]     an input is multiplied by the weights of a line
//!         pairs   columns[stack][line of 16 outputs][input / 2][16 outputs][2]     if all inputs and weights fit in i16
//!   IntegerRow:   row[stack][input]                                         one output: a line of inputs at once
//! ```
//!
//! The copies hold 32-bit weights, or pairs of 16-bit weights, which are half as long. Outputs of
//! `columns` and inputs of `row` are padded to whole lines with zero weights.

use nnue_spec::{LayerKind, NetDesc, TensorRef};

use crate::memory::{Number, Tensor};
use crate::simd::Level;

/// Integers of a line: a vector of the widest level.
pub(crate) const LANES: usize = 16;

/// A layer of `OUT` outputs that reads `IN` integers, in `STACKS` copies. The prepared weights have
/// `LINES` lines of outputs.
#[derive(Clone, Debug)]
pub struct IntegerLayer<
    T: Number,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const LINES: usize,
> {
    /// bias of each output
    pub bias: Tensor<[i32; OUT], STACKS>,
    /// weights as in the file
    pub weight: Tensor<[[T; IN]; OUT], STACKS>,
    start: Tensor<[[i32; LANES]; LINES], STACKS>,
    columns: Tensor<[[[i32; LANES]; IN]; LINES], STACKS>,
    /// whether the columns are pairs
    pairs: bool,
}

impl<T: Number, const IN: usize, const OUT: usize, const STACKS: usize, const LINES: usize>
    IntegerLayer<T, IN, OUT, STACKS, LINES>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const { assert!(OUT <= LANES * LINES, "outputs padded to whole lines") }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            start: Tensor::zeroed(),
            columns: Tensor::zeroed(),
            pairs: false,
        }
    }

    /// Prepares the copies that the kernels read; they are the same for every level.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer` or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, _: Level) {
        assert_shape(net, layer, IN, OUT);
        self.pairs = are_pairs(net, layer, self.weight.tensor());
        for stack in 0..STACKS {
            self.start[stack].as_flattened_mut()[..OUT].copy_from_slice(&self.bias[stack]);
            let weights = of_stack(self.weight.tensor(), stack, IN * OUT);
            let columns = self.columns[stack].as_flattened_mut().as_flattened_mut();
            fill_columns(columns, IN, self.pairs, weights);
        }
    }

    #[inline(always)]
    pub(crate) fn start(&self, stack: usize) -> &[i32] {
        self.start[stack].as_flattened()
    }

    #[inline(always)]
    pub(crate) fn columns(&self, stack: usize) -> Columns<'_> {
        Columns {
            weights: self.columns[stack].as_flattened().as_flattened(),
            inputs: IN,
            pairs: self.pairs,
        }
    }
}

/// The prepared weights of a stack.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) weights: &'a [i32],
    pub(crate) inputs: usize,
    /// whether each 32 bits are the weights of two inputs
    pub(crate) pairs: bool,
}

/// A layer with one output that reads `IN` integers, in `STACKS` copies. The prepared weights have
/// `INP` inputs (a multiple of 16).
#[derive(Clone, Debug)]
pub struct IntegerRow<T: Number, const IN: usize, const STACKS: usize, const INP: usize> {
    /// bias
    pub bias: Tensor<[i32; 1], STACKS>,
    /// weights as in the file
    pub weight: Tensor<[[T; IN]; 1], STACKS>,
    row: Tensor<[i32; INP], STACKS>,
}

impl<T: Number, const IN: usize, const STACKS: usize, const INP: usize>
    IntegerRow<T, IN, STACKS, INP>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                INP.is_multiple_of(LANES) && IN <= INP,
                "inputs padded to whole lines"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            row: Tensor::zeroed(),
        }
    }

    /// Prepares the copy that the kernel reads; it is the same for every level.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer` or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, _: Level) {
        assert_shape(net, layer, IN, 1);
        for stack in 0..STACKS {
            let weights = of_stack(self.weight.tensor(), stack, IN);
            self.row[stack]
                .iter_mut()
                .zip(weights)
                .for_each(|(to, weight)| *to = weight);
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self, stack: usize) -> &[i32; INP] {
        &self.row[stack]
    }
}

/// The `each` weights of a stack, in file order.
pub(crate) fn of_stack(
    weights: TensorRef<'_>,
    stack: usize,
    each: usize,
) -> impl Iterator<Item = i32> {
    (stack * each..(stack + 1) * each).map(move |at| weights.get(at))
}

/// Whether all inputs and weights of a layer fit in i16.
pub(crate) fn are_pairs(net: &NetDesc<'_>, layer: usize, weights: TensorRef<'_>) -> bool {
    let fits = |number: i32| i16::try_from(number).is_ok();
    let inputs = net.layers[layer].segments.iter();
    let mut ranges = inputs.map(|segment| net.range_of(segment.buffer));
    ranges.all(|(least, most)| fits(least) && fits(most))
        && (0..weights.len()).all(|at| fits(weights.get(at)))
}

/// Fills lines of 16 outputs with weights in file order, `inputs` for each output.
pub(crate) fn fill_columns(
    columns: &mut [i32],
    inputs: usize,
    pairs: bool,
    weights: impl Iterator<Item = i32>,
) {
    columns.fill(0);
    let together = if pairs { 2 } else { 1 };
    for (at, weight) in weights.enumerate() {
        let (output, input) = (at / inputs, at % inputs);
        let line = output / LANES * inputs.div_ceil(together) + input / together;
        let lane = line * LANES + output % LANES;
        match pairs {
            true => bytemuck::cast_slice_mut(columns)[2 * lane + input % 2] = weight as i16,
            false => columns[lane] = weight,
        }
    }
}

fn assert_shape(net: &NetDesc<'_>, layer: usize, inputs: usize, outputs: usize) {
    let desc = &net.layers[layer];
    let suits = desc.kind == LayerKind::Integer && (desc.inputs, desc.outputs) == (inputs, outputs);
    assert!(suits, "layer {layer} has another shape");
}
