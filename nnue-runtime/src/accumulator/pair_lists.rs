//! Lists of rows of pairs to take out of accumulators and to put into them.

use alloc::boxed::Box;

use crate::board::Color;
use crate::both::both;
use crate::features::{ChangedRows, PairView, PieceMap, RowChange, Sets};
use crate::simd::AvailableLevel;
use crate::transform::Transform;

/// For each side the rows of pairs of a refresh or of the changes between two boards. Kept by the stack, so that no
/// evaluation allocates or clears it.
pub(crate) struct PairLists(Box<ChangedRows>);

impl PairLists {
    pub(crate) fn new() -> Self {
        Self(ChangedRows::new())
    }

    /// The rows of a side: to add, and to remove.
    #[inline(always)]
    pub(crate) fn rows(&self, side: Color) -> [&[u32]; 2] {
        both([RowChange::Added, RowChange::Removed], |change| {
            self.0.of(change, side)
        })
    }

    /// What leads from one of `boards` to the other, for each of `views`. The rows are announced to the processor.
    #[inline]
    pub(crate) fn collect_changes<T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        boards: [&PieceMap; 2],
        views: &[PairView],
    ) {
        views.iter().for_each(|view| self.0.clear(view.perspective));
        sets.changed_pairs(level, boards, views, &mut self.0);
        views
            .iter()
            .for_each(|view| self.announce(transformer, view.perspective));
    }

    /// The rows that are active on a board, as rows to add. They are announced to the processor.
    pub(crate) fn collect_active<T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        board: &PieceMap,
        view: PairView,
    ) {
        self.0.clear(view.perspective);
        sets.collect_pairs(level, board, view, &mut self.0);
        self.announce(transformer, view.perspective);
    }

    /// Starts loading the rows of a side.
    #[inline(always)]
    fn announce<T: Transform>(&self, transformer: &T, side: Color) {
        for rows in self.rows(side) {
            rows.iter().for_each(|&row| transformer.prefetch_pair(row));
        }
    }
}
