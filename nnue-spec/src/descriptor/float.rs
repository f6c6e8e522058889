//! Layers of 32-bit floats: what they read, and how whole numbers become floats.

/// What a layer of floats reads of the accumulators, in whole numbers below 2^24, which f32 holds exactly; each is then
/// multiplied by a [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatInput {
    /// `clamp(a[j], 0, one)`: n values per perspective
    Crelu,
    /// `clamp(a[j], 0, one)^2`: n values per perspective
    Screlu,
    /// `clamp(a[j], 0, one) * clamp(a[j + n/2], 0, one)`: n/2 values per perspective
    Pairwise,
    /// `f(a[j])`, a float already: n values per perspective. `f` is the function of the program with this path.
    Own(&'static str),
}

/// Activation of a number `y` where 1.0 is one. Clips give 0 for what is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatActivation {
    /// `clamp(y, 0, 1)`
    Crelu,
    /// `clamp(y, 0, 1)^2`
    Screlu,
    /// `clamp(y^2, 0, 1)`: negative sums count as well
    SqrCrelu,
    /// `y * (clamp(y + 3, 0, 6) * (1/6))`
    HardSwish,
    /// `y[j] * hard_swish(y[j + n/2])` of n sums: n/2 values
    Gated,
    /// `f(y)`; `f` is the function of the program with this path
    Own(&'static str),
}

impl FloatInput {
    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crelu => "crelu",
            Self::Screlu => "screlu",
            Self::Pairwise => "pairwise",
            Self::Own(path) => path,
        }
    }
}

impl FloatActivation {
    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crelu => "crelu",
            Self::Screlu => "screlu",
            Self::SqrCrelu => "sqr_crelu",
            Self::HardSwish => "hard_swish",
            Self::Gated => "gated",
            Self::Own(path) => path,
        }
    }

    /// Values that it makes of `sums` sums.
    pub const fn values(self, sums: usize) -> usize {
        match self {
            Self::Gated => sums / 2,
            Self::Crelu | Self::Screlu | Self::SqrCrelu | Self::HardSwish | Self::Own(_) => sums,
        }
    }
}

/// How whole numbers become floats where 1.0 is one: times `num as f32 / den as f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// numerator
    pub num: u64,
    /// denominator, greater than zero
    pub den: u64,
}
