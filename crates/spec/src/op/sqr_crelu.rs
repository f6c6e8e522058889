//! Squared clipped ReLU. Negative accumulators give 0; negative sums are squared too.
//!
//! ```text
//!   accumulators, bytes    clamp(a, 0, one)^2 >> shift
//!   sums                   min(127, (y * y) >> shift)      the product in 64 bits
//!   floats                 clamp(y^2, 0, 1)                0 for NaN
//! ```
//!
//! # Derivative
//!
//! With 1.0 as one: of accumulators `2a` where `0 < a < 1`, of sums `2y` where `-1 < y < 1`; 0 elsewhere.

use super::{
    Curve, FloatFormula, Formula, Operands, Operation, Real, RealFormula, Shift, float, product,
    unit_of_sums,
};
use crate::quant;

/// The square of sums and floats.
struct Square;

impl Curve for Square {
    fn value<T: Real>(o: Operands<T>) -> T {
        (o.x * o.x * o.shifted()).at_most(o.one)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let is_clipped = o.x * o.x * o.shifted() >= o.one;
        [
            if is_clipped {
                T::ZERO
            } else {
                (o.x + o.x) * o.shifted()
            },
            T::ZERO,
        ]
    }
}

const REAL: RealFormula = RealFormula::of::<Square>();

pub(super) const OPERATION: Operation = Operation {
    name: "sqr_crelu",
    pairs: None,
    accumulators: Some(product::BYTES),
    whole: None,
    sums: Some(Formula {
        value: |o| ((o.x * o.x) >> o.shift).min(o.one),
        real: REAL,
        greatest: |one, _| one,
        unit: unit_of_sums,
        degree: Some(2),
        shift: Shift::Sum {
            default: quant::sqr_crelu_shift,
            most: 62,
        },
        only_one: None,
    }),
    floats: Some(FloatFormula {
        value: |y, _| float::clipped(y * y),
        real: REAL,
    }),
};
