//! Feature sets of pairs of pieces, as accumulators use them.

use super::{PairView, PieceMap};

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// it was active and is no more
    Removed,
    /// it is active and was not
    Added,
}

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

    /// How the rows of `before` become those of `after`: puts a row for each of `views` into `sink`, `None` where that view
    /// has none.
    fn changes<const N: usize>(before: &PieceMap, after: &PieceMap, views: [PairView; N], sink: &mut impl RowSink<N>);
}

/// Where the rows go that change, for `N` views.
///
/// A trait rather than a closure: a closure that is too big to be inlined lacks the instructions of the level.
pub trait RowSink<const N: usize> {
    /// A row for each view, `None` for none.
    fn push(&mut self, change: RowChange, rows: [Option<u32>; N]);
}

/// Rows of a set that begin at `first`.
struct From<'a, S> {
    first: u32,
    sink: &'a mut S,
}

impl<S: RowSink<N>, const N: usize> RowSink<N> for From<'_, S> {
    #[inline(always)]
    fn push(&mut self, change: RowChange, mut rows: [Option<u32>; N]) {
        for row in &mut rows {
            *row = match *row {
                Some(row) => Some(self.first + row),
                None => None,
            };
        }
        self.sink.push(change, rows);
    }
}

/// The sets of pairs of a network, one after the other: a tuple of up to three [`PairSet`]s.
pub trait PairSets: Send + Sync + 'static {
    /// Rows of all sets together.
    const ROWS: usize;

    /// [`PairSet::active`] of all sets.
    fn active(board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// [`PairSet::changes`] of all sets.
    fn changes<const N: usize>(before: &PieceMap, after: &PieceMap, views: [PairView; N], sink: &mut impl RowSink<N>);
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
                sink: &mut impl RowSink<N>,
            ) {
                let mut _first = 0;
                $(
                    $set::changes(before, after, views, &mut From { first: _first, sink });
                    _first += $set::ROWS as u32;
                )*
                let _ = (before, after, views, sink);
            }
        }
    };
}

pair_sets!();
pair_sets!(A);
pair_sets!(A B);
pair_sets!(A B C);
