//! The logistic function.
//!
//! ```text
//!   floats    1 / (1 + exp(-c)), c = clamp(y, -87, 87)      -87 for NaN; `exp` in `float.rs`
//! ```
//!
//! # Derivative
//!
//! `s * (1 - s)` of the result `s`.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct Sigmoid;

impl Curve for Sigmoid {
    fn value<T: Real>(o: Operands<T>) -> T {
        float::real_sigmoid(o.x)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let s = float::real_sigmoid(o.x);
        [s * (T::ONE - s), T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "sigmoid",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::sigmoid(y),
        real: RealFormula::of::<Sigmoid>(),
    }),
};
