//! The output of a layer that reads the accumulators themselves.
//!
//! ```text
//!   c[k] = clamp(a[k], 0, ONE)
//!   crelu:   y = bias + sum over k of c[k] * w[k]
//!   screlu:  y = bias + (sum over k of c[k]^2 * w[k]) / ONE                       toward zero, in 64 bits
//!
//!   screlu, per vector:  sums += pairs of (low half of c * w) * c                 c * w fits in 16 bits (direct.rs)
//!                        sums += pairs of (c * c) * w                             where ONE^2 fits in 16 bits
//! ```
//!
//! Layout: weights lie as the accumulators do, the side to move first. Four chains of sums keep additions from waiting.

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

/// The nearest number that i32 holds.
#[inline(always)]
fn held(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// A function of clipped accumulators, with the weight that it is multiplied by.
trait Product {
    /// Sums of pairs of products; `c` is `0..=ONE`.
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, w: S::I16) -> S::I32;
}

struct Crelu;

impl Product for Crelu {
    #[inline(always)]
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, w: S::I16) -> S::I32 {
        simd.dot_i16(c, w)
    }
}

struct Screlu;

impl Product for Screlu {
    #[inline(always)]
    fn pairs<S: Simd, const ONE: i16>(simd: S, c: S::I16, w: S::I16) -> S::I32 {
        if const { ONE as i32 * ONE as i32 <= i16::MAX as i32 } {
            simd.dot_i16(simd.mul_low_i16(c, c), w)
        } else {
            simd.dot_i16(simd.mul_low_i16(c, w), c)
        }
    }
}

/// The sum of all products, whatever the weights.
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
    const { assert!(IN == W * PERSPECTIVES && W.is_multiple_of(32) && ONE > 0) }
    let mut total = 0;
    for plane in 0..layer.planes() {
        let weights = layer.plane(plane, stack);
        let sum = if layer.runs().is_empty() {
            let mut sums = [simd.zero_i32(); 4];
            unroll!(4, |SIDE| if SIDE < PERSPECTIVES {
                sums = add_run::<S, F, ONE>(simd, sums, accumulators[SIDE], &weights[SIDE * W..][..W]);
            });
            reduce(simd, sums)
        } else {
            sum_runs::<S, F, W, PERSPECTIVES, ONE>(simd, accumulators, weights, layer.runs())
        };
        total += sum << layer.shift(plane);
    }
    total
}

/// The sums of runs, which end where `ends` say, added in 64 bits.
#[inline(always)]
fn sum_runs<S: Simd, F: Product, const W: usize, const PERSPECTIVES: usize, const ONE: i16>(
    simd: S,
    accumulators: [&[i16; W]; PERSPECTIVES],
    weights: &[i16],
    ends: &[usize],
) -> i64 {
    let (mut total, mut start) = (0, 0);
    for &end in ends {
        let (side, first) = (start / W, start % W);
        let values = &accumulators[side][first..][..end - start];
        total += reduce(simd, add_run::<S, F, ONE>(simd, [simd.zero_i32(); 4], values, &weights[start..end]));
        start = end;
    }
    total
}

/// `sums` plus the products of a run.
#[inline(always)]
fn add_run<S: Simd, F: Product, const ONE: i16>(
    simd: S,
    mut sums: [S::I32; 4],
    values: &[i16],
    weights: &[i16],
) -> [S::I32; 4] {
    let (zero, one) = (simd.splat_i16(0), simd.splat_i16(ONE));
    let (values, weights): (&[S::I16], &[S::I16]) = (view(values), view(weights));
    for (a, w) in values.chunks(4).zip(weights.chunks(4)) {
        unroll!(4, |K| if K < a.len() {
            let c = simd.min_i16(simd.max_i16(a[K], zero), one);
            sums[K] = simd.add_i32(sums[K], F::pairs::<S, ONE>(simd, c, w[K]));
        });
    }
    sums
}

#[inline(always)]
fn reduce<S: Simd>(simd: S, sums: [S::I32; 4]) -> i64 {
    let [a, b, c, d] = sums;
    simd.reduce_i32(simd.add_i32(simd.add_i32(a, b), simd.add_i32(c, d))).into()
}
