//! Squared clipped ReLU without a shift.
//!
//! ```text
//!   accumulators, whole    clamp(a, 0, one)^2
//!   floats                 clamp(y, 0, 1)^2      0 for NaN
//! ```
//!
//! # Derivative
//!
//! With 1.0 as one: `2y` where `0 < y < 1`, 0 elsewhere.

use super::{FloatFormula, Formula, Operation, Shift, float, product};

pub(super) const OPERATION: Operation = Operation {
    name: "screlu",
    pairs: None,
    accumulators: None,
    whole: Some(Formula {
        shift: Shift::None,
        ..product::BYTES
    }),
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::clipped(y) * float::clipped(y),
        real: product::BYTES.real,
    }),
};
