//! A gated linear unit: the lower half of n sums, each times the [hard swish](super::hard_swish) of its gate in the upper half.
//!
//! ```text
//!   floats    y[j] * hard_swish(y[j + n/2])      n/2 values
//! ```
//!
//! # Derivative
//!
//! For the value `hard_swish(gate)`; for the gate `y * hard_swish'(gate)`.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

/// `y` is the gate of `x`.
struct Gated;

impl Curve for Gated {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x * float::real_hard_swish(o.y)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [float::real_hard_swish(o.y), o.x * float::slope_of_hard_swish(o.y)]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "gated",
    halves: true,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula { value: |y, gate| y * float::hard_swish(gate), real: RealFormula::of::<Gated>() }),
};
