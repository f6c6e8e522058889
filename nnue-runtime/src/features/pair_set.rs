//! Feature sets of pairs of pieces, as accumulators use them.

use super::{ChangedRows, PairView, PieceMap};
use crate::simd::AvailableLevel;

/// A feature set in which every active row stands for two pieces on the board, seen from one side:
/// threats, pawn pairs.
///
/// Accumulators rely on this law, for two boards and one view: the rows of the first board, without
/// those that [`changes`](Self::changes) removes and with those that it adds, are the rows of the
/// second.
pub trait PairSet: Send + Sync + 'static {
    /// The name as written in a declaration.
    const NAME: &'static str;
    /// Rows of the weight matrix.
    const ROWS: usize;

    /// Calls `found` with every row that is active on a board. There are at most 512, even on a
    /// board full of pieces.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// Appends every active row of a board, plus `first`, to the added rows.
    fn collect(
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        first: u32,
        rows: &mut ChangedRows,
    );

    /// Finds the rows that are removed and added between the two boards, seen by each of `views`.
    /// Appends them, plus `first`, to `rows`, by side.
    fn changes(
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        first: u32,
        rows: &mut ChangedRows,
    );
}

/// The sets of pairs of a network, one after the other: a tuple of up to three [`PairSet`]s.
pub trait PairSets: Send + Sync + 'static {
    /// Rows of all sets together.
    const ROWS: usize;

    /// [`PairSet::active`] of all sets.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// [`PairSet::collect`] of all sets.
    fn collect(level: AvailableLevel, board: &PieceMap, view: PairView, rows: &mut ChangedRows);

    /// [`PairSet::changes`] of all sets.
    fn changes(
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    );
}

macro_rules! pair_sets {
    ($($set:ident)*) => {
        impl<$($set: PairSet),*> PairSets for ($($set,)*) {
            const ROWS: usize = 0 $(+ $set::ROWS)*;

            #[inline(always)]
            fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32)) {
                let (mut _found, mut _first) = (found, 0);
                $(
                    $set::active(board, view, |row| _found(_first + row));
                    _first += $set::ROWS as u32;
                )*
                let _ = (board, view);
            }

            #[inline(always)]
            fn collect(level: AvailableLevel, board: &PieceMap, view: PairView, rows: &mut ChangedRows) {
                let mut _first = 0;
                $(
                    $set::collect(level, board, view, _first, rows);
                    _first += $set::ROWS as u32;
                )*
                let _ = (level, board, view, rows);
            }

            #[inline(always)]
            fn changes(level: AvailableLevel, boards: [&PieceMap; 2], views: &[PairView], rows: &mut ChangedRows) {
                let mut _first = 0;
                $(
                    $set::changes(level, boards, views, _first, rows);
                    _first += $set::ROWS as u32;
                )*
                let _ = (level, boards, views, rows);
            }
        }
    };
}

pair_sets!();
pair_sets!(A);
pair_sets!(A B);
pair_sets!(A B C);
