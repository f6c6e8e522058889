//! Feature sets of pairs of pieces, as accumulators use them.

use super::{PairView, PawnPairs, PieceMap, ThreatChanges, Threats};

/// A feature set in which every active row stands for two pieces on the board, seen from one side: threats, pawn pairs.
///
/// The law that accumulators rely on: for two boards and one view, the rows of the first, less those that
/// [`changes`](Self::changes) removes, plus those that it adds, are the rows of the second.
pub trait PairSet: Send + Sync + 'static {
    /// The name as written in a declaration.
    const NAME: &'static str;
    /// Rows of the weight matrix.
    const ROWS: usize;

    /// Calls `found` with every row that is active on a board.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// How the rows of `before` become those of `after`, for each of `views`: calls `removed` and `added` with the index of
    /// the view and a row.
    fn changes<const N: usize>(
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
        removed: impl FnMut(usize, u32),
        added: impl FnMut(usize, u32),
    );
}

impl<const PAIRS: u64> PairSet for Threats<PAIRS> {
    const NAME: &'static str = "Threats";
    const ROWS: usize = Self::ROWS;

    #[inline(always)]
    fn active(board: &PieceMap, view: PairView, mut found: impl FnMut(u32)) {
        Self::for_each(board, |threat| {
            if let Some(row) = Self::row(view, &threat) {
                found(row);
            }
        });
    }

    #[inline(always)]
    fn changes<const N: usize>(
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
        mut removed: impl FnMut(usize, u32),
        mut added: impl FnMut(usize, u32),
    ) {
        let mut changes = ThreatChanges::default();
        Self::changes(before, after, &mut changes);
        for (index, view) in views.into_iter().enumerate() {
            changes.removed.iter().filter_map(|threat| Self::row(view, threat)).for_each(|row| removed(index, row));
            changes.added.iter().filter_map(|threat| Self::row(view, threat)).for_each(|row| added(index, row));
        }
    }
}

impl PairSet for PawnPairs {
    const NAME: &'static str = "PawnPairs";
    const ROWS: usize = Self::ROWS;

    #[inline(always)]
    fn active(board: &PieceMap, view: PairView, mut found: impl FnMut(u32)) {
        Self::for_each(board, |pair| found(Self::row(view, pair)));
    }

    #[inline(always)]
    fn changes<const N: usize>(
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
        mut removed: impl FnMut(usize, u32),
        mut added: impl FnMut(usize, u32),
    ) {
        Self::changes(
            before,
            after,
            |pair| views.iter().enumerate().for_each(|(index, &view)| removed(index, Self::row(view, pair))),
            |pair| views.iter().enumerate().for_each(|(index, &view)| added(index, Self::row(view, pair))),
        );
    }
}

/// The sets of pairs of a network, one after the other: a tuple of up to three [`PairSet`]s.
pub trait PairSets: Send + Sync + 'static {
    /// Rows of all sets together.
    const ROWS: usize;

    /// [`PairSet::active`] of all sets.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// [`PairSet::changes`] of all sets.
    fn changes<const N: usize>(
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
        removed: impl FnMut(usize, u32),
        added: impl FnMut(usize, u32),
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
            fn changes<const N: usize>(
                before: &PieceMap,
                after: &PieceMap,
                views: [PairView; N],
                removed: impl FnMut(usize, u32),
                added: impl FnMut(usize, u32),
            ) {
                let (mut _removed, mut _added, mut _first) = (removed, added, 0);
                $(
                    let removed = |view, row| _removed(view, _first + row);
                    $set::changes(before, after, views, removed, |view, row| _added(view, _first + row));
                    _first += $set::ROWS as u32;
                )*
                let _ = (before, after, views);
            }
        }
    };
}

pair_sets!();
pair_sets!(A);
pair_sets!(A B);
pair_sets!(A B C);
