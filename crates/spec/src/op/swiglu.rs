//! A gated linear unit: the lower half of n sums, each times the [SiLU](super::silu) of its gate in the upper
//! half (Shazeer, 2020).
//!
//! ```text
//!   floats    y[j] * silu(y[j + n/2])      n/2 values
//! ```
//!
//! # Derivative
//!
//! For the value `silu(gate)`; for the gate `y * silu'(gate)`.

use super::gate::Gate;
use super::silu::Silu;
use super::{FloatFormula, Operation, Pairs, RealFormula, float};

pub(super) const OPERATION: Operation = Operation {
    name: "swiglu",
    pairs: Some(Pairs::Halves),
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, gate| y * float::silu(gate),
        real: RealFormula::of::<Gate<Silu>>(),
    }),
};
