//! Dense layers: tensors in file order and a copy that the kernels read, prepared once for a level.
//!
//! ```text
//!   file:      weight[stack][output][input]            row by row
//!   Layer:     blocks[stack][block][output][4]         a block is four consecutive bytes of a buffer: one dot product
//!                                                      of four-byte groups advances all outputs by four inputs
//!              [stack][pass][vector][output][byte]   where a level reads a layer whole: a vector of inputs at once (`form`), and so on
//!   RowsLayer: rows[stack][output][byte]               one output, or few of many: the weights lie as the buffers do
//! ```
//!
//! Buffer bytes without a weight column (outside the segment, padding) get the weight zero. In
//! buffers made from accumulators the 8-byte groups are in the order in which the level's pack
//! instruction leaves them; the columns of the prepared weights are permuted to match.

use alloc::vec::Vec;

use nnue_spec::op::Pairs;
use nnue_spec::{LayerKind, NetDesc, Source};

use crate::form::order::Order;
use crate::form::{Form, Shape, choose};
use crate::memory::{Number, Tensor};
use crate::simd::Level;

/// The fastest dot product that is exact for a layer's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dot {
    /// [`crate::simd::Simd::dot2_u8i8`]: the products of any two blocks, added in pairs, fit in i16
    Pair,
    /// [`crate::simd::Simd::dot_u8i8`]: the products of each block, added in pairs, fit in i16
    Single,
    /// [`crate::simd::Simd::dot_exact_u8i8`]: any weights and inputs
    Exact,
}

/// The type of a bias.
pub trait Bias: Number {
    /// The start value of an integer sum.
    fn start(self) -> i32;
}

impl Bias for i32 {
    fn start(self) -> i32 {
        self
    }
}

/// A float bias is added to the sum after its conversion to a float.
impl Bias for f32 {
    fn start(self) -> i32 {
        0
    }
}

/// A dense layer of `OUT` outputs whose rows have `FILE_IN` columns in the file, in `STACKS`
/// copies. The prepared weights have `BLOCKS` blocks of inputs and `OUTP` outputs (a multiple of
/// 16).
#[derive(Clone, Debug)]
pub struct Layer<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias = i32,
> {
    /// bias of each output; for float layers a float that is not part of the integer sums
    pub bias: Tensor<[B; OUT], STACKS>,
    /// weights as in the file; columns after the last input are padding
    pub weight: Tensor<[[i8; FILE_IN]; OUT], STACKS>,
    start: Tensor<[i32; OUTP], STACKS>,
    blocks: Tensor<[[[i8; 4]; OUTP]; BLOCKS], STACKS>,
    /// one per stack: the weights of each stack may allow a different one
    dots: [Dot; STACKS],
}

impl<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias,
> Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                OUTP.is_multiple_of(16) && OUT <= OUTP,
                "outputs padded to whole vectors"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            start: Tensor::zeroed(),
            blocks: Tensor::zeroed(),
            dots: [Dot::Pair; STACKS],
        }
    }

    /// Prepares the copies that the kernels read at `level` from [`Self::bias`] and
    /// [`Self::weight`], for layer `layer` of `net`.
    ///
    /// # Panics
    ///
    /// If `net` has no such layer or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, level: Level) {
        let prepare = Preparation::of(net, layer, level);
        assert!(
            prepare.inputs() == 4 * BLOCKS && net.layers[layer].outputs == OUT,
            "layer {layer} has another shape"
        );
        for stack in 0..STACKS {
            self.start[stack]
                .iter_mut()
                .zip(&self.bias[stack])
                .for_each(|(start, bias)| *start = bias.start());
            let prepared = self.blocks[stack].as_flattened_mut().as_flattened_mut();
            self.dots[stack] = prepare.blocks(&self.weight[stack], prepared);
        }
    }

    /// The dot product that the kernels use in a stack.
    ///
    /// # Panics
    ///
    /// If there is no such stack.
    #[inline(always)]
    pub fn dot(&self, stack: usize) -> Dot {
        self.dots[stack]
    }

    #[inline(always)]
    pub(crate) fn start(&self, stack: usize) -> &[i32; OUTP] {
        &self.start[stack]
    }

    #[inline(always)]
    pub(crate) fn blocks(&self, stack: usize) -> &[[[i8; 4]; OUTP]; BLOCKS] {
        &self.blocks[stack]
    }
}

/// A layer of `OUT` outputs, each computed by a separate dot product, in `STACKS` copies. Rows have
/// `FILE_IN` columns in the file and `BYTES` weights as prepared.
#[derive(Clone, Debug)]
pub struct RowsLayer<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BYTES: usize,
> {
    /// bias of each output
    pub bias: Tensor<[i32; OUT], STACKS>,
    /// weights as in the file; columns after the last input are padding
    pub weight: Tensor<[[i8; FILE_IN]; OUT], STACKS>,
    rows: Tensor<[[i8; BYTES]; OUT], STACKS>,
    dot: Dot,
}

/// A layer with one output.
pub type RowLayer<const FILE_IN: usize, const STACKS: usize, const BYTES: usize> =
    RowsLayer<FILE_IN, 1, STACKS, BYTES>;

impl<const FILE_IN: usize, const OUT: usize, const STACKS: usize, const BYTES: usize>
    RowsLayer<FILE_IN, OUT, STACKS, BYTES>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                BYTES.is_multiple_of(64),
                "a row is whole vectors of the widest level"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            rows: Tensor::zeroed(),
            dot: Dot::Single,
        }
    }

    /// Prepares the copy that the kernels read at `level` from [`Self::weight`], for layer `layer`
    /// of `net`.
    ///
    /// # Panics
    ///
    /// If `net` has no such layer or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, level: Level) {
        let prepare = Preparation::of(net, layer, level);
        assert!(
            prepare.inputs() == BYTES && net.layers[layer].outputs == OUT,
            "layer {layer} has another shape"
        );
        let rows = self
            .rows
            .iter_mut()
            .flatten()
            .zip(self.weight.iter().flatten());
        let dots = rows.map(|(row, weight)| prepare.row(weight, row));
        self.dot = dots.max().unwrap_or(Dot::Single);
    }

    /// The dot product that the kernels use; never [`Dot::Pair`].
    #[inline(always)]
    pub fn dot(&self) -> Dot {
        self.dot
    }

    #[inline(always)]
    pub(crate) fn rows(&self, stack: usize) -> &[[i8; BYTES]; OUT] {
        &self.rows[stack]
    }
}

/// How the weights of a layer are prepared for a level.
pub(crate) struct Preparation {
    /// the weight column of each input byte
    columns: Vec<Option<usize>>,
    level: Level,
    order: Order,
    greatest: i32,
}

impl Preparation {
    /// Layer `layer` of `net` must exist.
    pub(crate) fn of(net: &NetDesc, layer: usize, level: Level) -> Self {
        let form = Shape::of(net, layer).map_or(Form::AllBlocks, |shape| choose(level, shape));
        Self::in_form(net, layer, level, form)
    }

    /// [`Self::of`] with a form that the caller chooses.
    pub(crate) fn in_form(net: &NetDesc, layer: usize, level: Level, form: Form) -> Self {
        let columns = columns(net, layer, level);
        let (inputs, outputs) = (columns.len(), net.layers[layer].outputs);
        let order = Order {
            form,
            bytes: level.facts().bytes,
            inputs,
            outputs,
        };
        Self {
            columns,
            level,
            order,
            greatest: greatest_input(net, layer),
        }
    }

    /// The number of input bytes.
    pub(crate) fn inputs(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn form(&self) -> Form {
        self.order.form
    }

    /// Prepares the rows of a stack in the order of the form, and returns the dot product that is
    /// exact for all of them.
    pub(crate) fn blocks<R: AsRef<[i8]>>(&self, weight: &[R], prepared: &mut [i8]) -> Dot {
        let mut dot = fastest_dot(self.level, self.form(), self.greatest);
        for (output, row) in weight.iter().map(AsRef::as_ref).enumerate() {
            let blocks = self
                .columns
                .as_chunks()
                .0
                .iter()
                .map(|block| block.map(|at| at.map_or(0, |at| row[at])));
            dot = dot.max(exact_dot(blocks.clone(), self.greatest));
            self.order.set_row(prepared, output, blocks.flatten());
        }
        dot
    }

    /// Prepares one row of a [`RowsLayer`], and returns the dot product that is exact for it.
    pub(crate) fn row(&self, weight: &[i8], prepared: &mut [i8]) -> Dot {
        for (prepared, column) in prepared.iter_mut().zip(&self.columns) {
            *prepared = column.map_or(0, |column| weight[column]);
        }
        let dot = if takes(self.level, self.greatest) {
            Dot::Single
        } else {
            Dot::Exact
        };
        dot.max(exact_dot(
            prepared.as_chunks().0.iter().copied(),
            self.greatest,
        ))
    }
}

/// The fastest dot product for inputs up to `greatest`, if the weights allow it. With listed
/// inputs, the products of any two inputs may be added.
pub(crate) fn fastest_dot(level: Level, form: Form, greatest: i32) -> Dot {
    let all_fit = form != Form::ListedInputs || greatest <= 127;
    if takes(level, greatest) && all_fit {
        Dot::Pair
    } else {
        Dot::Exact
    }
}

/// Whether the level's fast dot products accept inputs up to `greatest`.
pub(crate) fn takes(level: Level, greatest: i32) -> bool {
    greatest <= level.facts().dot_limit.into()
}

/// The weight column of each input byte of a layer, segment after segment; `None` where there is
/// none.
pub(crate) fn columns(net: &NetDesc, layer: usize, level: Level) -> Vec<Option<usize>> {
    let desc = &net.layers[layer];
    let mut columns = Vec::new();
    for (index, segment) in desc.segments.iter().enumerate() {
        let bytes = match desc.kind {
            LayerKind::Row | LayerKind::Rows => 0..net.buffer_bytes(segment.buffer),
            LayerKind::Sparse
            | LayerKind::BlockSparse { .. }
            | LayerKind::Dense
            | LayerKind::Words
            | LayerKind::Integer
            | LayerKind::Direct
            | LayerKind::Binary
            | LayerKind::Float { .. } => {
                let blocks = net.segment_blocks(layer, index);
                4 * blocks.start..4 * blocks.end
            }
        };
        let order = value_order(net, segment.buffer, level);
        let first = desc.segment_column(index);
        columns.extend(bytes.map(|byte| {
            let value = order.get(byte)?.checked_sub(segment.start)?;
            (value < segment.len).then_some(first + value)
        }));
    }
    columns
}

/// The index of the value at each byte of a buffer, without padding.
pub(crate) fn value_order(net: &NetDesc, buffer: usize, level: Level) -> Vec<usize> {
    let desc = &net.buffers[buffer];
    if desc.source != Source::Accumulator || is_of_neighbours(net, buffer) {
        return (0..desc.len).collect();
    }
    let half = desc.len / net.accumulator.perspectives;
    let order = level.pack_order(half);
    (0..desc.len)
        .map(|byte| {
            let (start, byte) = (byte / half * half, byte % half);
            let (vector, group) = (byte / 8 / order.len(), byte / 8 % order.len());
            start + 8 * (vector * order.len() + order[group]) + byte % 8
        })
        .collect()
}

/// Whether accumulators are packed from pairs of neighbours, which keeps their order.
fn is_of_neighbours(net: &NetDesc, buffer: usize) -> bool {
    let operation = net
        .activation_of(buffer)
        .and_then(|(activation, _)| activation.operation());
    operation.is_some_and(|operation| operation.pairs == Some(Pairs::Neighbours))
}

/// The greatest value in the input buffers of a layer.
pub(crate) fn greatest_input(net: &NetDesc, layer: usize) -> i32 {
    net.layers[layer]
        .segments
        .iter()
        .map(|segment| net.buffers[segment.buffer].max)
        .max()
        .unwrap_or(0)
}

/// The fastest dot product that is exact for the weights of one output, with inputs of
/// `0..=greatest`.
///
/// A block has two pairs of products. The sum of a pair is greatest where the inputs of its
/// positive weights are `greatest` and the others 0, and least in the opposite case. The
/// instructions add pair 0 to pair 0 and pair 1 to pair 1 of any two blocks, so the two most
/// extreme sums in each direction decide.
pub(crate) fn exact_dot(blocks: impl Iterator<Item = [i8; 4]>, greatest: i32) -> Dot {
    let mut farthest = [[0; 2]; 4];
    for block in blocks {
        for (pair, weights) in block.as_chunks::<2>().0.iter().enumerate() {
            let [a, b] = weights.map(i32::from);
            for (sign, sum) in [a.max(0) + b.max(0), a.min(0) + b.min(0)]
                .into_iter()
                .enumerate()
            {
                let [first, second] = &mut farthest[2 * sign + pair];
                let sum = (greatest * sum).abs();
                (*first, *second) = ((*first).max(sum), (*second).max(sum.min(*first)));
            }
        }
    }
    let limits = [32767, 32767, 32768, 32768];
    let fits = |sum: fn([i32; 2]) -> i32| {
        farthest
            .into_iter()
            .zip(limits)
            .all(|(two, limit)| sum(two) <= limit)
    };
    if fits(|[first, second]| first + second) {
        Dot::Pair
    } else if fits(|[first, _]| first) {
        Dot::Single
    } else {
        Dot::Exact
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dot_product_is_chosen_by_the_worst_inputs() {
        let dot = |blocks: &[[i8; 4]], greatest| exact_dot(blocks.iter().copied(), greatest);
        assert_eq!(dot(&[[64, 65, 0, 0], [64, 64, 0, 0]], 127), Dot::Pair);
        assert_eq!(dot(&[[64, 65, 0, 0], [64, 66, 0, 0]], 127), Dot::Single);
        assert_eq!(dot(&[[64, 65, 0, 0], [0, 0, 64, 66]], 127), Dot::Pair);
        assert_eq!(
            dot(&[[127, 127, -128, -128], [0, 0, -2, 0]], 127),
            Dot::Pair
        );
        assert_eq!(
            dot(&[[127, 127, -128, -128], [0, 0, -3, 0]], 127),
            Dot::Single
        );
        assert_eq!(dot(&[[-128, -128, 127, 127]], 127), Dot::Pair);
        assert_eq!(dot(&[[64, 64, 0, 0]], 255), Dot::Pair);
        assert_eq!(dot(&[[64, 65, 0, 0]], 255), Dot::Exact);
        assert_eq!(dot(&[[-64, -64, 0, 0], [-64, -65, 0, 0]], 255), Dot::Exact);
        assert_eq!(dot(&[[-64, -64, 0, 0], [-1, 0, 0, 0]], 255), Dot::Single);
    }
}
