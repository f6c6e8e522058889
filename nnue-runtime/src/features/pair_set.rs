//! Feature sets of pairs of pieces, as accumulators use them.

use super::{ChangedRows, PairView, PieceMap};
use crate::simd::Simd;

/// A feature set in which every active row stands for two pieces on the board, seen from one side: threats, pawn pairs.
///
/// The law that accumulators rely on: for two boards and one view, the rows of the first, less those that
/// [`changes`](Self::changes) removes, plus those that it adds, are the rows of the second.
pub trait PairSet: Send + Sync + 'static {
    /// The name as written in a declaration.
    const NAME: &'static str;
    /// Rows of the weight matrix.
    const ROWS: usize;

    /// Calls `found` with every row that is active on a board: at most 512 on any board, even one full of pieces.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// How the rows of `before` become those of `after`, seen by each of `views`, with `first` added to their numbers: puts
    /// them into `rows`, to those of their sides.
    fn changes<S: Simd, const N: usize>(
        simd: S,
        boards: [&PieceMap; 2],
        views: [PairView; N],
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

    /// [`PairSet::changes`] of all sets.
    fn changes<S: Simd, const N: usize>(simd: S, boards: [&PieceMap; 2], views: [PairView; N], rows: &mut ChangedRows);
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
            fn changes<S: Simd, const N: usize>(
                simd: S,
                boards: [&PieceMap; 2],
                views: [PairView; N],
                rows: &mut ChangedRows,
            ) {
                let mut _first = 0;
                $(
                    $set::changes(simd, boards, views, _first, rows);
                    _first += $set::ROWS as u32;
                )*
                let _ = (simd, boards, views, rows);
            }
        }
    };
}

pair_sets!();
pair_sets!(A);
pair_sets!(A B);
pair_sets!(A B C);
