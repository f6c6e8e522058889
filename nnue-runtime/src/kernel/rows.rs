//! Accumulator columns of pieces: adding and subtracting rows of the feature transformer.
//!
//! ```text
//!   target = start + sum of rows[adds] - sum of rows[subs]                  i16 values and i32 PSQT values, wrapping
//! ```
//!
//! Layout: rows and accumulators are in file order at every level, `W` values each, 64-byte aligned.
//!
//! ```text
//!   weight | row 0: W x i16 | row 1: W x i16 | ..         psqt | row 0: P x i32 | row 1 ..
//! ```

use super::frame::{Fill, Renew, Step};
use super::pass::{BothSides, Pass, PiecesPass};
use crate::architecture::RowChanges;
use crate::simd::{AvailableLevel, dispatch};
use crate::transformer::{Accumulator, FeatureTransformer};

/// `target = start + rows adds - rows subs`.
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
    adds: &[u32],
    subs: &[u32],
) {
    let frame = Step { start: &start.values, psqt: start.psqt, target };
    dispatch(level, PiecesPass(Pass { transformer, frame, rows: pieces(subs, adds) }));
}

/// [`update`] for both sides; `rows` holds for each the rows to subtract and the rows to add.
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
    rows: [(&[u32], &[u32]); 2],
) {
    let [white, black] = targets;
    let sides = [(starts[0], white, rows[0]), (starts[1], black, rows[1])];
    dispatch(
        level,
        BothSides(sides.map(|(start, target, (subs, adds))| {
            let frame = Step { start: &start.values, psqt: start.psqt, target };
            PiecesPass(Pass { transformer, frame, rows: pieces(subs, adds) })
        })),
    );
}

/// `cached += rows adds - rows subs; target = cached`, in one pass.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_cached<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    let frame = Renew { cached, target };
    dispatch(level, PiecesPass(Pass { transformer, frame, rows: pieces(subs, adds) }));
}

/// `target = bias + rows adds`: from scratch.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn refresh<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
) {
    let frame = Step { start: &transformer.bias[0], psqt: [0; P], target };
    dispatch(level, PiecesPass(Pass { transformer, frame, rows: pieces(&[], adds) }));
}

/// `cached = target = bias + rows adds`: from scratch, in one pass.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn refresh_cached<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
) {
    let frame = Fill { bias: &transformer.bias[0], renew: Renew { cached, target } };
    dispatch(level, PiecesPass(Pass { transformer, frame, rows: pieces(&[], adds) }));
}

/// Rows of pieces, and none of pairs.
#[inline(always)]
fn pieces<'a>(removed: &'a [u32], added: &'a [u32]) -> RowChanges<'a> {
    RowChanges { removed, added, pairs_removed: &[], pairs_added: &[] }
}
