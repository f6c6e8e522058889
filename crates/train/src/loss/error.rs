//! How the difference of expected results counts.

use super::Expected;

/// A function of the expected result `q` that the outputs say, and of the target `p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// `|p - q|^exponent`, and times `1 + asymmetry` where q is above p
    Power {
        /// 2: squared error
        exponent: f64,
        /// how much more it costs to expect too much; 0: as much
        asymmetry: f64,
    },
    /// `-p ln(q) - (1 - p) ln(1 - q)`; of outputs for loss, draw and win, `-sum of t ln(share)`, where t are their probabilities
    CrossEntropy,
}

impl Error {
    /// The squared error.
    pub const SQUARED: Self = Self::Power {
        exponent: 2.0,
        asymmetry: 0.0,
    };

    /// The error, and its derivative by whatever `expected` has its slope by.
    pub(super) fn of(self, expected: Expected, target: f64) -> (f64, f64) {
        let Expected {
            points,
            rest,
            slope,
        } = expected;
        let difference = points - target;
        match self {
            Self::Power {
                exponent,
                asymmetry,
            } => {
                let factor = if difference > 0.0 {
                    1.0 + asymmetry
                } else {
                    1.0
                };
                let size = difference.abs();
                let power = factor * size.powf(exponent - 1.0);
                (power * size, exponent * power * difference.signum() * slope)
            }
            Self::CrossEntropy => {
                let loss = -target * ln(points) - (1.0 - target) * ln(rest);
                // Slope and product vanish together: their quotient does not.
                (
                    loss,
                    difference * (slope / (points * rest).max(f64::MIN_POSITIVE)),
                )
            }
        }
    }
}

/// The natural logarithm; of 0, that of the smallest number.
pub(super) fn ln(x: f64) -> f64 {
    x.max(f64::MIN_POSITIVE).ln()
}
