//! A quantised sigmoid: `sigmoid(4x)` as two parabolas, of operands with scale 127.
//!
//! ```text
//!   x = a of accumulators, whose scale is 127;  x = y >> shift of sums
//!   q = (127 - min(|x|, 127))^2 >> 8                            0 to 63
//!   result: 126 - q where x > 0, q elsewhere                    0 to 126
//!
//!   126 ┤            ____        f(0) = 63, f(x) = 126 from 112 on, f(x) = 0 up to -112
//!    63 ┤         /
//!     0 ┤ ____ /
//! ```
//!
//! Sums are shifted, which rounds down, before the absolute value is taken; trainers that round toward zero
//! differ for negative sums. The scale of the results is 126.
//!
//! # Derivative
//!
//! With 1.0 as one, that of the sigmoid: `4 * s * (1 - s)` with `s = sigmoid(4x)`. The parabolas are flat
//! from `|x| = 1` on; the sigmoid has a slope everywhere, so that saturated neurons can still learn.

use super::{Curve, Formula, Operands, Operation, Real, RealFormula, Shift};
use crate::descriptor::Unit;
use crate::quant;
use crate::wdl::exp;

/// The greatest result.
const GREATEST: i64 = 126;

fn value(x: i64) -> i64 {
    let rest = 127 - x.abs().min(127);
    let q = (rest * rest) >> 8;
    if x > 0 { GREATEST - q } else { q }
}

/// The two parabolas without rounding, and the slope of the sigmoid.
struct Quantmoid4;

impl Curve for Quantmoid4 {
    fn value<T: Real>(o: Operands<T>) -> T {
        let x = o.x * o.shifted();
        let size = if x < T::ZERO { -x } else { x };
        let rest = T::of(127.0) - size.at_most(T::of(127.0));
        let q = rest * rest * T::of(1.0 / 256.0);
        if x > T::ZERO {
            T::of(GREATEST as f64) - q
        } else {
            q
        }
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let x = (o.x * o.shifted()).get() / 127.0;
        let sigmoid = 1.0 / (1.0 + exp(-4.0 * x));
        let slope = 4.0 * sigmoid * (1.0 - sigmoid);
        [
            T::of(slope * GREATEST as f64 / 127.0) * o.shifted(),
            T::ZERO,
        ]
    }
}

const REAL: RealFormula = RealFormula::of::<Quantmoid4>();

const UNSHIFTED: Formula = Formula {
    value: |o| value(o.x),
    real: REAL,
    greatest: |_, _| GREATEST,
    unit: |_, _| Unit {
        num: 1,
        den: GREATEST as u64,
    },
    degree: None,
    shift: Shift::None,
    only_one: Some(127),
};

pub(super) const OPERATION: Operation = Operation {
    name: "quantmoid4",
    pairs: None,
    accumulators: Some(UNSHIFTED),
    whole: None,
    sums: Some(Formula {
        value: |o| value(o.x >> o.shift),
        shift: Shift::Sum {
            default: quant::crelu_shift,
            most: 31,
        },
        ..UNSHIFTED
    }),
    floats: None,
};
