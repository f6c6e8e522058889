//! The sum of two values, for residual connections.
//!
//! ```text
//!   bytes     min(a + b, 127)
//!   floats    a + b
//! ```
//!
//! # Derivative
//!
//! 1 for both; for bytes, 0 where the sum is clipped to 127.

use super::Definition;
use crate::op::{Curve, Operands, Real};

struct Add;

impl Curve for Add {
    fn value<T: Real>(o: Operands<T>) -> T {
        (o.x + o.y).at_most(o.one)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let slope = if o.x + o.y < o.one { T::ONE } else { T::ZERO };
        [slope, slope]
    }
}

pub(super) const POOL: Definition =
    Definition::of::<Add>("add", |o| (o.x + o.y).min(o.one), |x, y| x + y, |unit| unit);
