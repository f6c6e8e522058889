//! Rectified linear unit with slope 0.01 for negative values, the default of trainers.
//!
//! ```text
//!   floats    max(y, 0) + min(y, 0) * 0.01      0 for NaN; one of both terms is 0
//! ```
//!
//! # Derivative
//!
//! 1 where `y > 0`, 0.01 elsewhere.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct LeakyRelu;

impl Curve for LeakyRelu {
    fn value<T: Real>(o: Operands<T>) -> T {
        if o.x > T::ZERO {
            o.x
        } else {
            o.x * T::of(0.01)
        }
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [if o.x > T::ZERO { T::ONE } else { T::of(0.01) }, T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "leaky_relu",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::leaky_relu(y),
        real: RealFormula::of::<LeakyRelu>(),
    }),
};
