//! Block-sparse layers: the functions that generated code calls. The computation is in
//! `affine/scattered.rs`.

use super::affine::blocks::All;
use super::affine::scattered::Scattered;
use super::numbers::{AtBlock, Blocks, Readers};
use crate::block_sparse::BlockSparseLayer;
use crate::form::is_listed;
use crate::layer::Bias;
use crate::memory::{Bytes, Sparse, Sums};
use crate::simd::Simd;

/// The biases of a block-sparse layer, in stack `stack`: its sums before any input.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn block_sparse_bias<const FILE_IN: usize, const OUT: usize, const STACKS: usize, B: Bias>(
    layer: &BlockSparseLayer<FILE_IN, OUT, STACKS, B>,
    stack: usize,
) -> Sums<OUT> {
    Sums(*layer.start(stack))
}

/// Adds the products of the accumulators' activations `x` with the weights of a block-sparse layer,
/// from block `AT` of its inputs on, to `sums`, in stack `stack`. `LISTED`, the most sums of a
/// layer that reads the blocks of `x`, decides whether they are listed.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn block_sparse_listed<
    S: Simd,
    const AT: usize,
    const LISTED: usize,
    const N: usize,
    const CAP: usize,
    const NONZERO: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    B: Bias,
>(
    simd: S,
    mut sums: Sums<OUT>,
    x: &Sparse<N, CAP, NONZERO>,
    layer: &BlockSparseLayer<FILE_IN, OUT, STACKS, B>,
    stack: usize,
    _: AtBlock<AT>,
    _: Readers<LISTED>,
) -> Sums<OUT> {
    let (first, reached) = (4 * AT, layer.reached(stack));
    if const { is_listed::<S>(N, LISTED, NONZERO) } {
        Scattered {
            sums: &mut sums.0,
            blocks: x.list(),
            first,
            reached,
        }
        .add_exactly(simd, layer.dot());
    } else {
        let blocks = All::<true>(x.bytes().blocks());
        Scattered {
            sums: &mut sums.0,
            blocks,
            first,
            reached,
        }
        .add_exactly(simd, layer.dot());
    }
    sums
}

/// Adds the products of blocks `FIRST..FIRST + COUNT` of `x` with the weights of a block-sparse
/// layer, from block `AT` of its inputs on, to `sums`, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn block_sparse_add<
    S: Simd,
    const NB: usize,
    const FIRST: usize,
    const COUNT: usize,
    const AT: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
>(
    simd: S,
    mut sums: Sums<OUT>,
    x: &Bytes<NB>,
    layer: &BlockSparseLayer<FILE_IN, OUT, STACKS>,
    stack: usize,
    _: Blocks<FIRST, COUNT>,
    _: AtBlock<AT>,
) -> Sums<OUT> {
    const { assert!(4 * (FIRST + COUNT) <= NB) }
    let (blocks, first) = (All::<false>(&x.blocks()[FIRST..][..COUNT]), 4 * AT);
    Scattered {
        sums: &mut sums.0,
        blocks,
        first,
        reached: layer.reached(stack),
    }
    .add_exactly(simd, layer.dot());
    sums
}
