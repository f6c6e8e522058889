//! Activation of the accumulators, and collection of the blocks of four activations that are not all zero, in one pass.
//!
//! ```text
//!   crelu:      x[j] = clamp(a[j], 0, ONE)
//!   sqr_crelu:  x[j] = clamp(a[j], 0, ONE)^2 >> SHIFT
//!   pairwise:   x[j] = (clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT        j < W/2
//!   own:        x[j] = min(f(a[j]), MAX)                                                 f of the program
//!
//!   for each perspective, the side to move first:
//!       for each two vectors a, b of i16 results:
//!           v = narrow(a, b)                                 one vector of u8
//!           append v, and the indices of its non-zero blocks
//! ```
//!
//! Layout: the values of a perspective stand one run after the other, `H = W` or `W/2` values each. Within a run the
//! 8-byte groups of each vector are in the order in which the level's pack instruction leaves them
//! ([`Simd::PACK_ORDER`]); the weights that read the buffer are permuted to match (`layer.rs`).
//!
//! ```text
//!   | run of the side to move: H bytes        | run of the other side: H bytes          | zeros to N |
//!   | vector 0 | vector 1 | ..                |
//!   | g0 g4 g1 g5 g2 g6 g3 g7 |                 groups of 8 values, AVX-512
//! ```
//!
//! Tricks, in the order of what they save:
//! * The products are exact for any i16 accumulators with few instructions, see `product` below.
//! * The result is written where the caller wants it: returned by value, its kilobytes would be copied.
//! * Where no layer reads by blocks, because there is none or all are so small that the level reads their weights whole
//!   ([`Simd::DENSE_WEIGHTS`]), no blocks are listed. `OUTP` says it: the most sums of a sparse layer that reads the buffer.
//! * Indices are appended by whole vectors, and nothing is zeroed first ([`Sparse`]).
//! * A run that is not a whole number of vectors is done with narrower vectors ([`Simd::Narrow`]) altogether. There are
//!   no tails; 128-bit vectors always fit, since W is a multiple of 32.
//!
//! Tried on a Zen 5, SFNNv9: clamping and multiplying bytes (`packsswb`, then `pmaddubsw` of the even and of the odd ones)
//! takes 12 instead of 13 instructions per vector; 10 % faster on AVX2, nothing on AVX-512, not worth an operation of its
//! own. The list's stores, which cross cache lines, are what it costs: numbers of 32 bits instead of 16 take 10 to 60 ns more,
//! the latter where list, activations and accumulators get into each other's way in the L1 cache. Accumulators in L1 take
//! 42 ns without and 56 ns with a list, in L2 60 to 90 ns (2 cycles per line, or 1.3 when the prefetcher is in luck). No
//! difference: `vpcompressw` of 32 numbers at once (VBMI2), masks first and the list in a second loop, loops unrolled 2 to 24
//! times, prefetching 4 to 16 lines ahead, other orders of reading the halves.

use crate::activation;
use crate::memory::{Filler, Sparse, view};
use crate::simd::{Simd, reads_whole};

/// `clamp(a[j], 0, ONE)` of each perspective's accumulator. `ONE <= 255`.
#[inline(always)]
pub fn activate_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const ONE: i16,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP>,
) {
    const { assert!(0 < ONE && ONE <= 255) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP>(simd, Crelu::<ONE>, accumulators, out);
}

/// `clamp(a[j], 0, ONE)^2 >> SHIFT` of each perspective's accumulator. `ONE^2 >> SHIFT <= 255`, `SHIFT <= 16`.
#[inline(always)]
pub fn activate_sqr_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP>,
) {
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP>(simd, SqrCrelu::<ONE, SHIFT>, accumulators, out);
}

/// `(clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT` of each perspective's accumulator.
/// `ONE^2 >> SHIFT <= 255`, `SHIFT <= 16`.
#[inline(always)]
pub fn activate_pairwise<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP>,
) {
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP>(simd, Pairwise::<ONE, SHIFT>, accumulators, out);
}

/// `min(f(a[j]), MAX)` of each perspective's accumulator, `f` a function of the program. `1 <= MAX <= 127`.
#[inline(always)]
pub fn activate_own<
    S: Simd,
    A: activation::Activation<i16>,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
    const MAX: u8,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    own: A,
    out: &mut Sparse<N, CAP>,
) {
    const { assert!(1 <= MAX && MAX <= 127) }
    activate::<S, _, W, PERSPECTIVES, N, CAP, OUTP>(simd, Own::<A, MAX>(own), accumulators, out);
}

/// A function of accumulators.
trait Activation: Copy {
    /// Accumulator values per result.
    const INPUTS: usize;
    /// Greatest result, if packing to u8 does not see to it.
    const LIMIT: Option<u8>;
    /// A vector of results, as i16; negative ones stand for 0. `a` and `b` are the vectors of the first and of the last
    /// input of each result.
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16;
}

#[derive(Clone, Copy)]
struct Crelu<const ONE: i16>;

impl<const ONE: i16> Activation for Crelu<ONE> {
    const INPUTS: usize = 1;
    const LIMIT: Option<u8> = if ONE < 255 { Some(ONE as u8) } else { None };

    #[inline(always)]
    fn apply<S: Simd>(self, _: S, a: S::I16, _: S::I16) -> S::I16 {
        a
    }
}

#[derive(Clone, Copy)]
struct SqrCrelu<const ONE: i16, const SHIFT: u32>;

impl<const ONE: i16, const SHIFT: u32> Activation for SqrCrelu<ONE, SHIFT> {
    const INPUTS: usize = 1;
    const LIMIT: Option<u8> = None;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        product::<S, ONE, SHIFT>(simd, a, b)
    }
}

#[derive(Clone, Copy)]
struct Pairwise<const ONE: i16, const SHIFT: u32>;

impl<const ONE: i16, const SHIFT: u32> Activation for Pairwise<ONE, SHIFT> {
    const INPUTS: usize = 2;
    const LIMIT: Option<u8> = None;

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, b: S::I16) -> S::I16 {
        product::<S, ONE, SHIFT>(simd, a, b)
    }
}

#[derive(Clone, Copy)]
struct Own<A, const MAX: u8>(A);

impl<A: activation::Activation<i16>, const MAX: u8> Activation for Own<A, MAX> {
    const INPUTS: usize = 1;
    const LIMIT: Option<u8> = Some(MAX);

    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, a: S::I16, _: S::I16) -> S::I16 {
        activation::apply(simd, self.0, a)
    }
}

/// `(clamp(a, 0, ONE) * clamp(b, 0, ONE)) >> SHIFT`, or something negative where that is 0.
///
/// The high half of a 16-bit product is a shift right by 16, so the factors are shifted left by `16 - SHIFT` together:
/// by `UP_A` and `UP_B`, as far as each stays below 2^15.
/// * If `a` can take the whole shift (ONE = 255, SHIFT = 9), `b` need not be clamped below: where it is negative, so is
///   the product, and packing to u8 makes it 0.
/// * Otherwise (or if the level has no high half), if `ONE^2` fits in 16 bits (ONE = 127, SHIFT = 7), the low half of the product of both clamped factors
///   is shifted right: one instruction less than shifting both factors.
/// * Otherwise both are clamped and shifted.
#[inline(always)]
fn product<S: Simd, const ONE: i16, const SHIFT: u32>(simd: S, a: S::I16, b: S::I16) -> S::I16 {
    const { assert!(ONE > 0 && SHIFT <= 16 && (ONE as i32 * ONE as i32) >> SHIFT <= 255) }
    let (zero, one) = (simd.splat_i16(0), simd.splat_i16(ONE));
    let room = const { ONE.leading_zeros() - 1 };
    let up_a = room.min(16 - SHIFT);
    let up_b = 16 - SHIFT - up_a;
    let a = simd.min_i16(simd.max_i16(a, zero), one);
    let b = simd.min_i16(b, one);
    if S::HAS_MUL_HIGH && up_b == 0 {
        return simd.mul_high_shl_i16(a, up_a, b);
    }
    let b = simd.max_i16(b, zero);
    if ONE <= 255 {
        simd.shr_u16(simd.mul_low_i16(a, b), SHIFT)
    } else {
        simd.mul_high_shl_i16(a, up_a, simd.shl_i16(b, up_b))
    }
}

/// The pass over all perspectives.
#[inline(always)]
fn activate<
    S: Simd,
    A: Activation,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const CAP: usize,
    const OUTP: usize,
>(
    simd: S,
    activation: A,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Sparse<N, CAP>,
) {
    const { assert!(W.is_multiple_of(32) && N == (W / A::INPUTS * PERSPECTIVES).div_ceil(64) * 64) }
    let mut filler = out.fill();
    for accumulator in accumulators {
        if const { reads_whole::<S>(N, OUTP) } {
            append::<S, A, false, W, N, CAP>(simd, activation, accumulator, &mut filler);
        } else {
            append::<S, A, true, W, N, CAP>(simd, activation, accumulator, &mut filler);
        }
    }
    filler.finish(const { W / A::INPUTS * PERSPECTIVES }, const { !reads_whole::<S>(N, OUTP) });
}

/// Appends the results of one perspective, with the widest vectors that divide them; `LIST`: and lists their blocks.
#[inline(always)]
fn append<S: Simd, A: Activation, const LIST: bool, const W: usize, const N: usize, const CAP: usize>(
    simd: S,
    activation: A,
    accumulator: &[i16; W],
    out: &mut Filler<N, CAP>,
) {
    if const { !(W / A::INPUTS).is_multiple_of(S::BYTES) && S::BYTES > 16 } {
        return append::<S::Narrow, A, LIST, W, N, CAP>(simd.narrow(), activation, accumulator, out);
    }
    let accumulator: &[S::I16] = view(accumulator);
    let results = accumulator.len() / A::INPUTS;
    let (first, last) = (&accumulator[..results], &accumulator[accumulator.len() - results..]);
    let mut first_block = simd.splat_blocks(out.next_block());
    for i in 0..results / 2 {
        let even = activation.apply(simd, first[2 * i], last[2 * i]);
        let odd = activation.apply(simd, first[2 * i + 1], last[2 * i + 1]);
        let mut bytes = simd.narrow_i16_u8(even, odd);
        if let Some(limit) = A::LIMIT {
            bytes = simd.min_u8(bytes, simd.splat_u8(limit));
        }
        out.append_bytes(bytes);
        if LIST {
            let (blocks, count) = simd.nonzero_blocks(bytes, first_block);
            out.append_blocks(blocks, count);
            first_block = simd.add_blocks(first_block, simd.splat_blocks(const { S::BYTES as u16 / 4 }));
        }
    }
}
