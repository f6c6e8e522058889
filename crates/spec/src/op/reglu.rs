//! A gated linear unit: the lower half of n sums, each times the [ReLU](super::relu) of its gate in the upper
//! half (Shazeer, 2020).
//!
//! ```text
//!   floats    y[j] * max(y[j + n/2], 0)      n/2 values; the gate is 0 for NaN
//! ```
//!
//! # Derivative
//!
//! For the value `max(gate, 0)`; for the gate `y` where `gate > 0`, 0 elsewhere.

use super::gate::Gate;
use super::relu::Relu;
use super::{FloatFormula, Operation, Pairs, RealFormula, float};

pub(super) const OPERATION: Operation = Operation {
    name: "reglu",
    pairs: Some(Pairs::Halves),
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, gate| y * float::relu(gate),
        real: RealFormula::of::<Gate<Relu>>(),
    }),
};
