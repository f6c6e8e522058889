//! The output of a layer of 16-bit weights that reads the accumulators directly.
//!
//! ```text
//!   c[k] = clamp(a[k], 0, ONE)
//!   crelu:   y = bias + sum over k of c[k] * w[k]
//!   screlu:  y = bias + (sum over k of c[k]^2 * w[k]) / ONE                       toward zero, in 64 bits
//!   pairwise:  y = bias + (sum over k of c[k] * c[k + W/2] * w[k]) / ONE          of each perspective
//!
//!   products, per vector:  sums += pairs of (low half of c * w) * d               c * w fits in 16 bits (direct.rs)
//!                          sums += pairs of (c * d) * w                           where ONE^2 fits in 16 bits
//! ```
//!
//! Layout: weights have the order of the accumulators, the side to move first. Four chains of sums keep additions from waiting.

use super::unroll::unroll;
use crate::direct::DirectLayer;
use crate::memory::{Number, view};
use crate::simd::Simd;

/// The output with clipped inputs.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn direct_crelu<
    S: Simd,
    B: Number + Into<i64>,
    const W: usize,
    const PERSPECTIVES: usize,
    const ONE: i16,
    const IN: usize,
    const STACKS: usize,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    layer: &DirectLayer<B, IN, STACKS>,
    stack: usize,
) -> i32 {
    held(sum::<S, Crelu, B, W, PERSPECTIVES, ONE, IN, STACKS>(simd, accumulators, layer, stack) + layer.bias(stack))
}

/// The output with squared clipped inputs.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn direct_screlu<
    S: Simd,
    B: Number + Into<i64>,
    const W: usize,
    const PERSPECTIVES: usize,
    const ONE: i16,
    const IN: usize,
    const STACKS: usize,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    layer: &DirectLayer<B, IN, STACKS>,
    stack: usize,
) -> i32 {
    let sum = sum::<S, Screlu, B, W, PERSPECTIVES, ONE, IN, STACKS>(simd, accumulators, layer, stack);
    held(sum / const { ONE as i64 } + layer.bias(stack))
}

/// The output with products of the two clipped halves of each accumulator.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn direct_pairwise<
    S: Simd,
    B: Number + Into<i64>,
    const W: usize,
    const PERSPECTIVES: usize,
    const ONE: i16,
    const IN: usize,
    const STACKS: usize,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    layer: &DirectLayer<B, IN, STACKS>,
    stack: usize,
) -> i32 {
    let sum = sum::<S, Pairwise, B, W, PERSPECTIVES, ONE, IN, STACKS>(simd, accumulators, layer, stack);
    held(sum / const { ONE as i64 } + layer.bias(stack))
}

/// The nearest number in the range of i32.
#[inline(always)]
fn held(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// A function of clipped accumulators, with the weight that it is multiplied by.
trait Product {
    /// The number of parts of an accumulator that are multiplied with each other: 2, or 1 without such products.
    const PARTS: usize;

    /// Sums of pairs of products; `c`, of the first part, and `d`, of the last, are `0..=ONE`.
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, d: S::I16, w: S::I16) -> S::I32;
}

struct Crelu;

impl Product for Crelu {
    const PARTS: usize = 1;

    #[inline(always)]
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, _: S::I16, w: S::I16) -> S::I32 {
        simd.dot_i16(c, w)
    }
}

struct Screlu;

impl Product for Screlu {
    const PARTS: usize = 1;

    #[inline(always)]
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, _: S::I16, w: S::I16) -> S::I32 {
        Pairwise::pairs::<S, ONE>(simd, c, c, w)
    }
}

struct Pairwise;

impl Product for Pairwise {
    const PARTS: usize = 2;

    #[inline(always)]
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, d: S::I16, w: S::I16) -> S::I32 {
        if const { ONE as i32 * ONE as i32 <= i16::MAX as i32 } {
            simd.dot_i16(simd.mul_low_i16(c, d), w)
        } else {
            simd.dot_i16(simd.mul_low_i16(c, w), d)
        }
    }
}

/// The sum of all products, exact for all weights.
#[inline(always)]
fn sum<
    S: Simd,
    F: Product,
    B: Number + Into<i64>,
    const W: usize,
    const PERSPECTIVES: usize,
    const ONE: i16,
    const IN: usize,
    const STACKS: usize,
>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    layer: &DirectLayer<B, IN, STACKS>,
    stack: usize,
) -> i64 {
    const { assert!(IN == W / F::PARTS * PERSPECTIVES && W.is_multiple_of(32 * F::PARTS) && ONE > 0) }
    let each = W / F::PARTS;
    let mut total = 0;
    for plane in 0..layer.planes() {
        let weights = layer.plane(plane, stack);
        let sum = if layer.runs().is_empty() {
            let mut sums = [simd.zero_i32(); 4];
            unroll!(4, |SIDE| if SIDE < PERSPECTIVES {
                let parts = [&accumulators[SIDE][..each], &accumulators[SIDE][W - each..]];
                sums = add_run::<S, F, ONE>(simd, sums, parts, &weights[SIDE * each..][..each]);
            });
            reduce(simd, sums)
        } else {
            sum_runs::<S, F, W, PERSPECTIVES, ONE>(simd, accumulators, weights, layer.runs())
        };
        total += sum << layer.shift(plane);
    }
    total
}

/// The sums of the runs that end at `ends`, added in 64 bits.
#[inline(always)]
fn sum_runs<S: Simd, F: Product, const W: usize, const PERSPECTIVES: usize, const ONE: i16>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    weights: &[i16],
    ends: &[usize],
) -> i64 {
    let each = W / F::PARTS;
    let (mut total, mut start) = (0, 0);
    for &end in ends {
        let (side, first) = (start / each, start % each);
        let parts =
            [&accumulators[side][first..][..end - start], &accumulators[side][first + W - each..][..end - start]];
        total += reduce(simd, add_run::<S, F, ONE>(simd, [simd.zero_i32(); 4], parts, &weights[start..end]));
        start = end;
    }
    total
}

/// `sums` plus the products of a run, of which `parts` are the values of the first and of the last part of an accumulator.
#[inline(always)]
fn add_run<S: Simd, F: Product, const ONE: i16>(
    simd: S,
    mut sums: [S::I32; 4],
    parts: [&[i16]; 2],
    weights: &[i16],
) -> [S::I32; 4] {
    let (zero, one) = (simd.splat_i16(0), simd.splat_i16(ONE));
    let [first, last] = parts;
    let (first, last): (&[S::I16], &[S::I16]) = (view(first), view(last));
    let weights: &[S::I16] = view(weights);
    let (last, weights) = (&last[..first.len()], &weights[..first.len()]);
    for four in 0..first.len().div_ceil(4) {
        unroll!(4, |K| if 4 * four + K < first.len() {
            let at = 4 * four + K;
            let c = simd.min_i16(simd.max_i16(first[at], zero), one);
            let d = simd.min_i16(simd.max_i16(last[at], zero), one);
            sums[K] = simd.add_i32(sums[K], F::pairs::<S, ONE>(simd, c, d, weights[at]));
        });
    }
    sums
}

#[inline(always)]
fn reduce<S: Simd>(simd: S, sums: [S::I32; 4]) -> i64 {
    let [a, b, c, d] = sums;
    simd.reduce_i32(simd.add_i32(simd.add_i32(a, b), simd.add_i32(c, d))).into()
}
