//! A quantised sigmoid: `sigmoid(4x)` in two parabolas, of operands of which 1.0 is 127.
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
//! A sum is shifted first, which rounds down, and its size is taken then: trainers that round toward zero differ for negative sums.
//! 1.0 is 126 in the results.
//!
//! # Derivative
//!
//! That of the sigmoid, `4 * s * (1 - s)` with `s = sigmoid(4x)`.

use super::{Formula, Operation, Shift, divisor};
use crate::descriptor::Unit;
use crate::quant;

/// The greatest result.
const GREATEST: i64 = 126;

fn value(x: i64) -> i64 {
    let rest = 127 - x.abs().min(127);
    let q = (rest * rest) >> 8;
    if x > 0 { GREATEST - q } else { q }
}

/// The two parabolas, not rounded: they meet at 63.
fn real(x: f64) -> f64 {
    let rest = 127.0 - x.abs().min(127.0);
    let q = rest * rest / 256.0;
    if x > 0.0 { GREATEST as f64 - q } else { q }
}

const UNSHIFTED: Formula = Formula {
    value: |o| value(o.x),
    real: |o| real(o.x),
    greatest: |_, _| GREATEST,
    unit: |_, _| Unit { num: 1, den: GREATEST as u64 },
    shift: Shift::None,
    only_one: Some(127),
};

pub(super) const OPERATION: Operation = Operation {
    name: "quantmoid4",
    halves: false,
    accumulators: Some(UNSHIFTED),
    whole: None,
    sums: Some(Formula {
        value: |o| value(o.x >> o.shift),
        real: |o| real(o.x / divisor(o.shift)),
        shift: Shift::Sum { default: quant::crelu_shift, most: 31 },
        ..UNSHIFTED
    }),
    floats: None,
};
