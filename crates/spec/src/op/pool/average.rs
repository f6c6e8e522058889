//! The average of two values.
//!
//! ```text
//!   bytes           (a + b + 1) >> 1                                         halves are rounded up
//!   floats          (a + b) * 0.5
//!   accumulators    (clamp(a, 0, one) + clamp(b, 0, one) + 1) >> 1
//! ```
//!
//! # Derivative
//!
//! 1/2 for both; for accumulators, only where they are not clipped.

use super::{Definition, clamped, of_accumulators, unshifted};
use crate::op::{Curve, Formula, Operands, Operation, Pairs, Real};

struct Average;

impl Curve for Average {
    fn value<T: Real>(o: Operands<T>) -> T {
        (o.x + o.y) * T::of(0.5)
    }

    fn slopes<T: Real>(_: Operands<T>) -> [T; 2] {
        [T::of(0.5); 2]
    }
}

const fn value(o: Operands<i64>) -> i64 {
    (o.x + o.y + 1) >> 1
}

const OF_ACCUMULATORS: Formula = unshifted::<Average>(|o| value(clamped(o)));

pub(in crate::op) const HALVES: Operation =
    of_accumulators("avg_halves", Pairs::Halves, OF_ACCUMULATORS);
pub(in crate::op) const NEIGHBOURS: Operation =
    of_accumulators("avg_neighbours", Pairs::Neighbours, OF_ACCUMULATORS);

pub(super) const POOL: Definition =
    Definition::of::<Average>("avg", value, |x, y| (x + y) * 0.5, |unit| unit);
