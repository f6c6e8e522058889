//! Sums of block-sparse layers: each nonzero input adds to the blocks of outputs that it reaches.
//!
//! ```text
//!   y[16 * block[i][k] + o] += weight[i][k][o] * x[i]        for each input i, each k of the blocks that it reaches, o < 16
//!
//!   list: the inputs that are not zero
//!   for each input i of the list:
//!       for each block k that it reaches:
//!           u = x[i] at byte k % 4, otherwise 0, in every group of four lanes
//!           sums of that block = dot(sums of that block, u, line k / 4 of the input)
//! ```
//!
//! Layout (`block_sparse.rs`): a line has the weights of four blocks, interleaved by output. So a
//! dot product of groups of four multiplies the input with one of the four blocks, and its sums
//! come out in order; nothing is widened or shuffled. Three of four products are with zero, which
//! costs nothing: no level has a shorter product of single bytes with 32-bit sums.
//!
//! What bounds it: sums are loaded and stored again for each block and input, because their indices
//! are known only at run time; a list of all inputs takes 600 ns for 1024 (`docs/measurements.md`).
//! So it saves memory more than time.

use super::blocks::Blocks;
use super::inputs::Part;
use super::product::{Exact, Product, Single};
use crate::block_sparse::{BLOCKS_OF_LINE, Reached};
use crate::kernel::unroll::unroll;
use crate::layer::Dot;
use crate::memory::{Line, view, view_mut};
use crate::simd::{Simd, Task};

/// Adds the products of inputs to the blocks of sums that they reach.
pub(crate) struct Scattered<'a, B> {
    pub(crate) sums: &'a mut [i32],
    /// the inputs, in blocks of four
    pub(crate) blocks: B,
    /// the index of the first of them among the inputs of the layer
    pub(crate) first: usize,
    pub(crate) reached: &'a Reached,
}

/// Uses the exact dot product, in a separate function because it is rarely needed.
impl<B: Blocks> Task for Scattered<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.add::<S, Exact>(simd);
    }
}

impl<B: Blocks> Scattered<'_, B> {
    /// Uses a dot product that is exact for the inputs.
    #[inline(always)]
    pub(crate) fn add_exactly<S: Simd>(self, simd: S, dot: Dot) {
        match dot {
            Dot::Exact if const { !S::DOT_IS_EXACT } => simd.outline(self),
            _ => self.add::<S, Single>(simd),
        }
    }

    #[inline(always)]
    fn add<S: Simd, D: Product>(self, simd: S) {
        let Self {
            sums,
            blocks,
            first,
            reached,
        } = self;
        let sums: &mut [S::I32] = view_mut(sums);
        let mut part = Part::new();
        let mut at = 0;
        while at < blocks.count() {
            at = part.fill(blocks, at);
            for index in 0..part.len() {
                let (input, value) = part.get(index);
                add_input::<S, D>(simd, sums, first + input, value, reached);
            }
        }
    }
}

/// [`Scattered`] for layers whose sizes are known only at run time.
pub(crate) struct AddScattered<'a, B> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: B,
    pub(crate) first: usize,
    pub(crate) reached: &'a Reached,
    pub(crate) dot: Dot,
}

impl<B: Blocks> Task for AddScattered<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            sums,
            blocks,
            first,
            reached,
            dot,
        } = self;
        Scattered {
            sums,
            blocks,
            first,
            reached,
        }
        .add_exactly(simd, dot);
    }
}

#[inline(always)]
fn add_input<S: Simd, D: Product>(
    simd: S,
    sums: &mut [S::I32],
    input: usize,
    value: u8,
    reached: &Reached,
) {
    // The number of vectors of a line of weights, and of the sums of a block.
    macro_rules! vectors {
        () => {
            const { size_of::<Line>() / S::BYTES }
        };
    }
    let lines = reached.count.div_ceil(BLOCKS_OF_LINE);
    let weights: &[S::U8] = view(&reached.lines[input * lines..][..lines]);
    let blocks = &reached.blocks[input * reached.count..][..reached.count];
    let mut place = 0;
    while place < blocks.len() {
        let u = simd.splat_u8x4(u32::from(value) << (8 * (place % BLOCKS_OF_LINE)));
        let sums = &mut sums[usize::from(blocks[place]) * vectors!()..][..vectors!()];
        let weights = &weights[place / BLOCKS_OF_LINE * vectors!()..][..vectors!()];
        unroll!(4, |K| if const { K < size_of::<Line>() / S::BYTES } {
            sums[K] = D::one(simd, sums[K], u, weights[K])
        });
        place += 1;
    }
}
