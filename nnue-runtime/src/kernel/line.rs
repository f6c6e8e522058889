//! A line of 16 integers or floats: one to four vectors of a level, which kernels keep in registers.

use bytemuck::Pod;

use crate::integer::LANES;
use crate::memory::{view, view_mut};
use crate::simd::{Simd, Vector};

/// The most vectors of a line.
pub(super) const MOST_VECTORS: usize = 4;

/// The number of vectors of a line.
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

/// The vectors of a line; those that the level does not need are unused.
pub(super) type Vectors<S> = [<S as Simd>::I32; MOST_VECTORS];

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, line: &[i32]) -> Vectors<S> {
    read::<S, _, _>(line, simd.zero_i32())
}

#[inline(always)]
pub(super) fn store<S: Simd>(values: Vectors<S>, line: &mut [i32]) {
    write::<S, _, _>(values, line);
}

/// The vectors of a line of any numbers; those that the level does not need are `rest`.
#[inline(always)]
pub(super) fn read<S: Simd, V: Vector, T: Pod>(line: &[T], rest: V) -> [V; MOST_VECTORS] {
    let (line, mut values): (&[V], _) = (view(line), [rest; MOST_VECTORS]);
    each_vector!(S, AT values[AT] = line[AT]);
    values
}

/// Writes a line of any numbers.
#[inline(always)]
pub(super) fn write<S: Simd, V: Vector, T: Pod>(values: [V; MOST_VECTORS], line: &mut [T]) {
    let line: &mut [V] = view_mut(line);
    each_vector!(S, AT line[AT] = values[AT]);
}
