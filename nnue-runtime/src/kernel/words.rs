//! Activated accumulators that are kept in 16 bits, for layers that need more than the seven bits of a byte.
//!
//! ```text
//!   crelu:               x[j] = clamp(a[j], 0, ONE)
//!   sqr_crelu, screlu:   x[j] = clamp(a[j], 0, ONE)^2 >> SHIFT
//!   pairwise:            x[j] = (clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT        j < W/2
//! ```
//!
//! Layout: one run of values for each perspective, in the order of the accumulators; nothing is packed, so weights need no other order
//! than that of the file.
//!
//! ```text
//!   | run of the side to move: W or W/2 x i16 | run of the other side |
//! ```

use crate::memory::{Words, view, view_mut};
use crate::simd::Simd;

/// `clamp(a[j], 0, ONE)` of each perspective's accumulator.
#[inline(always)]
pub fn words_crelu<S: Simd, const W: usize, const PERSPECTIVES: usize, const N: usize, const ONE: i16>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, Clipped<ONE>, W, PERSPECTIVES, N>(simd, accumulators, out);
}

/// `clamp(a[j], 0, ONE)^2 >> SHIFT` of each perspective's accumulator. `ONE^2 >> SHIFT <= 32767`, `SHIFT <= 16`.
#[inline(always)]
pub fn words_sqr_crelu<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, Squares<ONE, SHIFT>, W, PERSPECTIVES, N>(simd, accumulators, out);
}

/// `(clamp(a[j], 0, ONE) * clamp(a[j + W/2], 0, ONE)) >> SHIFT` of each perspective's accumulator. `ONE^2 >> SHIFT <= 32767`, `SHIFT <= 16`.
#[inline(always)]
pub fn words_pairwise<
    S: Simd,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
    const SHIFT: u32,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    activate::<S, Products<ONE, SHIFT>, W, PERSPECTIVES, N>(simd, accumulators, out);
}

/// Parts of buffers, one after the other.
///
/// # Panics
///
/// If they are more than `N` values.
#[inline(always)]
pub fn words_join<const N: usize>(parts: &[&[i16]]) -> Words<N> {
    let mut out = Words::zeroed();
    let mut at = 0;
    for part in parts {
        out.0[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}

/// A function of accumulators, of one neuron or of the two halves.
trait Function {
    /// Accumulator values per result.
    const INPUTS: usize;
    /// The results of a vector of the first inputs and of one of the last.
    fn apply<S: Simd>(simd: S, a: S::I16, b: S::I16) -> S::I16;
}

struct Clipped<const ONE: i16>;

impl<const ONE: i16> Function for Clipped<ONE> {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<S: Simd>(simd: S, a: S::I16, _: S::I16) -> S::I16 {
        clamp::<S, ONE>(simd, a)
    }
}

struct Squares<const ONE: i16, const SHIFT: u32>;

impl<const ONE: i16, const SHIFT: u32> Function for Squares<ONE, SHIFT> {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<S: Simd>(simd: S, a: S::I16, _: S::I16) -> S::I16 {
        let a = clamp::<S, ONE>(simd, a);
        product::<S, ONE, SHIFT>(simd, a, a)
    }
}

struct Products<const ONE: i16, const SHIFT: u32>;

impl<const ONE: i16, const SHIFT: u32> Function for Products<ONE, SHIFT> {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<S: Simd>(simd: S, a: S::I16, b: S::I16) -> S::I16 {
        product::<S, ONE, SHIFT>(simd, clamp::<S, ONE>(simd, a), clamp::<S, ONE>(simd, b))
    }
}

/// `clamp(a, 0, ONE)`
#[inline(always)]
fn clamp<S: Simd, const ONE: i16>(simd: S, a: S::I16) -> S::I16 {
    const { assert!(ONE > 0) }
    simd.min_i16(simd.max_i16(a, simd.splat_i16(0)), simd.splat_i16(ONE))
}

/// `(a * b) >> SHIFT` of factors of `0..=ONE`.
///
/// A product of 16 bits is shifted as it is. Of a longer one, the two halves are shifted and joined:
///
/// ```text
///   high = a * b >> 16      low = a * b & 0xFFFF      result = (high << 16 - SHIFT) + (low >> SHIFT)
/// ```
#[inline(always)]
fn product<S: Simd, const ONE: i16, const SHIFT: u32>(simd: S, a: S::I16, b: S::I16) -> S::I16 {
    const { assert!(SHIFT <= 16 && (ONE as i32 * ONE as i32) >> SHIFT <= i16::MAX as i32) }
    if const { ONE <= 255 && SHIFT < 16 } {
        return simd.shr_u16(simd.mul_low_i16(a, b), SHIFT);
    }
    let high = simd.mul_high_i16(a, b);
    if const { SHIFT == 16 } {
        return high;
    }
    let low = simd.shr_u16(simd.mul_low_i16(a, b), SHIFT);
    simd.add_i16(simd.shl_i16(high, 16 - SHIFT), low)
}

/// The pass over all perspectives.
#[inline(always)]
fn activate<S: Simd, F: Function, const W: usize, const PERSPECTIVES: usize, const N: usize>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    out: &mut Words<N>,
) {
    const { assert!(W.is_multiple_of(32) && N == W / F::INPUTS * PERSPECTIVES) }
    let each = const { W / F::INPUTS };
    let mut start = 0;
    for accumulator in accumulators {
        append::<S, F>(simd, accumulator, &mut out.0[start..][..each]);
        start += each;
    }
}

/// The results of one perspective, with the widest vectors that divide their number.
#[inline(always)]
fn append<S: Simd, F: Function>(simd: S, accumulator: &[i16], out: &mut [i16]) {
    if const { S::BYTES > 16 } && !out.len().is_multiple_of(S::BYTES / 2) {
        return append::<S::Narrow, F>(simd.narrow(), accumulator, out);
    }
    let (first, last) = (&accumulator[..out.len()], &accumulator[accumulator.len() - out.len()..]);
    let (first, last): (&[S::I16], &[S::I16]) = (view(first), view(last));
    let out: &mut [S::I16] = view_mut(out);
    for at in 0..out.len() {
        out[at] = F::apply(simd, first[at], last[at]);
    }
}
