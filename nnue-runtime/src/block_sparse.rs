//! Block-sparse layers: each input reaches a few blocks of 16 outputs, and has no weights for the
//! others.
//!
//! ```text
//!   file:      weight[stack][output][input]              like that of any layer: zero where an input does not reach
//!   prepared:  blocks[stack][input][reached]             the numbers of the blocks that an input reaches
//!              lines[stack][input][reached / 4][16][4]   the weights of four blocks in a line: 16 groups of four bytes, byte k of
//!                                                        group o for output o of the k-th of these blocks
//! ```
//!
//! Preparation finds the blocks that each input reaches, separately for each stack: those with a
//! nonzero weight. Inputs that reach fewer blocks are padded with zero weights for block 0, so that
//! all inputs have the same count.

use alloc::vec;
use alloc::vec::Vec;
use core::array;

use nnue_spec::layout::OUTPUT_BLOCK;
use nnue_spec::{LayerKind, NetDesc};

use crate::layer::{Bias, Dot, columns, greatest_input, takes};
use crate::memory::{Line, Tensor};
use crate::simd::Level;

/// Blocks whose weights share a line.
pub(crate) const BLOCKS_OF_LINE: usize = 4;

/// A block-sparse layer of `OUT` outputs, a multiple of 16, whose rows have `FILE_IN` columns in
/// the file, in `STACKS` copies.
#[derive(Clone, Debug)]
pub struct BlockSparseLayer<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    B: Bias = i32,
> {
    /// bias of each output; for float layers a float that is not part of the integer sums
    pub bias: Tensor<[B; OUT], STACKS>,
    /// weights as in the file, with zeros; columns after the last input are padding
    pub weight: Tensor<[[i8; FILE_IN]; OUT], STACKS>,
    start: Tensor<[i32; OUT], STACKS>,
    reached: [Reached; STACKS],
    dot: Dot,
}

/// The weights of a stack, only for the blocks that inputs reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// blocks per input
    pub(crate) count: usize,
    /// `[input][count]`; each is below the number of blocks of the layer
    pub(crate) blocks: Vec<u16>,
    /// `[input][count / BLOCKS_OF_LINE, rounded up]`
    pub(crate) lines: Vec<Line>,
}

impl<const FILE_IN: usize, const OUT: usize, const STACKS: usize, B: Bias>
    BlockSparseLayer<FILE_IN, OUT, STACKS, B>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const { assert!(OUT.is_multiple_of(OUTPUT_BLOCK), "outputs are whole blocks") }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            start: Tensor::zeroed(),
            reached: array::from_fn(|_| Reached::default()),
            dot: Dot::Single,
        }
    }

    /// Prepares the copies that the kernel reads at `level` from [`Self::bias`] and
    /// [`Self::weight`], for layer `layer` of `net`.
    ///
    /// # Panics
    ///
    /// If `net` has no such layer or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc<'_>, layer: usize, level: Level) {
        let (desc, columns) = (&net.layers[layer], columns(net, layer, level));
        let is_this = matches!(desc.kind, LayerKind::BlockSparse { .. });
        assert!(
            is_this && (desc.file_inputs, desc.outputs) == (FILE_IN, OUT),
            "layer {layer} has another shape"
        );
        // Only one input of each group of four is not zero: products are never added in pairs, and
        // each fits in 16 bits.
        self.dot = if takes(level, greatest_input(net, layer)) {
            Dot::Single
        } else {
            Dot::Exact
        };
        for stack in 0..STACKS {
            self.start[stack]
                .iter_mut()
                .zip(&self.bias[stack])
                .for_each(|(start, bias)| *start = bias.start());
            self.reached[stack] = Reached::of(&self.weight[stack], &columns);
        }
    }

    #[inline(always)]
    pub(crate) fn dot(&self) -> Dot {
        self.dot
    }

    #[inline(always)]
    pub(crate) fn start(&self, stack: usize) -> &[i32; OUT] {
        &self.start[stack]
    }

    #[inline(always)]
    pub(crate) fn reached(&self, stack: usize) -> &Reached {
        &self.reached[stack]
    }
}

impl Reached {
    /// Collects the blocks that each input reaches from the weight rows. `columns` has the weight
    /// column of each input; inputs without a column reach none.
    pub(crate) fn of<R: AsRef<[i8]>>(weight: &[R], columns: &[Option<usize>]) -> Self {
        let blocks = weight.chunks(OUTPUT_BLOCK);
        let reaches = |column: usize| {
            let blocks = blocks.clone().enumerate();
            blocks
                .filter(move |(_, rows)| rows.iter().any(|row| row.as_ref()[column] != 0))
                .map(|(block, _)| block)
        };
        let count = columns
            .iter()
            .flatten()
            .map(|&column| reaches(column).count())
            .max()
            .unwrap_or(0);
        let lines = count.div_ceil(BLOCKS_OF_LINE);
        let mut prepared = Self {
            count,
            blocks: vec![0; columns.len() * count],
            lines: vec![bytemuck::Zeroable::zeroed(); columns.len() * lines],
        };
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut prepared.lines);
        for (input, &column) in columns.iter().enumerate() {
            let Some(column) = column else { continue };
            for (place, block) in reaches(column).enumerate() {
                prepared.blocks[input * count + place] = block as u16;
                let line = input * lines + place / BLOCKS_OF_LINE;
                for (output, row) in weight[block * OUTPUT_BLOCK..][..OUTPUT_BLOCK]
                    .iter()
                    .enumerate()
                {
                    let byte =
                        (line * OUTPUT_BLOCK + output) * BLOCKS_OF_LINE + place % BLOCKS_OF_LINE;
                    bytes[byte] = row.as_ref()[column];
                }
            }
        }
        prepared
    }
}
