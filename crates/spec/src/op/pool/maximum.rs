//! The maximum of two values.
//!
//! ```text
//!   bytes           max(a, b)
//!   floats          a > b ? a : b                                b if one of them is a NaN
//!   accumulators    max(clamp(a, 0, one), clamp(b, 0, one))
//! ```
//!
//! # Derivative
//!
//! 1 for the greater value, 0 for the other; the first counts if they are equal.

use super::{Definition, clamped, of_accumulators, unshifted};
use crate::op::{Curve, Formula, Operands, Operation, Pairs, Real};

struct Maximum;

impl Curve for Maximum {
    fn value<T: Real>(o: Operands<T>) -> T {
        if o.x > o.y { o.x } else { o.y }
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        if o.x >= o.y {
            [T::ONE, T::ZERO]
        } else {
            [T::ZERO, T::ONE]
        }
    }
}

fn value(o: Operands<i64>) -> i64 {
    o.x.max(o.y)
}

const OF_ACCUMULATORS: Formula = unshifted::<Maximum>(|o| value(clamped(o)));

pub(in crate::op) const HALVES: Operation =
    of_accumulators("max_halves", Pairs::Halves, OF_ACCUMULATORS);
pub(in crate::op) const NEIGHBOURS: Operation =
    of_accumulators("max_neighbours", Pairs::Neighbours, OF_ACCUMULATORS);

pub(super) const POOL: Definition =
    Definition::of::<Maximum>("max", value, |x, y| if x > y { x } else { y }, |unit| unit);
