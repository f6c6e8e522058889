//! Activations of float sums. The order of all operations is the declared one, so that every level
//! gives the same bits.
//!
//! ```text
//!   float_crelu         x[i] = clamp(y[i], 0, 1)                      0 of a NaN
//!   float_screlu        x[i] = clamp(y[i], 0, 1)^2
//!   float_sqr_crelu     x[i] = clamp(y[i]^2, 0, 1)                    0 of a NaN
//!   float_hard_swish    x[i] = y[i] * (clamp(y[i] + 3, 0, 6) * (1/6))
//!   float_relu          x[i] = max(y[i], 0)                           0 of a NaN
//!   float_relu6         x[i] = clamp(y[i], 0, 6)                      0 of a NaN
//!   float_leaky_relu    x[i] = max(y[i], 0) + min(y[i], 0) * 0.01     0 of a NaN
//!   float_sigmoid       x[i] = 1 / (1 + e(y[i]))                      e(y) = exp(-clamp(y, -87, 87)), -87 of a NaN
//!   float_tanh          x[i] = 2 * sigmoid(2 * y[i]) - 1
//!   float_silu          x[i] = max(y[i], -87) * sigmoid(y[i])         -87 of a NaN
//!   float_gated         x[i] = y[i] * hard_swish(y[i + n/2])          n sums give n/2 values
//!   float_glu, float_reglu, float_swiglu                              the same with sigmoid, ReLU and SiLU of the gate
//!   float_custom        x[i] = f(y[i])                                f of the program
//! ```
//!
//! Padding after the last value is activated too; it is never used: zero weights or a copy without
//! it drop it.

use nnue_spec::Activation as Known;

use crate::activation::{self, Activation};
use crate::memory::{Floats, view, view_mut};
use crate::simd::{Simd, Task};

/// `clamp(y, 0, 1)` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_crelu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, clip)
}

/// `clamp(y, 0, 1)^2` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_screlu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, screlu)
}

/// `clamp(y^2, 0, 1)` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_sqr_crelu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, sqr_crelu)
}

/// `y * (clamp(y + 3, 0, 6) * (1/6))` of each value.
#[inline(always)]
pub fn float_hard_swish<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, hard_swish)
}

/// `max(y, 0)` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_relu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, relu)
}

/// `clamp(y, 0, 6)` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_relu6<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, relu6)
}

/// `max(y, 0) + min(y, 0) * 0.01` of each value; a NaN gives 0.
#[inline(always)]
pub fn float_leaky_relu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, leaky_relu)
}

/// `1 / (1 + exp(-y))` of each value.
#[inline(always)]
pub fn float_sigmoid<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, sigmoid)
}

/// `2 * sigmoid(2y) - 1` of each value.
#[inline(always)]
pub fn float_tanh<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, tanh)
}

/// `max(y, -87) * sigmoid(y)` of each value.
#[inline(always)]
pub fn float_silu<S: Simd, const N: usize>(simd: S, values: &Floats<N>) -> Floats<N> {
    map(simd, values, silu)
}

/// The first `LEN` values times the hard swish of the next `LEN`.
#[inline(always)]
pub fn float_gated<S: Simd, const N: usize, const LEN: usize, const NP: usize>(
    simd: S,
    values: &Floats<N>,
) -> Floats<NP> {
    gate::<S, N, LEN, NP>(simd, values, hard_swish)
}

/// The first `LEN` values times the sigmoid of the next `LEN`.
#[inline(always)]
pub fn float_glu<S: Simd, const N: usize, const LEN: usize, const NP: usize>(
    simd: S,
    values: &Floats<N>,
) -> Floats<NP> {
    gate::<S, N, LEN, NP>(simd, values, sigmoid)
}

/// The first `LEN` values times the ReLU of the next `LEN`.
#[inline(always)]
pub fn float_reglu<S: Simd, const N: usize, const LEN: usize, const NP: usize>(
    simd: S,
    values: &Floats<N>,
) -> Floats<NP> {
    gate::<S, N, LEN, NP>(simd, values, relu)
}

/// The first `LEN` values times the SiLU of the next `LEN`.
#[inline(always)]
pub fn float_swiglu<S: Simd, const N: usize, const LEN: usize, const NP: usize>(
    simd: S,
    values: &Floats<N>,
) -> Floats<NP> {
    gate::<S, N, LEN, NP>(simd, values, silu)
}

/// `f(y)` of each of `LEN` values, with a user-defined `f`. The values after them stay zero: `f`
/// might turn them into infinities, which a zero weight does not remove.
#[inline(always)]
pub fn float_custom<S: Simd, A: Activation<f32>, const N: usize, const LEN: usize>(
    simd: S,
    values: &Floats<N>,
    own: A,
) -> Floats<N> {
    let mut out = map(simd, values, |simd, y| activation::apply(simd, own, y));
    out.0[LEN..].fill(0.0);
    out
}

#[inline(always)]
fn hard_swish<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let shifted = simd.add_f32(y, simd.splat_f32(3.0));
    let clipped = simd.min_f32(
        simd.max_f32(shifted, simd.splat_f32(0.0)),
        simd.splat_f32(6.0),
    );
    simd.mul_f32(y, simd.mul_f32(clipped, simd.splat_f32(1.0 / 6.0)))
}

#[inline(always)]
fn clip<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    simd.min_f32(simd.max_f32(y, simd.splat_f32(0.0)), simd.splat_f32(1.0))
}

#[inline(always)]
fn relu<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    simd.max_f32(y, simd.splat_f32(0.0))
}

#[inline(always)]
fn screlu<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let clipped = clip(simd, y);
    simd.mul_f32(clipped, clipped)
}

#[inline(always)]
fn sqr_crelu<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    clip(simd, simd.mul_f32(y, y))
}

#[inline(always)]
fn relu6<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    simd.min_f32(relu(simd, y), simd.splat_f32(6.0))
}

#[inline(always)]
fn leaky_relu<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let negative = simd.min_f32(y, simd.splat_f32(0.0));
    simd.add_f32(relu(simd, y), simd.mul_f32(negative, simd.splat_f32(0.01)))
}

#[inline(always)]
fn tanh<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let two = simd.splat_f32(2.0);
    simd.add_f32(
        simd.mul_f32(sigmoid(simd, simd.mul_f32(y, two)), two),
        simd.splat_f32(-1.0),
    )
}

#[inline(always)]
fn silu<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    simd.mul_f32(simd.max_f32(y, simd.splat_f32(-GREATEST)), sigmoid(simd, y))
}

#[inline(always)]
fn sigmoid<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let one = simd.splat_f32(1.0);
    simd.div_f32(one, simd.add_f32(one, exp_negative(simd, y)))
}

/// The greatest absolute argument of [`exp_negative`].
const GREATEST: f32 = 87.0;

/// Adding and then subtracting it rounds a float of at most 2^22 to an integer.
const WHOLE: f32 = 12_582_912.0; // 1.5 * 2^23

/// ln 2 in two parts; products of the first with integers below 2^15 are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// The coefficients of r^5 to r^2 in the series of `exp(r)`; the sum starts with that of r^6.
const SERIES: [f32; 4] = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 1.0 / 2.0];

/// `exp(-clamp(y, -87, 87))`, where a NaN counts as -87. Computes
/// `2^n * (1 + r + r^2/2 + .. + r^6/720)` with an integer n and |r| at most half of ln 2.
#[inline(always)]
fn exp_negative<S: Simd>(simd: S, y: S::F32) -> S::F32 {
    let of = |x: f32| simd.splat_f32(x);
    let c = simd.min_f32(simd.max_f32(y, of(-GREATEST)), of(GREATEST));
    let whole = simd.add_f32(simd.mul_f32(c, of(-core::f32::consts::LOG2_E)), of(WHOLE));
    let n = simd.add_f32(whole, of(-WHOLE));
    let high = simd.add_f32(simd.mul_f32(c, of(-1.0)), simd.mul_f32(n, of(-LN_2[0])));
    let r = simd.add_f32(high, simd.mul_f32(n, of(-LN_2[1])));
    let mut series = of(1.0 / 720.0);
    for coefficient in SERIES {
        series = simd.add_f32(simd.mul_f32(series, r), of(coefficient));
    }
    let rest = simd.add_f32(simd.mul_f32(simd.mul_f32(series, r), r), r);
    simd.mul_f32(simd.add_f32(rest, of(1.0)), simd.power_of_two_f32(whole))
}

/// `exp(clamp(x, -87, 87))`, where a NaN counts as 87.
#[inline(always)]
pub fn exp<S: Simd>(simd: S, x: S::F32) -> S::F32 {
    exp_negative(simd, simd.mul_f32(x, simd.splat_f32(-1.0)))
}

/// The first `LEN` values times `f` of the next `LEN`.
#[inline(always)]
fn gate<S: Simd, const N: usize, const LEN: usize, const NP: usize>(
    simd: S,
    values: &Floats<N>,
    f: impl Fn(S, S::F32) -> S::F32,
) -> Floats<NP> {
    const { assert!(2 * LEN <= N && LEN <= NP) }
    let (mut out, mut gates) = (Floats::<NP>::zeroed(), Floats::<NP>::zeroed());
    out.0[..LEN].copy_from_slice(&values.0[..LEN]);
    gates.0[..LEN].copy_from_slice(&values.0[LEN..2 * LEN]);
    multiply_gates(simd, view_mut(&mut out.0), view(&gates.0), f);
    out
}

/// `values` times `f` of as many gates.
#[inline(always)]
fn multiply_gates<S: Simd>(
    simd: S,
    values: &mut [S::F32],
    gates: &[S::F32],
    f: impl Fn(S, S::F32) -> S::F32,
) {
    let gates = &gates[..values.len()];
    for at in 0..values.len() {
        values[at] = simd.mul_f32(values[at], f(simd, gates[at]));
    }
}

/// Activates any number of floats, whole vectors of the widest level, in place.
pub(crate) struct ActivateFloats<'a> {
    pub(crate) activation: Known,
    pub(crate) values: &'a mut [f32],
    /// as many as `values`; empty if the activation has none
    pub(crate) gates: &'a [f32],
}

impl Task for ActivateFloats<'_> {
    type Output = ();

    /// # Panics
    ///
    /// If the activation is not one of floats, or if it has gates and there are fewer gates than
    /// values.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (values, gates) = (view_mut(self.values), self.gates);
        match self.activation {
            Known::Gated => multiply_gates(simd, values, view(gates), hard_swish),
            Known::Glu => multiply_gates(simd, values, view(gates), sigmoid),
            Known::Reglu => multiply_gates(simd, values, view(gates), relu),
            Known::Swiglu => multiply_gates(simd, values, view(gates), silu),
            other => activate_floats(simd, other, values),
        }
    }
}

/// Activates vectors of any length, for networks over a dense input.
///
/// # Panics
///
/// If the activation is not one of single floats.
#[inline(always)]
pub(crate) fn activate_floats<S: Simd>(simd: S, activation: Known, values: &mut [S::F32]) {
    match activation {
        Known::Crelu => each(simd, values, clip),
        Known::Screlu => each(simd, values, screlu),
        Known::SqrCrelu => each(simd, values, sqr_crelu),
        Known::HardSwish => each(simd, values, hard_swish),
        Known::Relu => each(simd, values, relu),
        Known::Relu6 => each(simd, values, relu6),
        Known::LeakyRelu => each(simd, values, leaky_relu),
        Known::Sigmoid => each(simd, values, sigmoid),
        Known::Tanh => each(simd, values, tanh),
        Known::Silu => each(simd, values, silu),
        _ => panic!("{activation:?} is no activation of single floats"),
    }
}

#[inline(always)]
fn each<S: Simd>(simd: S, values: &mut [S::F32], f: impl Fn(S, S::F32) -> S::F32) {
    for y in values {
        *y = f(simd, *y);
    }
}

#[inline(always)]
fn map<S: Simd, const N: usize>(
    simd: S,
    values: &Floats<N>,
    f: impl Fn(S, S::F32) -> S::F32,
) -> Floats<N> {
    let mut out = *values;
    each(simd, view_mut(&mut out.0), f);
    out
}
