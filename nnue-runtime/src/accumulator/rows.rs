//! Lists of rows to subtract from an accumulator and to add to it.

use alloc::boxed::Box;

use crate::board::{Change, Piece, Placed, Planes};
use crate::features::{RowList, Sets, View, row_on};
use crate::transform::RowChanges;

impl RowList<MOST> {
    #[inline(always)]
    pub(crate) fn collect_active(&mut self, sets: impl Sets, view: View, board: &Planes) {
        self.clear();
        self.collect(sets, view, board, !0);
    }

    /// Adds the rows of the pieces on `squares`.
    #[inline(always)]
    fn collect(&mut self, sets: impl Sets, view: View, board: &Planes, squares: u64) {
        for (piece, square) in board.on(squares) {
            let row = row_on(sets, view, board, piece, square);
            self.push_if(row.is_some(), row.unwrap_or(0));
        }
    }
}

/// The rows of a change, seen through one view: at most two removed and two added.
pub(crate) struct ChangeRows {
    pub(crate) removed: RowList<2>,
    pub(crate) added: RowList<2>,
}

impl ChangeRows {
    /// The number of pieces that a move removes and adds is not predictable, so all four are
    /// computed and counted without branches.
    #[inline(always)]
    pub(crate) fn of(sets: impl Sets, view: View, change: &Change) -> Self {
        let (removed, added) = change.padded();
        Self {
            removed: Self::rows(sets, view, removed, change.removed().len()),
            added: Self::rows(sets, view, added, change.added().len()),
        }
    }

    #[inline(always)]
    fn rows(sets: impl Sets, view: View, placed: &[Placed; 2], len: usize) -> RowList<2> {
        let mut rows = RowList::new();
        for (index, placed) in placed.iter().enumerate() {
            let row = sets.row(view, placed.piece, placed.square);
            rows.push_if(index < len && row.is_some(), row.unwrap_or(0));
        }
        rows
    }

    #[inline(always)]
    pub(crate) fn as_changes(&self) -> RowChanges<'_> {
        RowChanges::pieces(self.added.as_slice(), self.removed.as_slice())
    }
}

/// An upper bound: every piece on every square.
pub(crate) const MOST: usize = Piece::COUNT * 64;

/// The rows of a refresh or of several changes together. The stack keeps it, so that no evaluation
/// allocates or clears it.
pub(crate) struct Rows {
    pub(crate) removed: RowList<MOST>,
    pub(crate) added: RowList<MOST>,
}

impl Rows {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            removed: RowList::new(),
            added: RowList::new(),
        })
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.removed.clear();
        self.added.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.removed.as_slice().is_empty() && self.added.as_slice().is_empty()
    }

    /// Replaces the rows by those of one change.
    #[inline(always)]
    pub(crate) fn set(&mut self, change: &ChangeRows) {
        self.clear();
        change
            .removed
            .as_slice()
            .iter()
            .for_each(|&row| self.removed.push(row));
        change
            .added
            .as_slice()
            .iter()
            .for_each(|&row| self.added.push(row));
    }

    /// Adds the rows of a change. A row that one change adds and a later one removes cancels.
    ///
    /// # Panics
    ///
    /// If more than 768 rows do not cancel.
    pub(crate) fn merge(&mut self, change: &ChangeRows) {
        for &row in change.removed.as_slice() {
            if !self.added.cancel(row) {
                self.removed.push(row);
            }
        }
        for &row in change.added.as_slice() {
            if !self.removed.cancel(row) {
                self.added.push(row);
            }
        }
    }

    /// Adds the rows that lead from the position `old` to the position `new`. If they are not fewer
    /// than the pieces of `new`, a refresh is no more work: returns false and leaves the lists
    /// unchanged.
    #[inline(always)]
    pub(crate) fn collect_difference(
        &mut self,
        sets: impl Sets,
        view: View,
        old: &Planes,
        new: &Planes,
    ) -> bool {
        if old.distance(new) >= new.occupied().count_ones() {
            return false;
        }
        self.set_to_difference(sets, view, old, new);
        true
    }

    /// Replaces the rows by those that lead to the position `new`: from the position `old` (returns
    /// true), or from nothing if there is no `old` or that takes fewer rows.
    #[inline(always)]
    pub(crate) fn lead_to(
        &mut self,
        sets: impl Sets,
        view: View,
        old: Option<Planes>,
        new: &Planes,
    ) -> bool {
        let follows = old.is_some_and(|old| self.collect_difference(sets, view, &old, new));
        if !follows {
            self.clear();
            self.added.collect_active(sets, view, new);
        }
        follows
    }

    /// Replaces the rows by those that lead from the position `old` to the position `new`.
    #[inline(always)]
    pub(crate) fn set_to_difference(
        &mut self,
        sets: impl Sets,
        view: View,
        old: &Planes,
        new: &Planes,
    ) {
        let changed = old.differing(new);
        self.clear();
        self.removed.collect(sets, view, old, changed);
        self.added.collect(sets, view, new, changed);
    }

    #[inline(always)]
    pub(crate) fn as_changes(&self) -> RowChanges<'_> {
        RowChanges::pieces(self.added.as_slice(), self.removed.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, PieceKind, Square};
    use crate::features::{Chess768, Declared, FeatureSet};

    #[test]
    fn a_piece_that_moves_twice_costs_two_rows() {
        let knight = Piece::new(Color::White, PieceKind::Knight);
        let sets = Declared::<Chess768, ()>::new();
        let view = Chess768::view(Color::White, Square::new(4));
        let [a, b, c] = [1, 18, 35].map(Square::new);
        let mut rows = Rows::new();
        for (from, to) in [(a, b), (b, c)] {
            rows.merge(&ChangeRows::of(
                sets,
                view,
                &Change::quiet(knight, from, to),
            ));
        }
        assert_eq!(
            (rows.removed.as_slice(), rows.added.as_slice()),
            (&[65][..], &[99][..])
        );
        rows.merge(&ChangeRows::of(sets, view, &Change::quiet(knight, c, a)));
        assert!(rows.removed.as_slice().is_empty() && rows.added.as_slice().is_empty());
    }
}
