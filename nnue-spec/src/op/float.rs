//! Parts of the formulas of floats.

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
pub(super) fn real_hard_swish(y: f64) -> f64 {
    y * (y + 3.0).clamp(0.0, 6.0) / 6.0
}
