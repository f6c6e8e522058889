//! Dense layers: sums of products of u8 activations and i8 weights.
//!
//! ```text
//!   y[o] = bias[o] + sum over k of weight[o][k] * x[k]
//!
//!   acc[..] = bias                              the sums of up to 8 vectors of outputs, in registers
//!   for each block b of four inputs:            sparse: those on the list; dense: all
//!       u = x[4b .. 4b + 4] in every group of four lanes
//!       for each vector v of outputs:
//!           acc[v] = dot(acc[v], u, weights[b][v])
//! ```
//!
//! Layout (`layer.rs`): a block holds four weights of each output, so that one dot product of four-byte groups advances
//! as many outputs as the vector has groups.
//!
//! ```text
//!   weights[b] = | w[0][4b..4b+4] | w[1][4b..4b+4] | .. | w[OUTP-1][4b..4b+4] |       4 * OUTP bytes
//! ```
//!
//! Tricks, in the order of what they save:
//! * A dot product takes several cycles and the next one into the same sums waits for it. With few outputs the blocks are
//!   therefore dealt out to several sets of sums (*chains*), [`Simd::CHAINS`] vectors in flight, added at the end.
//! * Blocks of zeros, about half of them or more in a trained network, are not looked at (the list comes from
//!   `activation.rs`).
//! * Where the instructions go through 16-bit sums of pairs, two blocks share the widening to 32 bits if the weights
//!   allow it ([`Dot::Pair`]).
//! * More outputs than 8 vectors hold are done in passes of 8 vectors.

use super::unroll::unroll;
use crate::layer::{Dot, Layer};
use crate::memory::{Bytes, Sparse, Sums, view, view_mut};
use crate::simd::Simd;

/// Vectors of sums that a pass keeps in registers.
const SLOTS: usize = 8;

/// The sums of a layer that reads the accumulators' activations `x`, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_sparse<
    S: Simd,
    const N: usize,
    const CAP: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    simd: S,
    x: &Sparse<N, CAP>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(BLOCKS == N / 4) }
    affine(simd, layer.start(stack), x.bytes(), Listed(x.blocks()), layer, stack)
}

/// The biases of a layer, in stack `stack`: the sums of a layer that has read nothing yet.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_bias<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
) -> Sums<OUTP> {
    layer.start(stack)
}

/// `sums` plus the products of blocks `FIRST..FIRST + COUNT` of `x` with the prepared blocks `AT..AT + COUNT` of a layer,
/// in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_add<
    S: Simd,
    const NB: usize,
    const FIRST: usize,
    const COUNT: usize,
    const AT: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    simd: S,
    sums: Sums<OUTP>,
    x: &Bytes<NB>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(4 * (FIRST + COUNT) <= NB && AT + COUNT <= BLOCKS) }
    affine(simd, sums, x, Run { first: FIRST, at: AT, len: COUNT }, layer, stack)
}

/// The blocks that a layer reads: which block of the buffer meets which prepared block of weights.
trait Blocks: Copy {
    fn len(self) -> usize;
    /// Blocks `start..start + len`.
    fn part(self, start: usize, len: usize) -> Self;
    /// The block of the buffer and the prepared block of weights.
    fn get(self, index: usize) -> (usize, usize);
}

/// Blocks on a list; the weights are numbered as the buffer.
#[derive(Clone, Copy)]
struct Listed<'a>(&'a [u32]);

impl Blocks for Listed<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        Self(&self.0[start..][..len])
    }

    #[inline(always)]
    fn get(self, index: usize) -> (usize, usize) {
        (self.0[index] as usize, self.0[index] as usize)
    }
}

/// Consecutive blocks, from `first` of the buffer and `at` of the weights.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    at: usize,
    len: usize,
}

impl Blocks for Run {
    #[inline(always)]
    fn len(self) -> usize {
        self.len
    }

    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        Self { first: self.first + start, at: self.at + start, len }
    }

    #[inline(always)]
    fn get(self, index: usize) -> (usize, usize) {
        (self.first + index, self.at + index)
    }
}

/// A way to multiply and add that is exact for the layer.
trait Product {
    /// Blocks that one step takes: 1 or 2.
    const STEP: usize;
    /// One block.
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32;
    /// One step; with `STEP == 1` the two blocks are the same and count once.
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32;
}

struct Pair;

impl Product for Pair {
    const STEP: usize = 2;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot2_u8i8(acc, u, w)
    }
}

struct Single;

impl Product for Single {
    const STEP: usize = 1;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot_u8i8(acc, u[0], w[0])
    }
}

struct Exact;

impl Product for Exact {
    const STEP: usize = 1;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_exact_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot_exact_u8i8(acc, u[0], w[0])
    }
}

/// `sums` plus the products of `blocks`, with the dot product that is exact for the layer.
#[inline(always)]
fn affine<
    S: Simd,
    B: Blocks,
    const NB: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    simd: S,
    sums: Sums<OUTP>,
    x: &Bytes<NB>,
    blocks: B,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
) -> Sums<OUTP> {
    let weights = layer.blocks(stack);
    match layer.dot() {
        _ if S::DOT_IS_EXACT => passes::<S, Exact, B, NB, BLOCKS, OUTP>(simd, sums, x, blocks, weights),
        Dot::Pair => passes::<S, Pair, B, NB, BLOCKS, OUTP>(simd, sums, x, blocks, weights),
        Dot::Single => passes::<S, Single, B, NB, BLOCKS, OUTP>(simd, sums, x, blocks, weights),
        Dot::Exact => passes::<S, Exact, B, NB, BLOCKS, OUTP>(simd, sums, x, blocks, weights),
    }
}

/// Passes of [`SLOTS`] vectors of outputs each, the last one of what is left.
#[inline(always)]
fn passes<S: Simd, P: Product, B: Blocks, const NB: usize, const BLOCKS: usize, const OUTP: usize>(
    simd: S,
    mut sums: Sums<OUTP>,
    x: &Bytes<NB>,
    blocks: B,
    weights: &[[[i8; 4]; OUTP]; BLOCKS],
) -> Sums<OUTP> {
    let all: &mut [S::I32] = view_mut(&mut sums.0);
    let rest = all.len() % SLOTS;
    let (whole, last) = all.split_at_mut(all.len() - rest);
    for (pass, sums) in whole.as_chunks_mut::<SLOTS>().0.iter_mut().enumerate() {
        let weights = Weights::<OUTP, BLOCKS> { blocks: weights, first: pass * SLOTS };
        add_products::<S, P, B, NB, BLOCKS, OUTP>(simd, sums, x, blocks, weights);
    }
    if rest > 0 {
        let weights = Weights::<OUTP, BLOCKS> { blocks: weights, first: whole.len() };
        add_products::<S, P, B, NB, BLOCKS, OUTP>(simd, last, x, blocks, weights);
    }
    sums
}

/// The weights of the outputs from vector `first` on.
#[derive(Clone, Copy)]
struct Weights<'a, const OUTP: usize, const BLOCKS: usize> {
    blocks: &'a [[[i8; 4]; OUTP]; BLOCKS],
    first: usize,
}

impl<'a, const OUTP: usize, const BLOCKS: usize> Weights<'a, OUTP, BLOCKS> {
    /// The weights of a block, vector by vector.
    #[inline(always)]
    fn block<S: Simd>(self, block: usize) -> &'a [S::U8] {
        &view(self.blocks[block].as_flattened())[self.first..]
    }
}

/// `sums[..] +=` the products of `blocks`, at most [`SLOTS`] vectors.
///
/// Slot `chain * vectors + v` of the accumulators is vector `v` of a chain; each round gives every chain a step.
#[inline(always)]
fn add_products<S: Simd, P: Product, B: Blocks, const NB: usize, const BLOCKS: usize, const OUTP: usize>(
    simd: S,
    sums: &mut [S::I32],
    x: &Bytes<NB>,
    blocks: B,
    weights: Weights<OUTP, BLOCKS>,
) {
    let vectors = sums.len();
    let chains = (S::CHAINS / vectors).max(1);
    let round = chains * P::STEP;
    let mut acc = [simd.zero_i32(); SLOTS];
    unroll!(8, |K| if K < vectors {
        acc[K] = sums[K]
    });
    let rounds = blocks.len() / round;
    for i in 0..rounds {
        let blocks = blocks.part(i * round, round);
        unroll!(8, |K| if K < chains * vectors {
            let (chain, vector) = (K / vectors, K % vectors);
            let (x0, w0) = blocks.get(chain * P::STEP);
            let (x1, w1) = blocks.get(chain * P::STEP + P::STEP - 1);
            let u = [simd.splat_u8x4(x.block(x0)), simd.splat_u8x4(x.block(x1))];
            let w = [weights.block::<S>(w0)[vector], weights.block::<S>(w1)[vector]];
            acc[K] = P::step(simd, acc[K], u, w);
        });
    }
    for i in rounds * round..blocks.len() {
        let (x0, w0) = blocks.get(i);
        let u = simd.splat_u8x4(x.block(x0));
        unroll!(8, |K| if K < vectors {
            acc[K] = P::one(simd, acc[K], u, weights.block::<S>(w0)[K])
        });
    }
    add_chains(simd, &mut acc, vectors, chains);
    unroll!(8, |K| if K < vectors {
        sums[K] = acc[K]
    });
}

/// Adds all chains to the first, halving their number: 8, 4, 2, 1.
#[inline(always)]
fn add_chains<S: Simd>(simd: S, acc: &mut [S::I32; SLOTS], vectors: usize, chains: usize) {
    for half in [4, 2, 1] {
        if chains >= 2 * half {
            unroll!(4, |K| if K < half * vectors {
                acc[K] = simd.add_i32(acc[K], acc[K + half * vectors])
            });
        }
    }
}
