//! Lists of rows of pairs to take out of accumulators and to put into them.

use alloc::boxed::Box;

use crate::accumulator::rows::RowList;
use crate::architecture::{Architecture, Transform};
use crate::board::Color;
use crate::features::{PairSets, PairView, PieceMap, RowChange, RowSink};
use crate::simd::{AvailableLevel, Simd, Task, dispatch};

/// No set of pairs has more rows on a board than 64 pieces that each attack 8 others, and there are at most three sets.
pub(crate) const MOST_PAIRS: usize = 3 * 8 * 64;

/// For each side the rows of pairs of a refresh or of the changes between two boards. Kept by the stack, so that no
/// evaluation allocates or clears it.
pub(crate) struct PairLists {
    /// by what becomes of the rows, and by side
    rows: [[RowList<MOST_PAIRS>; 2]; 2],
}

impl PairLists {
    pub(crate) fn new() -> Box<Self> {
        let lists = || [RowList::new(), RowList::new()];
        Box::new(Self { rows: [lists(), lists()] })
    }

    /// The rows of a side: to remove, and to add.
    #[inline(always)]
    pub(crate) fn rows(&self, side: Color) -> [&[u32]; 2] {
        self.rows.each_ref().map(|lists| lists[side.index()].as_slice())
    }

    /// What leads from the board `before` to the board `after`, for each of `views`. The rows are announced to the
    /// processor.
    #[inline]
    pub(crate) fn collect_changes<A: Architecture, const N: usize>(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
    ) {
        dispatch(level, Changes::<A, N> { lists: self, before, after, views, transformer });
    }

    /// The rows that are active on a board, as rows to add. They are announced to the processor.
    pub(crate) fn collect_active<A: Architecture>(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        board: &PieceMap,
        view: PairView,
    ) {
        let [removed, added] = self.rows.each_mut().map(|lists| &mut lists[view.perspective.index()]);
        removed.clear();
        added.clear();
        dispatch(level, Active::<A> { added, board, view, transformer });
    }
}

/// Finds all rows with the instructions of a level, which count bits.
struct Active<'a, A: Architecture> {
    added: &'a mut RowList<MOST_PAIRS>,
    board: &'a PieceMap,
    view: PairView,
    transformer: &'a A::Transformer,
}

impl<A: Architecture> Task for Active<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        A::Pairs::active(self.board, self.view, |row| {
            self.transformer.prefetch_pair(row);
            self.added.push(row);
        });
    }
}

/// Finds changes with the instructions of a level, which count bits.
struct Changes<'a, A: Architecture, const N: usize> {
    lists: &'a mut PairLists,
    before: &'a PieceMap,
    after: &'a PieceMap,
    views: [PairView; N],
    transformer: &'a A::Transformer,
}

impl<A: Architecture, const N: usize> Task for Changes<'_, A, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let sides = self.views.map(|view| view.perspective.index());
        for lists in &mut self.lists.rows {
            sides.into_iter().for_each(|side| lists[side].clear());
        }
        A::Pairs::changes(
            self.before,
            self.after,
            self.views,
            &mut Lists::<A::Transformer, N> { rows: &mut self.lists.rows, sides, transformer: self.transformer },
        );
    }
}

/// The lists of the sides that are looked at.
struct Lists<'a, T, const N: usize> {
    transformer: &'a T,
    rows: &'a mut [[RowList<MOST_PAIRS>; 2]; 2],
    sides: [usize; N],
}

impl<T: Transform, const N: usize> RowSink<N> for Lists<'_, T, N> {
    #[inline(always)]
    fn push(&mut self, change: RowChange, rows: [Option<u32>; N]) {
        for (side, row) in self.sides.into_iter().zip(rows) {
            self.transformer.prefetch_pair(row.unwrap_or(0));
            self.rows[change as usize][side].push_if(row.is_some(), row.unwrap_or(0));
        }
    }
}
