//! Rectified linear unit.
//!
//! ```text
//!   floats    max(y, 0)      0 for NaN
//! ```
//!
//! # Derivative
//!
//! 1 where `y > 0`, 0 elsewhere.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct Relu;

impl Curve for Relu {
    fn value<T: Real>(o: Operands<T>) -> T {
        if o.x > T::ZERO { o.x } else { T::ZERO }
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [if o.x > T::ZERO { T::ONE } else { T::ZERO }, T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "relu",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::relu(y),
        real: RealFormula::of::<Relu>(),
    }),
};
