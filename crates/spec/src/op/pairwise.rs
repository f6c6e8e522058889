//! The product of the two halves of an accumulator of n neurons: n/2 values.
//!
//! ```text
//!   accumulators, bytes    (clamp(a[j], 0, one) * clamp(a[j + n/2], 0, one)) >> shift
//!   accumulators, whole     clamp(a[j], 0, one) * clamp(a[j + n/2], 0, one)
//! ```
//!
//! # Derivative
//!
//! With 1.0 as one, `c` the clamp, and `b` the partner of `a`: `c(b)` where `0 < a < 1`, 0 elsewhere; and
//! vice versa.

use super::{Formula, Operation, Pairs, Shift, product};

pub(super) const OPERATION: Operation = Operation {
    name: "pairwise",
    pairs: Some(Pairs::Halves),
    accumulators: Some(product::BYTES),
    whole: Some(Formula {
        shift: Shift::None,
        ..product::BYTES
    }),
    sums: None,
    floats: None,
};
