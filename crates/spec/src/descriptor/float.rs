//! Conversion of integers to floats.

/// Conversion of integers to floats: `x as f32 * (num as f32 / den as f32)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// numerator
    pub num: u64,
    /// denominator, greater than zero
    pub den: u64,
}
