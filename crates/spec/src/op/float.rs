//! Float formulas shared by several activations.

use super::Real;
use crate::wdl::exp;

/// `clamp(y, 0, 1)`; NaN and -0 become 0.
pub(super) fn clipped(y: f32) -> f32 {
    if y > 0.0 { y.min(1.0) } else { 0.0 }
}

/// `y * (clamp(y + 3, 0, 6) * (1/6))`
pub(super) fn hard_swish(y: f32) -> f32 {
    let shifted = y + 3.0;
    let clipped = if shifted > 0.0 { shifted.min(6.0) } else { 0.0 };
    y * (clipped * (1.0 / 6.0))
}

/// [`hard_swish`] without rounding.
pub(super) fn real_hard_swish<T: Real>(y: T) -> T {
    y * (y + T::of(3.0)).clip(T::of(6.0)) * T::of(1.0 / 6.0)
}

/// Derivative of [`hard_swish`]: 0 where `y <= -3`, 1 where `y >= 3`, `(2y + 3) / 6` between.
pub(super) fn slope_of_hard_swish<T: Real>(y: T) -> T {
    let three = T::of(3.0);
    if y <= -three {
        T::ZERO
    } else if y >= three {
        T::ONE
    } else {
        (y + y + three) * T::of(1.0 / 6.0)
    }
}

/// `max(y, 0)`; NaN and -0 become 0.
pub(super) fn relu(y: f32) -> f32 {
    if y > 0.0 { y } else { 0.0 }
}

/// `clamp(y, 0, 6)`; NaN and -0 become 0.
pub(super) fn relu6(y: f32) -> f32 {
    if relu(y) < 6.0 { relu(y) } else { 6.0 }
}

/// `max(y, 0) + min(y, 0) * 0.01`
pub(super) fn leaky_relu(y: f32) -> f32 {
    let negative = if y < 0.0 { y } else { 0.0 };
    relu(y) + negative * 0.01
}

/// `1 / (1 + exp(-y))`
pub(super) fn sigmoid(y: f32) -> f32 {
    1.0 / (1.0 + exp_negative(y))
}

/// [`sigmoid`] without rounding.
pub(super) fn real_sigmoid<T: Real>(y: T) -> T {
    T::of(1.0 / (1.0 + exp(-y.get())))
}

/// `2 * sigmoid(2y) - 1`
pub(super) fn tanh(y: f32) -> f32 {
    sigmoid(y * 2.0) * 2.0 + -1.0
}

/// `max(y, -87) * sigmoid(y)`
pub(super) fn silu(y: f32) -> f32 {
    let value = if y > -GREATEST { y } else { -GREATEST };
    value * sigmoid(y)
}

/// `exp(clamp(x, -87, 87))`, 87 for NaN; the relative error is below 2^-21. Every level gives the same bits.
pub fn exponential(x: f32) -> f32 {
    exp_negative(-x)
}

/// Bound of the argument of [`exp_negative`], so that the exponential and its inverse are normal floats.
const GREATEST: f32 = 87.0;

/// Adding it to a float of at most 2^22 rounds to an integer n; the bits of the sum are those of the constant
/// plus n.
const WHOLE: f32 = 12_582_912.0; // 1.5 * 2^23

/// ln 2 in two parts. The first has nine bits, so its products with integers below 2^15 are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// The coefficients of r^6 to r^2 in the series of `exp(r)`.
const SERIES: [f32; 5] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 1.0 / 2.0];

/// `exp(-c)` with `c = clamp(y, -87, 87)`, -87 for NaN; the relative error is below 2^-21.
///
/// ```text
///   n = -c / ln 2, rounded to a whole number, ties to even
///   r = -c - n ln 2                          at most half of ln 2, in absolute value
///   exp(-c) = 2^n * (1 + r + r^2/2 + .. + r^6/720)
/// ```
///
/// Only additions and multiplications, each rounded to f32 in the order below, so that every vector level
/// gives the same bits.
fn exp_negative(y: f32) -> f32 {
    let c = if y > -GREATEST { y } else { -GREATEST };
    let c = if c < GREATEST { c } else { GREATEST };
    let whole = c * -core::f32::consts::LOG2_E + WHOLE;
    let n = whole + -WHOLE;
    let r = (-c + n * -LN_2[0]) + n * -LN_2[1];
    let series = SERIES
        .into_iter()
        .fold(0.0, |sum, coefficient| sum * r + coefficient);
    let power = f32::from_bits(whole.to_bits().wrapping_add(127) << 23);
    (((series * r) * r + r) + 1.0) * power
}
