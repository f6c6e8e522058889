//! Conversion of integers to floats, and factors of floats.

use core::fmt;

/// A factor of floats: `num as f32 / den as f32`. Of integers, it is what 1 stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// numerator
    pub num: u64,
    /// denominator, greater than zero
    pub den: u64,
}

impl Unit {
    /// A factor that is a whole number.
    pub const fn whole(num: u64) -> Self {
        Self { num, den: 1 }
    }

    /// The factor, rounded once if both numbers are at most 2^24.
    #[inline(always)]
    pub const fn factor(self) -> f32 {
        self.num as f32 / self.den as f32
    }

    /// The factor as a real number.
    #[inline(always)]
    pub const fn real(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

/// In decimal: `192.5`.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.real().fmt(f)
    }
}
