//! Hard swish.
//!
//! ```text
//!   floats    y * (clamp(y + 3, 0, 6) * (1/6))      the clamp gives 0 for NaN
//! ```
//!
//! # Derivative
//!
//! 0 where `y <= -3`, 1 where `y >= 3`, `(2y + 3) / 6` between.

use super::{Curve, FloatFormula, Operands, Operation, Real, RealFormula, float};

pub(super) struct HardSwish;

impl Curve for HardSwish {
    fn value<T: Real>(o: Operands<T>) -> T {
        float::real_hard_swish(o.x)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [float::slope_of_hard_swish(o.x), T::ZERO]
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "hard_swish",
    pairs: None,
    accumulators: None,
    whole: None,
    sums: None,
    floats: Some(FloatFormula {
        value: |y, _| float::hard_swish(y),
        real: RealFormula::of::<HardSwish>(),
    }),
};
