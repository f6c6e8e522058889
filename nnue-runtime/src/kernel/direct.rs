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
//! Layout: weights have the order of the accumulators, the side to move first. Four chains of sums
//! hide the latency of the additions.

use nnue_spec::Activation as Known;

use super::unroll::unroll;
use crate::direct::{DirectLayer, Weights};
use crate::memory::{Number, view};
use crate::simd::{Simd, Task};

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
    const { assert!(IN == W * PERSPECTIVES && W.is_multiple_of(32) && ONE > 0) }
    let sum = sum(
        simd,
        Crelu,
        ONE,
        &accumulators.map(|values| values.as_slice()),
        layer.weights(stack),
    );
    held(sum + layer.bias(stack))
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
    const { assert!(IN == W * PERSPECTIVES && W.is_multiple_of(32) && ONE > 0) }
    let sum = sum(
        simd,
        Screlu,
        ONE,
        &accumulators.map(|values| values.as_slice()),
        layer.weights(stack),
    );
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
    const { assert!(IN == W / 2 * PERSPECTIVES && W.is_multiple_of(64) && ONE > 0) }
    let sum = sum(
        simd,
        Pairwise,
        ONE,
        &accumulators.map(|values| values.as_slice()),
        layer.weights(stack),
    );
    held(sum / const { ONE as i64 } + layer.bias(stack))
}

/// Clamps to the range of i32.
#[inline(always)]
fn held(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The output of a layer of any size, before the bias is added.
pub(crate) struct SumOfAccumulators<'a> {
    pub(crate) activation: Known,
    /// scale of the accumulators
    pub(crate) one: i16,
    pub(crate) accumulators: &'a [&'a [i16]],
    pub(crate) weights: Weights<'a>,
}

impl Task for SumOfAccumulators<'_> {
    type Output = i64;

    /// # Panics
    ///
    /// If the activation is not one of these, or slices have other lengths than the layer.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i64 {
        let Self {
            activation,
            one,
            accumulators,
            weights,
        } = self;
        match activation {
            Known::Crelu => sum(simd, Crelu, one, accumulators, weights),
            Known::Screlu => sum(simd, Screlu, one, accumulators, weights) / i64::from(one),
            Known::Pairwise => sum(simd, Pairwise, one, accumulators, weights) / i64::from(one),
            other => panic!("{other:?} is no activation of accumulators with 16-bit weights"),
        }
    }
}

/// The sum plus the bias, clamped to the range of i32.
#[inline(always)]
pub(crate) fn with_bias(sum: i64, bias: i64) -> i32 {
    held(sum + bias)
}

/// A function of clipped accumulators times a weight. The scale is a value that is constant after
/// inlining.
trait Product: Copy {
    /// The number of parts of an accumulator that are multiplied with each other: 2, or 1 without
    /// such products.
    const PARTS: usize;

    /// Sums of pairs of products. `c` (of the first part) and `d` (of the last) are in `0..=one`.
    fn pairs<S: Simd>(simd: S, one: i16, c: S::I16, d: S::I16, w: S::I16) -> S::I32;
}

#[derive(Clone, Copy)]
struct Crelu;

impl Product for Crelu {
    const PARTS: usize = 1;

    #[inline(always)]
    fn pairs<S: Simd>(simd: S, _: i16, c: S::I16, _: S::I16, w: S::I16) -> S::I32 {
        simd.dot_i16(c, w)
    }
}

#[derive(Clone, Copy)]
struct Screlu;

impl Product for Screlu {
    const PARTS: usize = 1;

    #[inline(always)]
    fn pairs<S: Simd>(simd: S, one: i16, c: S::I16, _: S::I16, w: S::I16) -> S::I32 {
        Pairwise::pairs(simd, one, c, c, w)
    }
}

#[derive(Clone, Copy)]
struct Pairwise;

impl Product for Pairwise {
    const PARTS: usize = 2;

    #[inline(always)]
    fn pairs<S: Simd>(simd: S, one: i16, c: S::I16, d: S::I16, w: S::I16) -> S::I32 {
        if i32::from(one) * i32::from(one) <= i32::from(i16::MAX) {
            simd.dot_i16(simd.mul_low_i16(c, d), w)
        } else {
            simd.dot_i16(simd.mul_low_i16(c, w), d)
        }
    }
}

/// The sum of all products, exact for all weights.
#[inline(always)]
fn sum<S: Simd, F: Product>(
    simd: S,
    function: F,
    one: i16,
    accumulators: &[&[i16]],
    layer: Weights<'_>,
) -> i64 {
    let mut total = 0;
    for plane in 0..layer.planes() {
        let weights = layer.plane(plane);
        let sum = if layer.runs().is_empty() {
            let mut sums = [simd.zero_i32(); 4];
            unroll!(4, |SIDE| if SIDE < accumulators.len() {
                let (values, each) = (accumulators[SIDE], accumulators[SIDE].len() / F::PARTS);
                let parts = [&values[..each], &values[values.len() - each..]];
                sums = add_run(
                    simd,
                    function,
                    one,
                    sums,
                    parts,
                    &weights[SIDE * each..][..each],
                );
            });
            reduce(simd, sums)
        } else {
            sum_runs(simd, function, one, accumulators, weights, layer.runs())
        };
        total += sum << layer.shift(plane);
    }
    total
}

/// The sums of the runs that end at `ends`, added in 64 bits.
#[inline(always)]
fn sum_runs<S: Simd, F: Product>(
    simd: S,
    function: F,
    one: i16,
    accumulators: &[&[i16]],
    weights: &[i16],
    ends: &[usize],
) -> i64 {
    let width = accumulators[0].len();
    let each = width / F::PARTS;
    let (mut total, mut start) = (0, 0);
    for &end in ends {
        let (side, first) = (start / each, start % each);
        let values = accumulators[side];
        let parts = [
            &values[first..][..end - start],
            &values[first + width - each..][..end - start],
        ];
        total += reduce(
            simd,
            add_run(
                simd,
                function,
                one,
                [simd.zero_i32(); 4],
                parts,
                &weights[start..end],
            ),
        );
        start = end;
    }
    total
}

/// Adds the products of a run to `sums`; `parts` are its values of the first and of the last part
/// of an accumulator.
#[inline(always)]
fn add_run<S: Simd, F: Product>(
    simd: S,
    _: F,
    one: i16,
    mut sums: [S::I32; 4],
    parts: [&[i16]; 2],
    weights: &[i16],
) -> [S::I32; 4] {
    let (zero, limit) = (simd.splat_i16(0), simd.splat_i16(one));
    let [first, last] = parts;
    let (first, last): (&[S::I16], &[S::I16]) = (view(first), view(last));
    let weights: &[S::I16] = view(weights);
    let (last, weights) = (&last[..first.len()], &weights[..first.len()]);
    for four in 0..first.len().div_ceil(4) {
        unroll!(4, |K| if 4 * four + K < first.len() {
            let at = 4 * four + K;
            let c = simd.min_i16(simd.max_i16(first[at], zero), limit);
            let d = simd.min_i16(simd.max_i16(last[at], zero), limit);
            sums[K] = simd.add_i32(sums[K], F::pairs(simd, one, c, d, weights[at]));
        });
    }
    sums
}

#[inline(always)]
fn reduce<S: Simd>(simd: S, sums: [S::I32; 4]) -> i64 {
    let [a, b, c, d] = sums;
    simd.reduce_i32(simd.add_i32(simd.add_i32(a, b), simd.add_i32(c, d)))
        .into()
}
