//! The kernel over the neurons of a move: few rows, none of pairs, in one linear pass.
//!
//! ```text
//!   for each vector v:
//!       sum = start[v] + row_a[v] - row_b[v]                                1 to 2 rows added, 1 to 2 removed
//!       cached[v] = sum                                                     if the place has it
//!       target[v] = sum
//! ```
//!
//! Rows of 2 KB, the most common ones, are so short that the loop and its checks matter, so with
//! vectors of 64 bytes the kernel is compiled separately for this width. On a Zen 5 that takes 5 %
//! off an update of SFNNv5 with AVX-512. With AVX2 it gained nothing.

use super::kind::Kind;
use super::place::Place;
use super::unroll::unroll;
use crate::simd::{Simd, Vector};

/// Vectors per step.
const STEP: usize = 4;

/// The row width, in neurons, that has a separate kernel.
pub(crate) const COMMON: usize = 1024;

/// `target = start + rows added - rows removed`.
///
/// # Panics
///
/// If a row does not exist, or slices have other lengths than the target.
#[inline(always)]
pub(super) fn sum<S: Simd, K: Kind, const ADDED: usize, const REMOVED: usize>(
    simd: S,
    weight: &[S::I16],
    place: &mut impl Place<S::I16>,
    added: [u32; ADDED],
    removed: [u32; REMOVED],
) {
    let (common, width) = (const { 2 * COMMON / S::BYTES }, place.target().len());
    if const { S::BYTES == 64 && matches!(K::COMMON, Some(true) | None) } && width == common {
        return sum_width(simd, common, weight, place, added, removed);
    }
    if const { S::BYTES != 64 || matches!(K::COMMON, Some(false) | None) } {
        return sum_width(simd, width, weight, place, added, removed);
    }
    panic!("rows of the common width");
}

/// [`sum`] of rows of `width` vectors, which may be a constant.
#[inline(always)]
fn sum_width<S: Simd, const ADDED: usize, const REMOVED: usize>(
    simd: S,
    width: usize,
    weight: &[S::I16],
    place: &mut impl Place<S::I16>,
    added: [u32; ADDED],
    removed: [u32; REMOVED],
) {
    assert!(place.target().len() == width && place.start().len() == width);
    assert!(place.cached().is_none_or(|cached| cached.len() == width));
    let (steps, rest) = rows(weight, width, added, removed);
    for at in 0..width / STEP {
        let mut sums = place.start().as_chunks::<STEP>().0[at];
        for row in steps.added {
            unroll!(4, |K| sums[K] = simd.add_i16(sums[K], row[at][K]));
        }
        for row in steps.removed {
            unroll!(4, |K| sums[K] = simd.sub_i16(sums[K], row[at][K]));
        }
        if let Some(cached) = place.cached() {
            cached.as_chunks_mut::<STEP>().0[at] = sums;
        }
        place.target().as_chunks_mut::<STEP>().0[at] = sums;
    }
    for at in 0..width % STEP {
        let mut sum = place.start().as_chunks::<STEP>().1[at];
        for row in rest.added {
            sum = simd.add_i16(sum, row[at]);
        }
        for row in rest.removed {
            sum = simd.sub_i16(sum, row[at]);
        }
        if let Some(cached) = place.cached() {
            cached.as_chunks_mut::<STEP>().1[at] = sum;
        }
        place.target().as_chunks_mut::<STEP>().1[at] = sum;
    }
}

struct Rows<'a, T, const ADDED: usize, const REMOVED: usize> {
    added: [&'a [T]; ADDED],
    removed: [&'a [T]; REMOVED],
}

/// The rows in steps, and the remaining vectors.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
fn rows<V: Vector, const ADDED: usize, const REMOVED: usize>(
    weight: &[V],
    width: usize,
    added: [u32; ADDED],
    removed: [u32; REMOVED],
) -> (
    Rows<'_, [V; STEP], ADDED, REMOVED>,
    Rows<'_, V, ADDED, REMOVED>,
) {
    let mut steps = Rows {
        added: [&[][..]; ADDED],
        removed: [&[][..]; REMOVED],
    };
    let mut rest = Rows {
        added: [&[][..]; ADDED],
        removed: [&[][..]; REMOVED],
    };
    // Written without `map`, which the compiler turns into a function.
    for (index, row) in added.into_iter().enumerate() {
        (steps.added[index], rest.added[index]) =
            weight[row as usize * width..][..width].as_chunks();
    }
    for (index, row) in removed.into_iter().enumerate() {
        (steps.removed[index], rest.removed[index]) =
            weight[row as usize * width..][..width].as_chunks();
    }
    (steps, rest)
}
