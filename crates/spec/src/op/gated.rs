//! A gated linear unit: the lower half of n sums, each times the [hard swish](super::hard_swish) of its gate
//! in the upper half.
//!
//! ```text
//!   floats    y[j] * hard_swish(y[j + n/2])      n/2 values
//! ```
//!
//! # Derivative
//!
//! For the value `hard_swish(gate)`; for the gate `y * hard_swish'(gate)`.

use super::gate::Gate;
use super::hard_swish::HardSwish;
use super::{FloatFormula, Operation, Pairs, RealFormula, float};

pub(super) const OPERATION: Operation = Operation {
    name: "gated",
    pairs: Some(Pairs::Halves),
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, gate| y * float::hard_swish(gate),
        real: RealFormula::of::<Gate<HardSwish>>(),
    }),
};
