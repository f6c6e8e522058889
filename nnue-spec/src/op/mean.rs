//! The mean of values of a layer.
//!
//! ```text
//!   bytes     (2 * sum + n) / (2 * n), the division rounding down: the nearest whole number, halves rounded up
//!   floats    the sum, from the first value on, divided by n
//! ```
//!
//! # Derivative
//!
//! `1 / n` of each value.

/// The mean of bytes.
///
/// ```
/// use nnue_spec::op::mean;
/// assert_eq!([mean::of_bytes(&[0, 1]), mean::of_bytes(&[0, 0, 1]), mean::of_bytes(&[127; 5])], [1, 0, 127]);
/// ```
///
/// # Panics
///
/// If there are no values.
pub fn of_bytes(values: &[u8]) -> u8 {
    let sum: usize = values.iter().map(|&value| usize::from(value)).sum();
    ((2 * sum + values.len()) / (2 * values.len())) as u8
}

/// The mean of floats.
pub fn of_floats(values: &[f32]) -> f32 {
    values.iter().copied().reduce(|sum, value| sum + value).unwrap_or(0.0) / values.len() as f32
}
