//! How whole numbers become floats.

/// How whole numbers become floats where 1.0 is one: times `num as f32 / den as f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// numerator
    pub num: u64,
    /// denominator, greater than zero
    pub den: u64,
}
