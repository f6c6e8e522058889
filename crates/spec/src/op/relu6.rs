//! Rectified linear unit, clipped at six.
//!
//! ```text
//!   floats    clamp(y, 0, 6)      0 for NaN
//! ```
//!
//! # Derivative
//!
//! 1 where `0 < y < 6`, 0 elsewhere.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct Relu6;

impl Curve for Relu6 {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x.clip(T::of(6.0))
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [
            if o.x > T::ZERO && o.x < T::of(6.0) {
                T::ONE
            } else {
                T::ZERO
            },
            T::ZERO,
        ]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "relu6",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::relu6(y),
        real: RealFormula::of::<Relu6>(),
    }),
};
