//! Error functions of expected results.

use super::Expected;

/// An error function of the expected result `q` of the outputs and the target `p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// `|p - q|^exponent`, times `1 + asymmetry` if q is above p
    Power {
        /// 2: squared error
        exponent: f64,
        /// extra cost of an expectation that is too high; 0: none
        asymmetry: f64,
    },
    /// `-p ln(q) - (1 - p) ln(1 - q)`; for WDL heads `-sum of t ln(share)` with the target probabilities `t`
    CrossEntropy,
}

impl Error {
    /// The squared error.
    pub const SQUARED: Self = Self::Power {
        exponent: 2.0,
        asymmetry: 0.0,
    };

    /// The error, and its derivative with respect to the variable of `expected.slope`.
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
                // Slope and product vanish together; their quotient stays finite.
                (
                    loss,
                    difference * (slope / (points * rest).max(f64::MIN_POSITIVE)),
                )
            }
        }
    }
}

/// The natural logarithm, finite at 0.
pub(super) fn ln(x: f64) -> f64 {
    x.max(f64::MIN_POSITIVE).ln()
}
