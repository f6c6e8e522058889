//! The hyperbolic tangent.
//!
//! ```text
//!   floats    2 * sigmoid(2y) - 1      with the sigmoid of floats; -1 for NaN
//! ```
//!
//! # Derivative
//!
//! `1 - t * t` of the result `t`.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct Tanh;

impl Curve for Tanh {
    fn value<T: Real>(o: Operands<T>) -> T {
        let s = float::real_sigmoid(o.x + o.x);
        s + s - T::ONE
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let t = Self::value(o);
        [T::ONE - t * t, T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "tanh",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::tanh(y),
        real: RealFormula::of::<Tanh>(),
    }),
};
