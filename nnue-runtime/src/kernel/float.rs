//! Float layers; their activations are in `float_activation`. The order of all operations is the
//! declared one, so that every level gives the same bits.
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
//! With `FUSED`, `a + b c` is rounded once everywhere; otherwise the product is rounded first
//! everywhere. The compiler never fuses the two by itself.

use nnue_spec::Activation as Known;

use crate::float::{FloatLayer, FloatRow};
use crate::memory::{Floats, Line, Sums, view, view_mut};
use crate::simd::{Simd, Task};

/// `a * b + c`, rounded once if `FUSED`, else twice.
#[inline(always)]
pub(super) fn multiply_add<S: Simd, const FUSED: bool>(
    simd: S,
    a: S::F32,
    b: S::F32,
    c: S::F32,
) -> S::F32 {
    if FUSED {
        simd.mul_add_f32(a, b, c)
    } else {
        simd.add_f32(simd.mul_f32(a, b), c)
    }
}

/// The sums of an integer layer as floats, with the bias added.
#[inline(always)]
pub fn float_sums<S: Simd, const FUSED: bool, const OUT: usize, const OUTP: usize>(
    simd: S,
    sums: &Sums<OUTP>,
    bias: &[f32; OUT],
    unit: f32,
) -> Floats<OUTP> {
    let mut out = Floats::zeroed();
    out.0[..OUT].copy_from_slice(bias);
    add_sums::<S, FUSED>(simd, &sums.0, unit, &mut out.0);
    out
}

/// Adds whole vectors of sums, as floats, to `y`.
#[inline(always)]
fn add_sums<S: Simd, const FUSED: bool>(simd: S, sums: &[i32], unit: f32, y: &mut [f32]) {
    let unit = simd.splat_f32(unit);
    let (sums, y): (&[S::F32], &mut [S::F32]) = (view(sums), view_mut(y));
    let sums = &sums[..y.len()];
    for at in 0..y.len() {
        y[at] = multiply_add::<S, FUSED>(simd, simd.f32_of_i32(sums[at]), unit, y[at]);
    }
}

/// Adds the sums of a layer of any size, as floats, to `y`, which holds its biases followed by
/// zeros.
pub(crate) struct AddSums<'a, const FUSED: bool> {
    pub(crate) sums: &'a [i32],
    pub(crate) unit: f32,
    pub(crate) y: &'a mut [f32],
}

impl<const FUSED: bool> Task for AddSums<'_, FUSED> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        add_sums::<S, FUSED>(simd, self.sums, self.unit, self.y);
    }
}

/// `clamp(a, 0, ONE) * unit` of the accumulators, the side to move first.
#[inline(always)]
pub fn accumulator_crelu<
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    accumulator_custom(accumulators, |a| clamped(a, ONE) as f32 * unit)
}

/// `clamp(a, 0, ONE)^2 * unit` of the accumulators, the side to move first.
#[inline(always)]
pub fn accumulator_screlu<
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    accumulator_custom(accumulators, |a| {
        (clamped(a, ONE) * clamped(a, ONE)) as f32 * unit
    })
}

/// `clamp(a, 0, ONE) * clamp(b, 0, ONE) * unit` of the halves of each accumulator, the side to move first.
#[inline(always)]
pub fn accumulator_pairwise<
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
    const ONE: i16,
>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    unit: f32,
) -> Floats<N> {
    const { assert!(2 * N == W * PERSPECTIVES) }
    let mut out = Floats::zeroed();
    for (out, accumulator) in out.0.chunks_exact_mut(W / 2).zip(accumulators) {
        multiply_halves(accumulator, ONE, unit, out);
    }
    out
}

#[inline(always)]
fn multiply_halves(accumulator: &[i16], one: i16, unit: f32, out: &mut [f32]) {
    let (first, second) = accumulator.split_at(accumulator.len() / 2);
    for ((x, &a), &b) in out.iter_mut().zip(first).zip(second) {
        *x = (clamped(a, one) * clamped(b, one)) as f32 * unit;
    }
}

/// An accumulator of any width as floats.
///
/// # Panics
///
/// If the activation does not turn accumulators into floats.
pub(crate) fn accumulator_floats(
    activation: Known,
    accumulator: &[i16],
    one: i16,
    unit: f32,
    out: &mut [f32],
) {
    match activation {
        Known::Crelu => apply(accumulator, out, |a| clamped(a, one) as f32 * unit),
        Known::Screlu => apply(accumulator, out, |a| {
            (clamped(a, one) * clamped(a, one)) as f32 * unit
        }),
        Known::Pairwise => multiply_halves(accumulator, one, unit, out),
        other => panic!("{other:?} is no activation of accumulators to floats"),
    }
}

#[inline(always)]
fn apply(accumulator: &[i16], out: &mut [f32], f: impl Fn(i16) -> f32) {
    out.iter_mut()
        .zip(accumulator)
        .for_each(|(x, &a)| *x = f(a));
}

/// `f(a)` of the accumulators, the side to move first, with a user-defined `f`. The compiler
/// vectorises it if it can.
#[inline(always)]
pub fn accumulator_custom<
    F: Fn(i16) -> f32,
    const W: usize,
    const PERSPECTIVES: usize,
    const N: usize,
>(
    accumulators: [&[i16; W]; PERSPECTIVES],
    own: F,
) -> Floats<N> {
    const { assert!(N == W * PERSPECTIVES) }
    let mut out = Floats::zeroed();
    for (out, accumulator) in out.0.chunks_exact_mut(W).zip(accumulators) {
        apply(accumulator, out, &own);
    }
    out
}

#[inline(always)]
fn clamped(a: i16, one: i16) -> i32 {
    a.clamp(0, one).into()
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

/// The sums of a layer, in stack `stack`, with `PARTIAL` partial sums per output; 0 means a single
/// chain of additions.
///
/// # Panics
///
/// If there is no such stack.
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
    let mut sums = [simd.splat_f32(0.0); PARTIAL];
    add_columns::<S, FUSED>(
        simd,
        &x.0[..IN],
        layer.columns(stack).as_flattened(),
        &mut y.0,
        &mut sums,
    );
    y
}

/// Adds the products of inputs with their columns, each as long as `y`, to `y`; by partial sums, if
/// there are `sums`.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn add_columns<S: Simd, const FUSED: bool>(
    simd: S,
    x: &[f32],
    columns: &[f32],
    y: &mut [f32],
    sums: &mut [S::F32],
) {
    let (columns, y): (&[S::F32], &mut [S::F32]) = (view(columns), view_mut(y));
    let stride = y.len();
    for vector in 0..y.len() {
        if sums.is_empty() {
            for k in 0..x.len() {
                let column = columns[k * stride + vector];
                y[vector] = multiply_add::<S, FUSED>(simd, simd.splat_f32(x[k]), column, y[vector]);
            }
        } else {
            for k in 0..sums.len() {
                sums[k] = simd.splat_f32(0.0);
            }
            for k in 0..x.len() {
                let (sum, column) = (k % sums.len(), columns[k * stride + vector]);
                sums[sum] = multiply_add::<S, FUSED>(simd, simd.splat_f32(x[k]), column, sums[sum]);
            }
            y[vector] = simd.add_f32(halve(sums, |a, b| simd.add_f32(a, b)), y[vector]);
        }
    }
}

/// Adds the products of a layer of any size to `y`, which holds its biases. `sums` is scratch: a
/// line for each partial sum.
pub(crate) struct AddColumns<'a, const FUSED: bool> {
    pub(crate) x: &'a [f32],
    /// one column as long as `y` for each input
    pub(crate) columns: &'a [f32],
    pub(crate) y: &'a mut [f32],
    pub(crate) sums: &'a mut [Line],
    /// the number of partial sums
    pub(crate) partial: usize,
}

impl<const FUSED: bool> Task for AddColumns<'_, FUSED> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            x,
            columns,
            y,
            sums,
            partial,
        } = self;
        let sums: &mut [S::F32] = view_mut(sums);
        add_columns::<S, FUSED>(simd, x, columns, y, &mut sums[..partial]);
    }
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
    sum_row::<S, FUSED>(simd, &x.0, layer.row(stack), &mut sums.0) + layer.bias[stack][0]
}

/// The sum of the products of whole vectors of inputs with a row, by partial sums. `sums` must be
/// zero.
#[inline(always)]
fn sum_row<S: Simd, const FUSED: bool>(simd: S, x: &[f32], row: &[f32], sums: &mut [f32]) -> f32 {
    let vectors: &mut [S::F32] = view_mut(sums);
    let (x, w): (&[S::F32], &[S::F32]) = (view(x), view(row));
    let w = &w[..x.len()];
    for first in (0..x.len()).step_by(vectors.len()) {
        for at in first..x.len().min(first + vectors.len()) {
            vectors[at - first] = multiply_add::<S, FUSED>(simd, x[at], w[at], vectors[at - first]);
        }
    }
    halve(sums, |a, b| a + b)
}

/// The sum of a row of any size.
pub(crate) struct SumRow<'a, const FUSED: bool> {
    /// must be zero after the last input
    pub(crate) x: &'a [f32],
    pub(crate) row: &'a [f32],
    /// must be zero
    pub(crate) sums: &'a mut [f32],
}

impl<const FUSED: bool> Task for SumRow<'_, FUSED> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        sum_row::<S, FUSED>(simd, self.x, self.row, self.sums)
    }
}

/// Partial sums of one output, aligned for any level.
#[repr(C, align(64))]
struct Partial<const N: usize>([f32; N]);

/// Adds the upper half to the lower half until one sum is left.
#[inline(always)]
fn halve<T: Copy>(sums: &mut [T], add: impl Fn(T, T) -> T) -> T {
    let mut len = sums.len();
    while len > 1 {
        len /= 2;
        for i in 0..len {
            sums[i] = add(sums[i], sums[i + len]);
        }
    }
    sums[0]
}
