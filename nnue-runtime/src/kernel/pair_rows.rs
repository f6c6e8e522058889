//! Accumulator columns of pieces and of pairs, in one pass: i16 rows, and i8 rows that are widened while they are added.
//!
//! Layout: as in [`rows`](super::rows), and `W` values of i8 per row of pairs, 32-byte aligned.

use super::frame::{Renew, Replace, Step};
use super::pass::{BothSides, Pass};
use crate::architecture::RowChanges;
use crate::simd::{AvailableLevel, dispatch};
use crate::transformer::{Accumulator, FeatureTransformer};

/// `target = start`, an accumulator, changed by `rows`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    start: &Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Step { start: &start.values, psqt: start.psqt, target }, rows });
}

/// [`update`] for both sides.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_both<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    starts: [&Accumulator<W, P>; 2],
    targets: &mut [Accumulator<W, P>; 2],
    rows: [RowChanges<'_>; 2],
) {
    let [white, black] = targets;
    let sides = [(starts[0], white, rows[0]), (starts[1], black, rows[1])];
    dispatch(
        level,
        BothSides(sides.map(|(start, target, rows)| Pass {
            transformer,
            frame: Step { start: &start.values, psqt: start.psqt, target },
            rows,
        })),
    );
}

/// `target = bias`, changed by `rows`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn build<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Step { start: &transformer.bias[0], psqt: [0; P], target }, rows });
}

/// `cached` changes by the rows of pieces; `target = cached` changed by the rows of pairs.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn renew<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Renew { cached, target }, rows });
}

/// `cached` changes by the rows of pieces; `target = source - left + cached` changed by the rows of pairs.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn replace<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    [source, left]: [&Accumulator<W, P>; 2],
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    let frame = Replace { source, left, renew: Renew { cached, target } };
    dispatch(level, Pass { transformer, frame, rows });
}
