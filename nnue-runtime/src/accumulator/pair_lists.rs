//! Lists of rows of pairs to subtract from accumulators and to add to them.

use alloc::boxed::Box;

use crate::board::Color;
use crate::both::both;
use crate::features::{ChangedRows, PairView, PieceMap, RowChange, Sets};
use crate::simd::AvailableLevel;
use crate::transform::Transform;

/// For each side, the rows of pairs of a refresh or of the changes between two boards. The stack
/// keeps it, so that no evaluation allocates or clears it.
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

    /// Collects the changes between two boards for each of `views`, and prefetches their rows.
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

    /// Collects the active rows of a board as rows to add, and prefetches them.
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

    #[inline(always)]
    fn announce<T: Transform>(&self, transformer: &T, side: Color) {
        for rows in self.rows(side) {
            rows.iter().for_each(|&row| transformer.prefetch_pair(row));
        }
    }
}
