//! The kernel over the neurons of an accumulator, for many long rows of bytes.
//!
//! ```text
//!   target = start
//!   for each eight of the rows of pieces, then four, two, one:
//!       for each vector v:   target[v] +- = widened row_1[v], .. widened row_8[v]
//!   cached = target;   target += source - left                              if the place has these
//!   the same with the rows of pairs
//! ```
//!
//! Tiles of registers (`tiles.rs`) read a piece of each row in turn. That is the least work, but a
//! processor prefetches only sequential reads: if rows are far away, it waits for each piece. Here
//! eight rows are read side by side from start to end, and the processor prefetches all eight. The
//! sums, which are stored and loaded again for every eight rows, stay in a near cache.
//!
//! Microseconds on a Zen 5 with AVX-512, for random rows of which an eighth is new, or all are:
//!
//! ```text
//!   rows        102 of 80,624                              32 of 3,072
//!   bytes       2,048        4,096        8,192            16,384
//!   tiles       3.9, 28      11, 57       35, 143          12, 62
//!   four        4.1, 20       9, 33       46,  92          12, 24
//!   eight       4.3, 19      10, 31       28,  80          11, 25
//! ```
//!
//! Tiles are as fast for rows of 1 KB. Sixteen rows side by side are no faster than eight, and
//! prefetching the next eight meanwhile makes it slower.

use super::place::Place;
use super::tiles::Changes;
use super::unroll::unroll;
use super::weights::{PieceWeights, Weights};
use crate::memory::ListedRows;
use crate::simd::Simd;
use crate::transform::RowChanges;

/// The bytes of a row from which on this kernel is faster.
pub(crate) const LONG: usize = 2048;

/// The least number of rows that are read side by side.
const MANY: usize = 8;

/// Whether this kernel may be used for rows of these weights.
#[inline(always)]
pub(super) fn may_pay(weights: &Weights<'_>) -> bool {
    weights.bias.len() >= LONG && matches!(weights.pieces, PieceWeights::Bytes(_))
}

/// Whether there are enough rows.
#[inline(always)]
pub(super) fn pays(rows: &RowChanges<'_>) -> bool {
    [
        rows.added,
        rows.removed,
        rows.pairs_added,
        rows.pairs_removed,
    ]
    .iter()
    .any(|list| list.len() >= MANY)
}

/// Computes the neurons of a place.
///
/// # Panics
///
/// If slices have other lengths than the target.
#[inline(always)]
pub(super) fn sum<S: Simd>(
    simd: S,
    place: &mut impl Place<S::I16>,
    pieces: &Changes<'_, S::I8>,
    pairs: &Changes<'_, S::I8>,
) {
    for at in 0..place.target().len() {
        let start = place.start()[at];
        place.target()[at] = start;
    }
    change(simd, place.target(), pieces);
    pass_on(simd, place);
    change(simd, place.target(), pairs);
}

/// Stores the sums of pieces in `cached` and applies `replaced`, if the place has these.
#[inline(always)]
fn pass_on<S: Simd>(simd: S, place: &mut impl Place<S::I16>) {
    if place.cached().is_none() {
        return;
    }
    for at in 0..place.target().len() {
        let mut sum = place.target()[at];
        if let Some(cached) = place.cached() {
            cached[at] = sum;
        }
        if let Some([source, left]) = place.replaced() {
            sum = simd.sub_i16(simd.add_i16(sum, source[at]), left[at]);
            place.target()[at] = sum;
        }
    }
}

#[inline(always)]
fn change<S: Simd>(simd: S, sums: &mut [S::I16], rows: &Changes<'_, S::I8>) {
    each::<S, false>(simd, sums, rows.added);
    each::<S, true>(simd, sums, rows.removed);
}

/// Adds all rows of a list, or subtracts them.
#[inline(always)]
fn each<S: Simd, const SUBTRACT: bool>(simd: S, sums: &mut [S::I16], rows: ListedRows<'_, S::I8>) {
    let mut first = 0;
    macro_rules! side_by_side {
        ($($count:literal)*) => { $(
            while rows.len() - first >= $count {
                several::<S, SUBTRACT, $count>(simd, sums, rows, first);
                first += $count;
            }
        )* };
    }
    side_by_side!(8 4 2 1);
}

/// [`each`] for `COUNT` of the rows, from entry `first` of the list on.
#[inline(always)]
fn several<S: Simd, const SUBTRACT: bool, const COUNT: usize>(
    simd: S,
    sums: &mut [S::I16],
    rows: ListedRows<'_, S::I8>,
    first: usize,
) {
    let mut listed: [&[S::I8]; COUNT] = [&[]; COUNT];
    for (at, row) in listed.iter_mut().enumerate() {
        *row = &rows.row(first + at)[..sums.len()];
    }
    for at in 0..sums.len() {
        let mut sum = sums[at];
        unroll!(8, |K| if const { K < COUNT } {
            let row = simd.widen_i8(listed[K][at]);
            sum = if SUBTRACT {
                simd.sub_i16(sum, row)
            } else {
                simd.add_i16(sum, row)
            };
        });
        sums[at] = sum;
    }
}
