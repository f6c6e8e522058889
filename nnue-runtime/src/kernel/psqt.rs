//! The PSQT values of accumulators: short rows of i32, eight values at a time, the rest one by one.
//!
//! There are no closures: the compiler may turn them into functions, which then lack the features
//! of the level.

use super::kind::Kind;
use super::place::Place;
use super::weights::Weights;
use crate::transform::RowChanges;

/// Computes the PSQT values of a place.
///
/// # Panics
///
/// If a row does not exist, or slices have other lengths than rows.
#[inline(always)]
pub(super) fn sum<K: Kind>(
    weights: &Weights<'_>,
    place: &mut impl Place<i32>,
    rows: &RowChanges<'_>,
) {
    if const { !K::PSQT } {
        return;
    }
    let width = place.target().len();
    let eights = width - width % 8;
    for first in (0..eights).step_by(8) {
        sum_lanes::<8>(weights, place, rows, first);
    }
    for first in eights..width {
        sum_lanes::<1>(weights, place, rows, first);
    }
}

/// `N` values, starting with value `first`.
#[inline(always)]
fn sum_lanes<const N: usize>(
    weights: &Weights<'_>,
    place: &mut impl Place<i32>,
    rows: &RowChanges<'_>,
    first: usize,
) {
    let width = place.target().len();
    let mut sums = if place.start().is_empty() {
        [0; N]
    } else {
        *lanes(place.start(), first)
    };
    for &row in rows.added {
        add(&mut sums, lanes(weights.psqt, row as usize * width + first));
    }
    for &row in rows.removed {
        subtract(&mut sums, lanes(weights.psqt, row as usize * width + first));
    }
    if let Some(cached) = place.cached() {
        *lanes_mut(cached, first) = sums;
    }
    if let Some([source, left]) = place.replaced() {
        add(&mut sums, lanes(source, first));
        subtract(&mut sums, lanes(left, first));
    }
    for &row in rows.pairs_added {
        add(
            &mut sums,
            lanes(weights.pair_psqt, row as usize * width + first),
        );
    }
    for &row in rows.pairs_removed {
        subtract(
            &mut sums,
            lanes(weights.pair_psqt, row as usize * width + first),
        );
    }
    *lanes_mut(place.target(), first) = sums;
}

#[inline(always)]
fn lanes<const N: usize>(values: &[i32], first: usize) -> &[i32; N] {
    let Some(chunk) = values[first..].first_chunk() else {
        panic!("slices are as long as rows are wide")
    };
    chunk
}

#[inline(always)]
fn lanes_mut<const N: usize>(values: &mut [i32], first: usize) -> &mut [i32; N] {
    let Some(chunk) = values[first..].first_chunk_mut() else {
        panic!("slices are as long as rows are wide")
    };
    chunk
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [i32; N], values: &[i32; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.wrapping_add(*value);
    }
}

#[inline(always)]
fn subtract<const N: usize>(sums: &mut [i32; N], values: &[i32; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.wrapping_sub(*value);
    }
}
