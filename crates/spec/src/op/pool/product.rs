//! The product of two values. [`pairwise`](super::super::pairwise) is the product of an accumulator's halves.
//!
//! ```text
//!   bytes           (a * b) >> 7                                          126 at most
//!   floats          a * b
//!   accumulators    (clamp(a, 0, one) * clamp(b, 0, one)) >> shift
//! ```
//!
//! # Derivative
//!
//! With 1.0 as one: the other operand; for accumulators, only where they are not clipped.

use super::{Definition, SHIFT, of_accumulators};
use crate::descriptor::Unit;
use crate::op::{Curve, Operands, Operation, Pairs, Real, product};

struct Product;

impl Curve for Product {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x * o.y * o.shifted()
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [o.y * o.shifted(), o.x * o.shifted()]
    }
}

pub(in crate::op) const NEIGHBOURS: Operation =
    of_accumulators("mul_neighbours", Pairs::Neighbours, product::BYTES);

pub(super) const POOL: Definition =
    Definition::of::<Product>("mul", |o| (o.x * o.y) >> o.shift, |x, y| x * y, unit);

/// The unit of a product; both operands have the same unit.
fn unit(Unit { num, den }: Unit) -> Unit {
    Unit {
        num: num.saturating_mul(num).saturating_mul(1 << SHIFT),
        den: den.saturating_mul(den),
    }
}
