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
//! Layout (`layer.rs`): a block has four weights of each output, so that one dot product of four-byte groups adds to as many outputs
//! as the vector has groups.
//!
//! ```text
//!   weights[b] = | w[0][4b..4b+4] | w[1][4b..4b+4] | .. | w[OUTP-1][4b..4b+4] |       4 * OUTP bytes
//! ```
//!
//! If a layer reads whole buffers, its weights are `[pass][vector of inputs][output][byte]`, where a pass is as many outputs as a
//! vector has sums.
//!
//! Tried on a Zen 5 with AVX-512 VNNI, 132 of 256 blocks: listed blocks 44 ns, all blocks in the layout above 57 ns, rows of
//! whole vectors 30 ns. SFNNv9, 216 of 768 blocks: 57 to 64 ns, 1.2 cycles per block, two loads each. Within 3 %: indices
//! loaded two or four at a time, or unchecked; 4, 8 or 16 chains; the list padded with blocks of zeros instead of a loop for
//! the last blocks (the end of the loop is mispredicted, but at that time the processor still has a hundred blocks to do); the four
//! bytes of each block also compressed into a list and broadcast from registers, which saves a load.
//!
//! Techniques, in the order of what they save:
//! * A dot product takes several cycles, and the next one into the same sums waits for it. With few outputs, the blocks are therefore
//!   distributed to several sets of sums (*chains*), with [`Simd::CHAINS`] vectors in flight, which are added at the end.
//! * Blocks of zeros, half of them or more in a trained network, are skipped (`activation.rs` lists the others).
//! * A small layer (SFNNv5's first one) reads all inputs, zero or not: with a vector of inputs at once and the weights of each output
//!   in a row, there is one load per dot product, no list, and no branch that depends on data.
//! * If the instructions make 16-bit sums of pairs, two blocks share the widening to 32 bits, if the weights allow it ([`Dot::Pair`]).
//! * If the outputs are more than 8 vectors, there are several passes of 8 vectors.

use super::unroll::unroll;
use crate::layer::{Bias, Dot, Layer};
use crate::memory::{BlockList, Bytes, Line, ListedBlocks, Sparse, Sums, WeightedBlocks, view, view_mut};
use crate::simd::{Simd, Task, Vector, reads_whole};

/// The number of vectors of sums that a pass keeps in registers.
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
        return whole(simd, Sums(*layer.start(stack)), x.bytes(), layer.blocks(stack));
    }
    let mut sums = Sums(*layer.start(stack));
    let (blocks, weights) = (x.list(), lines(layer.blocks(stack)));
    Affine::<_, OUTP> { sums: &mut sums.0, blocks, weights }.add_exactly(simd, layer.dot(stack));
    sums
}

/// Prepared weights, in lines.
#[inline(always)]
fn lines<const OUTP: usize>(weights: &[[[i8; 4]; OUTP]]) -> &[Line] {
    view(weights.as_flattened().as_flattened())
}

/// The biases of a layer, in stack `stack`: its sums before it has read any input.
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
    B: Bias,
>(
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    Sums(*layer.start(stack))
}

/// `sums` plus the products of the accumulators' activations `x` with the prepared blocks of a layer from block `AT` on, in stack `stack`: one
/// of several buffers that the layer reads. `LISTED` is what says whether the blocks of `x` are listed, the most sums of a sparse layer that
/// reads it.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_listed<
    S: Simd,
    const AT: usize,
    const LISTED: usize,
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
    mut sums: Sums<OUTP>,
    x: &Sparse<N, CAP>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(AT + N / 4 <= BLOCKS) }
    let weights = lines(&layer.blocks(stack)[AT..][..N / 4]);
    let dot = layer.dot(stack);
    if const { reads_whole::<S>(N, LISTED) } {
        Affine::<_, OUTP> { sums: &mut sums.0, blocks: x.bytes().blocks(), weights }.add_exactly(simd, dot);
    } else {
        Affine::<_, OUTP> { sums: &mut sums.0, blocks: x.list(), weights }.add_exactly(simd, dot);
    }
    sums
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
    mut sums: Sums<OUTP>,
    x: &Bytes<NB>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(4 * (FIRST + COUNT) <= NB && AT + COUNT <= BLOCKS) }
    let (blocks, weights) = (&x.blocks()[FIRST..][..COUNT], lines(&layer.blocks(stack)[AT..][..COUNT]));
    Affine::<_, OUTP> { sums: &mut sums.0, blocks, weights }.add_exactly(simd, layer.dot(stack));
    sums
}

/// `sums` plus the products of all of `x`. A vector of inputs is multiplied at once, for as many outputs as a vector has sums; then the
/// lanes of each output are added up.
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
    let weights = weights.as_chunks::<16>().0;
    let vectors: &mut [S::I32] = view_mut(&mut sums.0);
    for pass in 0..vectors.len() {
        let weights = &weights[pass * x.len()..][..x.len()];
        let mut acc = [simd.zero_i32(); 16];
        for at in 0..x.len() {
            unroll!(16, |K| acc[K] = simd.dot_u8i8(acc[K], x[at], weights[at][K]));
        }
        vectors[pass] = simd.add_i32(vectors[pass], simd.reduce_each_i32(acc));
    }
    sums
}

/// The blocks of inputs that a layer reads.
trait Blocks: Copy {
    /// True if there are so many that taking two at once is worth the code.
    const MANY: bool;
    /// The blocks and their weights.
    type Weighted<'a, V: Vector>: WeightedBlocks<V>
    where
        Self: 'a;
    /// The same with the weights of each block: `weights[stride * block..][..stride]`.
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> Self::Weighted<'a, V>
    where
        Self: 'a;
}

impl Blocks for BlockList<'_> {
    const MANY: bool = true;
    type Weighted<'a, V: Vector>
        = ListedBlocks<'a, V>
    where
        Self: 'a;

    #[inline(always)]
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> ListedBlocks<'a, V>
    where
        Self: 'a,
    {
        self.with_weights(weights, stride)
    }
}

/// All blocks.
impl Blocks for &[[u8; 4]] {
    const MANY: bool = false;
    type Weighted<'a, V: Vector>
        = AllBlocks<'a, V>
    where
        Self: 'a;

    #[inline(always)]
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> AllBlocks<'a, V>
    where
        Self: 'a,
    {
        AllBlocks { inputs: self, weights, stride }
    }
}

/// Blocks that are read one after the other, and their weights.
#[derive(Clone, Copy)]
struct AllBlocks<'a, V> {
    inputs: &'a [[u8; 4]],
    weights: &'a [V],
    stride: usize,
}

impl<V: Vector> WeightedBlocks<V> for AllBlocks<'_, V> {
    #[inline(always)]
    fn len(self) -> usize {
        self.inputs.len()
    }

    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        let Self { inputs, weights, stride } = self;
        Self { inputs: &inputs[start..][..len], weights: &weights[stride * start..][..stride * len], stride }
    }

    #[inline(always)]
    fn input(self, block: usize) -> [u8; 4] {
        self.inputs[block]
    }

    #[inline(always)]
    fn weight(self, block: usize, vector: usize) -> V {
        self.weights[self.stride * block + vector]
    }
}

/// A way to multiply and add.
trait Product {
    /// Blocks that one step takes: 1 or 2.
    const STEP: usize;
    /// One block.
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32;
    /// One step. With `STEP == 1` the two blocks are the same and count once.
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

/// Adds the products of `blocks` with `weights` to the sums of `OUTP` outputs.
struct Affine<'a, B, const OUTP: usize> {
    sums: &'a mut [i32],
    blocks: B,
    weights: &'a [Line],
}

/// With the exact dot product, in a separate function because it is rarely needed.
impl<B: Blocks, const OUTP: usize> Task for Affine<'_, B, OUTP> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.add::<S, Exact>(simd);
    }
}

impl<B: Blocks, const OUTP: usize> Affine<'_, B, OUTP> {
    /// With a dot product that is exact for the weights.
    #[inline(always)]
    fn add_exactly<S: Simd>(self, simd: S, dot: Dot) {
        if S::DOT_IS_EXACT {
            return self.add::<S, Single>(simd);
        }
        match dot {
            Dot::Exact => simd.outline(self),
            Dot::Pair if B::MANY => self.add::<S, Pair>(simd),
            Dot::Pair | Dot::Single => self.add::<S, Single>(simd),
        }
    }

    /// Passes of [`SLOTS`] vectors of outputs each; the last one has the remaining outputs.
    #[inline(always)]
    fn add<S: Simd, D: Product>(self, simd: S) {
        let vectors = const { OUTP * 4 / S::BYTES };
        let blocks = self.blocks.with_weights(view(self.weights), vectors);
        let sums: &mut [S::I32] = view_mut(self.sums);
        for first in (0..vectors - vectors % SLOTS).step_by(SLOTS) {
            pass::<S, D, OUTP, false>(simd, sums, blocks, first);
        }
        if const { !(OUTP * 4 / S::BYTES).is_multiple_of(SLOTS) } {
            pass::<S, D, OUTP, true>(simd, sums, blocks, vectors - vectors % SLOTS);
        }
    }
}

/// The outputs of [`SLOTS`] vectors, or of fewer in the last pass, from vector `first` on.
///
/// Slot `chain * vectors + v` of the accumulators is vector `v` of a chain. Each round gives every chain a step.
#[inline(always)]
fn pass<S: Simd, D: Product, const OUTP: usize, const LAST: bool>(
    simd: S,
    sums: &mut [S::I32],
    blocks: impl WeightedBlocks<S::U8>,
    first: usize,
) {
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
    let sums = &mut sums[first..];
    let round = chains!() * D::STEP;
    let rounds = blocks.len() / round;
    let mut acc = [simd.zero_i32(); SLOTS];
    unroll!(8, |K| if const { K < vectors!() } {
        acc[K] = sums[K]
    });
    for i in 0..rounds {
        let blocks = blocks.part(i * round, round);
        unroll!(8, |K| if const { K < chains!() * vectors!() } {
            let (chain, vector) = const { (K / vectors!(), K % vectors!()) };
            let (b0, b1) = (chain * D::STEP, chain * D::STEP + D::STEP - 1);
            // Without `map`, because the compiler makes a function of a closure that several networks use.
            let [x0, x1] = [blocks.input(b0), blocks.input(b1)];
            let u = [simd.splat_u8x4(u32::from_le_bytes(x0)), simd.splat_u8x4(u32::from_le_bytes(x1))];
            let w = [blocks.weight(b0, first + vector), blocks.weight(b1, first + vector)];
            acc[K] = D::step(simd, acc[K], u, w);
        });
    }
    for block in rounds * round..blocks.len() {
        let u = simd.splat_u8x4(u32::from_le_bytes(blocks.input(block)));
        unroll!(8, |K| if const { K < vectors!() } {
            acc[K] = D::one(simd, acc[K], u, blocks.weight(block, first + K))
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
