//! Sums by single nonzero inputs, any four at a time.
//!
//! ```text
//!   list: the inputs that are not zero, from the list of blocks, filled up to a multiple of four with inputs of value 0
//!   for each four inputs i, j, k, l of the list:
//!       u = x[i] x[j] x[k] x[l] in every group of four lanes
//!       for each run of as many outputs as a vector has bytes:
//!           columns i, j, k, l of the weights, interleaved by bytes, are four vectors of products:
//!
//!           | i0 i1 i2 .. |      | i0 j0 i1 j1 .. |      | i0 j0 k0 l0  i1 j1 k1 l1 .. |
//!           | j0 j1 j2 .. |  ->  | k0 l0 k1 l1 .. |  ->  acc[v] = dot(acc[v], u, that)
//!           | k0 ..       |      zip_u8               zip_u16
//!           | l0 ..       |
//! ```
//!
//! Layout (`form/order.rs`): a column of weights for each input. Interleaving works within 16
//! bytes, so the outputs of a run are in the order in which the sums come out.
//!
//! A block of four inputs is read if one is nonzero, a column only if its input is: if few inputs
//! are nonzero, this reads up to four times fewer weights than blocks. It pays off with many
//! outputs, because the list of inputs is up to four times longer.

use super::blocks::Blocks;
use super::product::{Exact, Product, Single};
use crate::kernel::unroll::unroll;
use crate::layer::Dot;
use crate::memory::{BlockList, Line, view, view_mut};
use crate::simd::{Simd, Task};

/// The most inputs that are listed at once. Each part of the list is applied to all outputs.
const PART: usize = 256;

/// Adds the products of the nonzero inputs to the sums, whole vectors of outputs.
pub(crate) struct Inputs<'a> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: BlockList<'a>,
    pub(crate) weights: &'a [Line],
}

/// Uses the exact dot product, in a separate function because it is rarely needed.
impl Task for Inputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.add::<S, Exact>(simd);
    }
}

impl Inputs<'_> {
    /// Uses a dot product that is exact for the weights: products of any two inputs may be added in
    /// pairs.
    #[inline(always)]
    pub(crate) fn add_exactly<S: Simd>(self, simd: S, dot: Dot) {
        match dot {
            Dot::Exact if const { !S::DOT_IS_EXACT } => simd.outline(self),
            _ => self.add::<S, Single>(simd),
        }
    }

    #[inline(always)]
    fn add<S: Simd, D: Product>(self, simd: S) {
        let sums: &mut [S::I32] = view_mut(self.sums);
        let sums = sums.as_chunks_mut::<4>().0;
        let weights: &[S::U8] = view(self.weights);
        let mut part = Part::new();
        let mut at = 0;
        while at < self.blocks.len() {
            at = part.fill(self.blocks, at);
            for run in 0..sums.len() {
                sums[run] = add_run::<S, D>(simd, sums[run], &part, weights, sums.len(), run);
            }
        }
    }
}

/// Nonzero inputs, in groups of four.
pub(super) struct Part {
    /// indices of the inputs
    numbers: [u32; PART],
    values: [u8; PART],
    /// the length of both, a multiple of four
    len: usize,
}

impl Part {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            numbers: [0; PART],
            values: [0; PART],
            len: 0,
        }
    }

    /// Lists the nonzero inputs of the blocks from `at` on, as many as fit, and returns the next
    /// block.
    #[inline(always)]
    pub(super) fn fill(&mut self, blocks: impl Blocks, mut at: usize) -> usize {
        let mut len = 0;
        while at < blocks.count() && len <= PART - 4 {
            let (block, values) = blocks.block(at);
            // every input is written, but counted only if nonzero: no branch depends on data
            for k in 0..4 {
                self.numbers[len % PART] = 4 * u32::from(block) + k;
                self.values[len % PART] = values[k as usize];
                len += usize::from(values[k as usize] != 0);
            }
            at += 1;
        }
        while !len.is_multiple_of(4) {
            self.values[len] = 0;
            len += 1;
        }
        self.len = len;
        at
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The input indices and values, two at a time.
    #[inline(always)]
    pub(super) fn pairs(&self) -> impl Iterator<Item = ([u32; 2], [u8; 2])> {
        let (numbers, values) = (&self.numbers[..self.len], &self.values[..self.len]);
        numbers
            .as_chunks()
            .0
            .iter()
            .copied()
            .zip(values.as_chunks().0.iter().copied())
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> (usize, u8) {
        (self.numbers[index] as usize, self.values[index])
    }
}

/// Adds the products of a part of the list to a run of outputs. Columns have `stride` runs.
#[inline(always)]
fn add_run<S: Simd, D: Product>(
    simd: S,
    sums: [S::I32; 4],
    part: &Part,
    weights: &[S::U8],
    stride: usize,
    run: usize,
) -> [S::I32; 4] {
    let mut acc = sums;
    let numbers = part.numbers[..part.len].as_chunks::<4>().0;
    let values = part.values[..part.len].as_chunks::<4>().0;
    for (numbers, values) in numbers.iter().zip(values) {
        let u = simd.splat_u8x4(u32::from_le_bytes(*values));
        let [i, j, k, l] = *numbers;
        let [low_ij, high_ij] = simd.zip_u8(
            weights[i as usize * stride + run],
            weights[j as usize * stride + run],
        );
        let [low_kl, high_kl] = simd.zip_u8(
            weights[k as usize * stride + run],
            weights[l as usize * stride + run],
        );
        let [first, second] = simd.zip_u16(low_ij, low_kl);
        let [third, fourth] = simd.zip_u16(high_ij, high_kl);
        let w = [first, second, third, fourth];
        unroll!(4, |K| acc[K] = D::one(simd, acc[K], u, w[K]));
    }
    acc
}
