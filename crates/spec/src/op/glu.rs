//! A gated linear unit: the lower half of n sums, each times the [sigmoid](super::sigmoid) of its gate in the
//! upper half (Dauphin and others, 2017).
//!
//! ```text
//!   floats    y[j] * sigmoid(y[j + n/2])      n/2 values
//! ```
//!
//! # Derivative
//!
//! For the value `sigmoid(gate)`; for the gate `y * s * (1 - s)` with `s = sigmoid(gate)`.

use super::gate::Gate;
use super::sigmoid::Sigmoid;
use super::{FloatFormula, Operation, Pairs, RealFormula, float};

pub(super) const OPERATION: Operation = Operation {
    name: "glu",
    pairs: Some(Pairs::Halves),
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, gate| y * float::sigmoid(gate),
        real: RealFormula::of::<Gate<Sigmoid>>(),
    }),
};
