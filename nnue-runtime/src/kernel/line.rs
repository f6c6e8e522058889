//! A line of 16 integers: one to four vectors of a level, which kernels keep in registers.

use crate::integer::LANES;
use crate::simd::Simd;

/// The most vectors of a line.
pub(super) const MOST_VECTORS: usize = 4;

/// Vectors of a line.
pub(super) const fn vectors<S: Simd>() -> usize {
    size_of::<[i32; LANES]>() / S::BYTES
}

/// `each_vector!(S, V body)`: repeats the body with `V` = 0, 1, .. for the vectors of a line.
macro_rules! each_vector {
    ($S:ident, $v:ident $body:expr) => {
        $crate::kernel::unroll::unroll!(
            4,
            |$v| if const { $v < $crate::kernel::line::vectors::<$S>() } {
                $body
            }
        )
    };
}

pub(super) use each_vector;
