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
//! Whole buffers have their weights as `[pass][vector of inputs][output][byte]`, a pass being as many outputs as a vector
//! has sums.
//!
//! Tried on a Zen 5 with AVX-512 VNNI, 132 of 256 blocks: listed blocks 44 ns, all blocks in the layout above 57 ns, rows of
//! whole vectors 30 ns. SFNNv9, 216 of 768 blocks: 57 to 64 ns, 1.2 cycles per block, two loads each. Within 3 %: indices
//! loaded two or four at a time, or unchecked; 4, 8 or 16 chains; the list padded with blocks of zeros instead of a loop for
//! the last blocks (the end of the loop is mispredicted, but the processor is a hundred blocks behind by then); the four bytes
//! of each block compressed into a list too and broadcast from registers, one load less.
//!
//! Tricks, in the order of what they save:
//! * A dot product takes several cycles and the next one into the same sums waits for it. With few outputs the blocks are
//!   therefore dealt out to several sets of sums (*chains*), [`Simd::CHAINS`] vectors in flight, added at the end.
//! * Blocks of zeros, about half of them or more in a trained network, are not looked at (the list comes from
//!   `activation.rs`).
//! * Of a small layer (SFNNv5's first one) everything is read, zero or not: with a vector of inputs at once and the
//!   weights of each output in a row there is one load per dot product, no list, and no branch that depends on data.
//! * Where the instructions go through 16-bit sums of pairs, two blocks share the widening to 32 bits if the weights
//!   allow it ([`Dot::Pair`]).
//! * More outputs than 8 vectors hold are done in passes of 8 vectors.

use super::unroll::unroll;
use crate::layer::{Bias, Dot, Layer};
use crate::memory::{Bytes, Sparse, Sums, view, view_mut};
use crate::simd::{Simd, Task, reads_whole};

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
    B: Bias,
>(
    simd: S,
    x: &Sparse<N, CAP>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(BLOCKS == N / 4) }
    if const { reads_whole::<S>(N, OUTP) } {
        return whole(simd, layer.start(stack), x.bytes(), layer.blocks(stack));
    }
    let (sums, blocks) = (layer.start(stack), Listed(x.blocks()));
    Affine { sums, x: x.bytes(), blocks, weights: layer.blocks(stack) }.add_exactly(simd, layer.dot(stack))
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
    let blocks = Run { first: FIRST, at: AT, len: COUNT };
    Affine { sums, x, blocks, weights: layer.blocks(stack) }.add_exactly(simd, layer.dot(stack))
}

/// `sums` plus the products of all of `x`: a vector of inputs at once for as many outputs as a vector has sums. Then the
/// lanes of each output's products are added up.
#[inline(always)]
fn whole<S: Simd, const NB: usize, const BLOCKS: usize, const OUTP: usize>(
    simd: S,
    mut sums: Sums<OUTP>,
    x: &Bytes<NB>,
    weights: &[[[i8; 4]; OUTP]; BLOCKS],
) -> Sums<OUTP> {
    const { assert!(S::DENSE_WEIGHTS == 0 || S::DOT_IS_EXACT && S::BYTES == 64) }
    let x: &[S::U8] = view(&x.0);
    let weights: &[S::U8] = view(weights.as_flattened().as_flattened());
    let passes = weights.chunks_exact(16 * x.len());
    for (sums, weights) in view_mut::<S::I32, _>(&mut sums.0).iter_mut().zip(passes) {
        let mut acc = [simd.zero_i32(); 16];
        for (x, weights) in x.iter().zip(weights.as_chunks::<16>().0) {
            unroll!(16, |K| acc[K] = simd.dot_u8i8(acc[K], *x, weights[K]));
        }
        *sums = simd.add_i32(*sums, simd.reduce_each_i32(acc));
    }
    sums
}

/// The blocks that a layer reads: which block of the buffer meets which prepared block of weights.
trait Blocks: Copy {
    /// Whether there are so many that taking two at once is worth the code.
    const MANY: bool;
    fn len(self) -> usize;
    /// Blocks `start..start + len`.
    fn part(self, start: usize, len: usize) -> Self;
    /// The block of the buffer and the prepared block of weights.
    fn get(self, index: usize) -> (usize, usize);
}

/// Blocks on a list; the weights are numbered as the buffer.
#[derive(Clone, Copy)]
struct Listed<'a>(&'a [u16]);

impl Blocks for Listed<'_> {
    const MANY: bool = true;

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
        (self.0[index].into(), self.0[index].into())
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
    const MANY: bool = false;

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

/// A way to multiply and add.
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

/// `sums` plus the products of `blocks` of `x` with `weights`.
struct Affine<'a, B, const NB: usize, const BLOCKS: usize, const OUTP: usize> {
    sums: Sums<OUTP>,
    x: &'a Bytes<NB>,
    blocks: B,
    weights: &'a [[[i8; 4]; OUTP]; BLOCKS],
}

/// With the exact dot product: rarely needed, so in a function of its own.
impl<B: Blocks, const NB: usize, const BLOCKS: usize, const OUTP: usize> Task for Affine<'_, B, NB, BLOCKS, OUTP> {
    type Output = Sums<OUTP>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sums<OUTP> {
        self.add::<S, Exact>(simd)
    }
}

impl<B: Blocks, const NB: usize, const BLOCKS: usize, const OUTP: usize> Affine<'_, B, NB, BLOCKS, OUTP> {
    /// With a dot product that is exact for the weights.
    #[inline(always)]
    fn add_exactly<S: Simd>(self, simd: S, dot: Dot) -> Sums<OUTP> {
        if S::DOT_IS_EXACT {
            return self.add::<S, Single>(simd);
        }
        match dot {
            Dot::Exact => simd.outline(self),
            Dot::Pair if B::MANY => self.add::<S, Pair>(simd),
            Dot::Pair | Dot::Single => self.add::<S, Single>(simd),
        }
    }

    /// Passes of [`SLOTS`] vectors of outputs each, the last one of what is left.
    #[inline(always)]
    fn add<S: Simd, D: Product>(mut self, simd: S) -> Sums<OUTP> {
        let vectors = const { OUTP * 4 / S::BYTES };
        for first in (0..vectors - vectors % SLOTS).step_by(SLOTS) {
            self.pass::<S, D, false>(simd, first);
        }
        if const { !(OUTP * 4 / S::BYTES).is_multiple_of(SLOTS) } {
            self.pass::<S, D, true>(simd, vectors - vectors % SLOTS);
        }
        self.sums
    }

    /// The outputs of [`SLOTS`] vectors, or of fewer in the last pass, from vector `first` on.
    ///
    /// Slot `chain * vectors + v` of the accumulators is vector `v` of a chain; each round gives every chain a step.
    #[inline(always)]
    fn pass<S: Simd, D: Product, const LAST: bool>(&mut self, simd: S, first: usize) {
        macro_rules! vectors {
            () => {
                const {
                    let rest = OUTP * 4 / S::BYTES % SLOTS;
                    if LAST && rest > 0 { rest } else { SLOTS }
                }
            };
        }
        macro_rules! chains {
            () => {
                const { if S::CHAINS < vectors!() { 1 } else { S::CHAINS / vectors!() } }
            };
        }
        let Self { x, blocks, weights, .. } = *self;
        let round = chains!() * D::STEP;
        let rounds = blocks.len() / round;
        let sums = &mut view_mut::<S::I32, _>(&mut self.sums.0)[first..];
        let mut acc = [simd.zero_i32(); SLOTS];
        unroll!(8, |K| if const { K < vectors!() } {
            acc[K] = sums[K]
        });
        for i in 0..rounds {
            let blocks = blocks.part(i * round, round);
            unroll!(8, |K| if const { K < chains!() * vectors!() } {
                let (chain, vector) = const { (K / vectors!(), K % vectors!()) };
                let (x0, w0) = blocks.get(chain * D::STEP);
                let (x1, w1) = blocks.get(chain * D::STEP + D::STEP - 1);
                let u = [simd.splat_u8x4(x.block(x0)), simd.splat_u8x4(x.block(x1))];
                // no `map`: of a closure that several networks use, the compiler makes a function
                let [w0, w1] = [&weights[w0], &weights[w1]];
                let w = [view(w0.as_flattened())[first + vector], view(w1.as_flattened())[first + vector]];
                acc[K] = D::step(simd, acc[K], u, w);
            });
        }
        for i in rounds * round..blocks.len() {
            let (x0, w0) = blocks.get(i);
            let u = simd.splat_u8x4(x.block(x0));
            let w = view(weights[w0].as_flattened());
            unroll!(8, |K| if const { K < vectors!() } {
                acc[K] = D::one(simd, acc[K], u, w[first + K])
            });
        }
        // The chains are added to the first, halving their number: 8, 4, 2, 1.
        macro_rules! halve {
            ($half:literal) => {
                unroll!(4, |K| if const { chains!() >= 2 * $half && K < $half * vectors!() } {
                    acc[K] = simd.add_i32(acc[K], acc[const { K + $half * vectors!() }]);
                })
            };
        }
        halve!(4);
        halve!(2);
        halve!(1);
        unroll!(8, |K| if const { K < vectors!() } {
            sums[K] = acc[K]
        });
    }
}
