//! Layers of 32-bit floats; their activations are in `float_activation`. The order of all operations is the declared one, so that every level gives the same bits.
//!
//! ```text
//!   float_sums      y[o] = sum[o] * unit + bias[o]                  the sums of the preceding layer of whole numbers
//!   accumulator_..  x[k] = f32(f(a[k])) * unit                      accumulators that layers of floats read
//!   float_join      parts of buffers, one after the other
//!   affine_float    y[o] = ((bias[o] + x[0] w[o][0]) + x[1] w[o][1]) + ..        a lane is an output
//!                   or, with PARTIAL = n sums,
//!                   p[j] = ((0 + x[j] w[o][j]) + x[j + n] w[o][j + n]) + ..      j < n
//!                   p[j] += p[j + n/2] for j < n/2; p[j] += p[j + n/4] for j < n/4; ..
//!                   y[o] = p[0] + bias[o]
//!   row_float       the last of these for one output                a lane is a partial sum
//! ```
//!
//! With `FUSED`, `a + b c` is rounded once everywhere; otherwise the product is rounded first everywhere. The compiler never fuses
//! the two by itself.

use crate::float::{FloatLayer, FloatRow};
use crate::memory::{Floats, Sums, view, view_mut};
use crate::simd::Simd;

/// `a * b + c`, rounded once or twice.
#[inline(always)]
pub(super) fn multiply_add<S: Simd, const FUSED: bool>(simd: S, a: S::F32, b: S::F32, c: S::F32) -> S::F32 {
    if FUSED { simd.mul_add_f32(a, b, c) } else { simd.add_f32(simd.mul_f32(a, b), c) }
}

/// The sums of a layer of whole numbers as floats, its bias added.
#[inline(always)]
pub fn float_sums<S: Simd, const FUSED: bool, const OUT: usize, const OUTP: usize>(
    simd: S,
    sums: &Sums<OUTP>,
    bias: &[f32; OUT],
    unit: f32,
) -> Floats<OUTP> {
    let mut out = Floats::zeroed();
    out.0[..OUT].copy_from_slice(bias);
    let unit = simd.splat_f32(unit);
    let sums: &[S::F32] = view(&sums.0);
    let y: &mut [S::F32] = view_mut(&mut out.0);
    for at in 0..y.len() {
        y[at] = multiply_add::<S, FUSED>(simd, simd.f32_of_i32(sums[at]), unit, y[at]);
    }
    out
}

/// `clamp(a, 0, ONE) * unit` of the accumulators, the side to move first.
#[inline(always)]
pub fn accumulator_crelu<const W: usize, const PERSPECTIVES: usize, const N: usize, const ONE: i16>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    accumulator_custom(accumulators, |a| clamped::<ONE>(a) as f32 * unit)
}

/// `clamp(a, 0, ONE)^2 * unit` of the accumulators, the side to move first.
#[inline(always)]
pub fn accumulator_screlu<const W: usize, const PERSPECTIVES: usize, const N: usize, const ONE: i16>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    accumulator_custom(accumulators, |a| (clamped::<ONE>(a) * clamped::<ONE>(a)) as f32 * unit)
}

/// `clamp(a, 0, ONE) * clamp(b, 0, ONE) * unit` of the halves of each accumulator, the side to move first.
#[inline(always)]
pub fn accumulator_pairwise<const W: usize, const PERSPECTIVES: usize, const N: usize, const ONE: i16>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    const { assert!(2 * N == W * PERSPECTIVES) }
    let mut out = Floats::zeroed();
    for (out, accumulator) in out.0.chunks_exact_mut(W / 2).zip(accumulators) {
        let (first, second) = accumulator.split_at(W / 2);
        for ((x, &a), &b) in out.iter_mut().zip(first).zip(second) {
            *x = (clamped::<ONE>(a) * clamped::<ONE>(b)) as f32 * unit;
        }
    }
    out
}

/// `f(a)` of the accumulators, the side to move first, where `f` is a function of the program. The compiler vectorises it if it can.
#[inline(always)]
pub fn accumulator_custom<F: Fn(i16) -> f32, const W: usize, const PERSPECTIVES: usize, const N: usize>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    own: F,
) -> Floats<N> {
    const { assert!(N == W * PERSPECTIVES) }
    let mut out = Floats::zeroed();
    for (out, accumulator) in out.0.chunks_exact_mut(W).zip(accumulators) {
        out.iter_mut().zip(accumulator).for_each(|(x, &a)| *x = own(a));
    }
    out
}

#[inline(always)]
fn clamped<const ONE: i16>(a: i16) -> i32 {
    a.clamp(0, ONE).into()
}

/// Parts of buffers, one after the other, then zeros.
///
/// # Panics
///
/// If they are more than `N` values.
#[inline(always)]
pub fn float_join<const N: usize>(parts: &[&[f32]]) -> Floats<N> {
    let mut out = Floats::zeroed();
    let mut at = 0;
    for part in parts {
        out.0[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}

/// The sums of a layer, in stack `stack`; with `PARTIAL` sums per output, or none for 0.
///
/// # Panics
///
/// If there is no such stack.
#[expect(clippy::needless_range_loop, reason = "iterators may become functions without the features of the level")]
#[inline(always)]
pub fn affine_float<
    S: Simd,
    const FUSED: bool,
    const PARTIAL: usize,
    const N: usize,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const OUTP: usize,
>(
    simd: S,
    x: &Floats<N>,
    layer: &FloatLayer<IN, OUT, STACKS, OUTP>,
    stack: usize,
) -> Floats<OUTP> {
    const { assert!(IN <= N) }
    let mut y = layer.start(stack);
    for (vector, y) in view_mut::<S::F32, _>(&mut y.0).iter_mut().enumerate() {
        let columns = layer.columns(stack);
        if PARTIAL == 0 {
            for k in 0..IN {
                *y = multiply_add::<S, FUSED>(simd, simd.splat_f32(x.0[k]), view(&columns[k])[vector], *y);
            }
        } else {
            let mut sums = [simd.splat_f32(0.0); PARTIAL];
            for k in 0..IN {
                let sum = &mut sums[k % PARTIAL];
                *sum = multiply_add::<S, FUSED>(simd, simd.splat_f32(x.0[k]), view(&columns[k])[vector], *sum);
            }
            *y = simd.add_f32(halve(&mut sums, |a, b| simd.add_f32(a, b)), *y);
        }
    }
    y
}

/// The sum of a layer with one output in stack `stack`, with `PARTIAL` sums, a multiple of 16.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn row_float<
    S: Simd,
    const FUSED: bool,
    const PARTIAL: usize,
    const IN: usize,
    const STACKS: usize,
    const INP: usize,
>(
    simd: S,
    x: &Floats<INP>,
    layer: &FloatRow<IN, STACKS, INP>,
    stack: usize,
) -> f32 {
    const { assert!(PARTIAL.is_multiple_of(16) && PARTIAL.is_power_of_two() && IN <= INP) }
    // The values after the last input may be NaNs.
    let mut x = *x;
    x.0[IN..].fill(0.0);
    let mut sums = Partial([0.0; PARTIAL]);
    let vectors: &mut [S::F32] = view_mut(&mut sums.0);
    let (x, w): (&[S::F32], &[S::F32]) = (view(&x.0), view(layer.row(stack)));
    let w = &w[..x.len()];
    for first in (0..x.len()).step_by(vectors.len()) {
        for at in first..x.len().min(first + vectors.len()) {
            vectors[at - first] = multiply_add::<S, FUSED>(simd, x[at], w[at], vectors[at - first]);
        }
    }
    halve(&mut sums.0, |a, b| a + b) + layer.bias[stack][0]
}

/// Partial sums of one output, aligned for any level.
#[repr(C, align(64))]
struct Partial<const N: usize>([f32; N]);

/// Adds the upper half to the lower half until one sum is left.
#[inline(always)]
fn halve<T: Copy, const N: usize>(sums: &mut [T; N], add: impl Fn(T, T) -> T) -> T {
    let mut len = N;
    while len > 1 {
        len /= 2;
        for i in 0..len {
            sums[i] = add(sums[i], sums[i + len]);
        }
    }
    sums[0]
}
