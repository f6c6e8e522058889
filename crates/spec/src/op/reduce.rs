//! Reductions: the mean or the maximum of each run of neighbours.
//!
//! ```text
//!   x[0] .. x[size - 1] | x[size] .. x[2 size - 1] | ..        a result for each run; of `mean(x)`, all values are one run
//!
//!                bytes                                   floats
//!   mean         (2 * sum + size) / (2 * size)           the sum, from the first value on, divided by size
//!   maximum      the greatest                            from the first value on: a > b ? a : b
//! ```
//!
//! The division of bytes rounds down, so the mean is the nearest integer, halves rounded up. For two values
//! it equals their [average](super::pool); for four, the average of two averages may be greater by one.
//!
//! # Derivative
//!
//! Mean: `1 / size` for each value. Maximum: 1 for the greatest value, 0 for the others; the first of equal
//! values counts.

/// The reduction of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// the mean
    Mean,
    /// the maximum
    Maximum,
}

impl Reduce {
    /// The name as written in a declaration, for all values or for runs of a written size.
    pub const fn name(self, all: bool) -> &'static str {
        match (self, all) {
            (Self::Mean, true) => "mean",
            (Self::Mean, false) => "avg_neighbours",
            (Self::Maximum, _) => "max_neighbours",
        }
    }

    /// The result of a run of bytes.
    ///
    /// ```
    /// use nnue_spec::op::Reduce::{Maximum, Mean};
    /// assert_eq!([Mean.of_bytes(&[0, 1]), Mean.of_bytes(&[0, 0, 1]), Mean.of_bytes(&[127; 5])], [1, 0, 127]);
    /// assert_eq!(Maximum.of_bytes(&[3, 9, 4]), 9);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are no values.
    pub fn of_bytes(self, values: &[u8]) -> u8 {
        let sum: usize = values.iter().map(|&value| usize::from(value)).sum();
        match self {
            Self::Mean => ((2 * sum + values.len()) / (2 * values.len())) as u8,
            Self::Maximum => values.iter().copied().fold(0, u8::max),
        }
    }

    /// The result of a run of floats, every operation rounded to f32.
    pub fn of_floats(self, values: &[f32]) -> f32 {
        let values_in_order = values.iter().copied();
        match self {
            Self::Mean => {
                values_in_order
                    .reduce(|sum, value| sum + value)
                    .unwrap_or(0.0)
                    / values.len() as f32
            }
            Self::Maximum => values_in_order
                .reduce(|a, b| if a > b { a } else { b })
                .unwrap_or(0.0),
        }
    }

    /// The result of a run of real numbers.
    pub fn of_reals(self, values: &[f64]) -> f64 {
        match self {
            Self::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Self::Maximum => values.iter().copied().reduce(f64::max).unwrap_or(0.0),
        }
    }
}
