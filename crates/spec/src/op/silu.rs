//! Sigmoid linear unit, also called swish.
//!
//! ```text
//!   floats    max(y, -87) * sigmoid(y)      with the sigmoid of floats; -87 for NaN
//! ```
//!
//! # Derivative
//!
//! `s + y * s * (1 - s)` with `s = sigmoid(y)`.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct Silu;

impl Curve for Silu {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x * float::real_sigmoid(o.x)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let s = float::real_sigmoid(o.x);
        [s + o.x * s * (T::ONE - s), T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "silu",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::silu(y),
        real: RealFormula::of::<Silu>(),
    }),
};
