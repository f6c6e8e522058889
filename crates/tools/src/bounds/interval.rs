//! Ranges of integers.

use std::fmt;
use std::ops::Add;

/// The integers from `min` to `max`, both included; `min <= max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// lower end
    pub min: i64,
    /// upper end
    pub max: i64,
}

impl Interval {
    /// All values of i16.
    pub const I16: Self = Self {
        min: i16::MIN as i64,
        max: i16::MAX as i64,
    };
    /// All values of i32.
    pub const I32: Self = Self {
        min: i32::MIN as i64,
        max: i32::MAX as i64,
    };
    /// Only 0.
    pub const ZERO: Self = Self { min: 0, max: 0 };

    /// Only `value`.
    pub(super) fn of(value: impl Into<i64>) -> Self {
        let value = value.into();
        Self {
            min: value,
            max: value,
        }
    }

    /// True if every value fits in i16.
    pub const fn fits_i16(self) -> bool {
        self.is_within(Self::I16)
    }

    /// True if every value fits in i32.
    pub const fn fits_i32(self) -> bool {
        self.is_within(Self::I32)
    }

    /// True if every value lies in `other`.
    pub const fn is_within(self, other: Self) -> bool {
        other.min <= self.min && self.max <= other.max
    }

    /// The smallest interval with the values of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The negated values.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self {
            min: -self.max,
            max: -self.min,
        }
    }

    /// The values times `factor`, which must not be negative.
    #[must_use]
    pub(super) const fn scaled(self, factor: i64) -> Self {
        Self {
            min: self.min.saturating_mul(factor),
            max: self.max.saturating_mul(factor),
        }
    }

    /// The values divided by a positive `by`, rounded toward zero.
    #[must_use]
    pub(super) const fn divided(self, by: i64) -> Self {
        Self {
            min: self.min / by,
            max: self.max / by,
        }
    }

    /// The values clamped to i32.
    #[must_use]
    pub(super) const fn held_to_i32(self) -> Self {
        const fn held(value: i64) -> i64 {
            if value < Interval::I32.min {
                Interval::I32.min
            } else if value > Interval::I32.max {
                Interval::I32.max
            } else {
                value
            }
        }
        Self {
            min: held(self.min),
            max: held(self.max),
        }
    }

    /// The values after wrapping to i32: unchanged if all fit, otherwise any i32.
    #[must_use]
    pub(super) const fn wrapped_i32(self) -> Self {
        if self.fits_i32() { self } else { Self::I32 }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            min: self.min + other.min,
            max: self.max + other.max,
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..={}", self.min, self.max)
    }
}
