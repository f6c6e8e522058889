//! Parts of the formulas of floats.

use super::Real;

/// `clamp(y, 0, 1)`. What is no number, and -0, become 0.
pub(super) fn clipped(y: f32) -> f32 {
    if y > 0.0 { y.min(1.0) } else { 0.0 }
}

/// `y * (clamp(y + 3, 0, 6) * (1/6))`
pub(super) fn hard_swish(y: f32) -> f32 {
    let shifted = y + 3.0;
    let clipped = if shifted > 0.0 { shifted.min(6.0) } else { 0.0 };
    y * (clipped * (1.0 / 6.0))
}

/// The same, not rounded.
pub(super) fn real_hard_swish<T: Real>(y: T) -> T {
    y * (y + T::of(3.0)).clip(T::of(6.0)) * T::of(1.0 / 6.0)
}

/// Its derivative: 0 where `y <= -3`, 1 where `y >= 3`, `(2y + 3) / 6` between.
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
