//! Lists of rows of pairs to take out of accumulators and to put into them.

use alloc::boxed::Box;

use crate::architecture::{Architecture, Transform};
use crate::board::Color;
use crate::features::{ChangedRows, PairSets, PairView, PieceMap, RowChange};
use crate::simd::{AvailableLevel, Simd, Task, dispatch};

/// For each side the rows of pairs of a refresh or of the changes between two boards. Kept by the stack, so that no
/// evaluation allocates or clears it.
pub(crate) struct PairLists(Box<ChangedRows>);

impl PairLists {
    pub(crate) fn new() -> Self {
        Self(ChangedRows::new())
    }

    /// The rows of a side: to remove, and to add.
    #[inline(always)]
    pub(crate) fn rows(&self, side: Color) -> [&[u32]; 2] {
        RowChange::ALL.map(|change| self.0.of(change, side))
    }

    /// What leads from one of `boards` to the other, for each of `views`. The rows are announced to the processor.
    #[inline]
    pub(crate) fn collect_changes<A: Architecture, const N: usize>(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        boards: [&PieceMap; 2],
        views: [PairView; N],
    ) {
        dispatch(level, Changes::<A, N> { rows: &mut self.0, boards, views, transformer });
    }

    /// The rows that are active on a board, as rows to add. They are announced to the processor.
    pub(crate) fn collect_active<A: Architecture>(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        board: &PieceMap,
        view: PairView,
    ) {
        self.0.clear(view.perspective);
        dispatch(level, Active::<A> { rows: &mut self.0, board, view, transformer });
    }
}

/// Finds all rows with the instructions of a level, which count bits.
struct Active<'a, A: Architecture> {
    rows: &'a mut ChangedRows,
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
            self.rows.push(RowChange::Added, self.view.perspective, row);
        });
    }
}

/// Finds changes with the instructions of a level.
struct Changes<'a, A: Architecture, const N: usize> {
    rows: &'a mut ChangedRows,
    boards: [&'a PieceMap; 2],
    views: [PairView; N],
    transformer: &'a A::Transformer,
}

impl<A: Architecture, const N: usize> Task for Changes<'_, A, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.views.into_iter().for_each(|view| self.rows.clear(view.perspective));
        A::Pairs::changes(simd, self.boards, self.views, self.rows);
        for view in self.views {
            self.rows.for_each_and_more(view.perspective, |row| self.transformer.prefetch_pair(row));
        }
    }
}
