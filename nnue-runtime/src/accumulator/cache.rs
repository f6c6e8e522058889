//! The refresh cache ("finny table"): the last accumulator for each view of the king, so that a
//! refresh only applies the differences from the cached position.

use alloc::boxed::Box;

use super::rows::Rows;
use crate::board::Planes;
use crate::both::both;
use crate::features::{Sets, View};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// One entry per perspective and slot of the feature set.
pub(crate) struct RefreshCache<T: Transform> {
    entries: Box<[Entry<T>]>,
    /// number of calls of [`Self::clear`] plus one
    epoch: u64,
}

struct Entry<T: Transform> {
    accumulator: T::Accumulator,
    board: SeenBoard,
    /// the epoch in which it was made; the entry is invalid in any other
    epoch: u64,
}

/// A board, and the orientation of the view through which its accumulator was computed.
#[derive(Clone, Copy, Default)]
pub(super) struct SeenBoard {
    board: Planes,
    orientation: u8,
}

impl SeenBoard {
    pub(super) fn new(board: &Planes, view: View) -> Self {
        Self {
            board: *board,
            orientation: view.orientation,
        }
    }

    /// The board as another view of the same slot sees it. Views of one slot differ only in
    /// orientation: the accumulator is also that of the board with its squares exchanged
    /// accordingly.
    #[inline(always)]
    pub(super) fn through(&self, view: View) -> Planes {
        match self.orientation ^ view.orientation {
            0 => self.board,
            mask => self.board.exchanged(mask),
        }
    }
}

impl<T: Transform> Clone for RefreshCache<T> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            epoch: self.epoch,
        }
    }
}

impl<T: Transform> Clone for Entry<T> {
    fn clone(&self) -> Self {
        Self {
            accumulator: self.accumulator.clone(),
            ..*self
        }
    }
}

impl<T: Transform> RefreshCache<T> {
    pub(crate) fn new(slots: usize) -> Self {
        let entry = || Entry {
            accumulator: T::zeroed(),
            board: SeenBoard::default(),
            epoch: 0,
        };
        Self {
            entries: (0..2 * slots).map(|_| entry()).collect(),
            epoch: 1,
        }
    }

    /// Invalidates every entry.
    pub(crate) fn clear(&mut self) {
        self.epoch += 1;
    }

    /// Computes the accumulator of the position `board` into `target`: from the entry of the view's
    /// slot, or from the bias if that takes fewer rows. Updates the entry to this position. `rows`
    /// is scratch.
    #[expect(
        clippy::too_many_arguments,
        reason = "what to compute, from what, and where to"
    )]
    pub(crate) fn refresh(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        view: View,
        board: &Planes,
        target: &mut T::Accumulator,
        rows: &mut Rows,
    ) {
        self.refresh_with_pairs(sets, level, transformer, view, board, target, rows, &[]);
    }

    /// Sets the entry at `index` to this view and position, except its accumulator. `rows` lead to
    /// the accumulator from the current one (returns true) or from the bias.
    #[inline]
    fn enter(
        &mut self,
        sets: impl Sets,
        index: usize,
        view: View,
        board: &Planes,
        rows: &mut Rows,
    ) -> bool {
        let entry = &mut self.entries[index];
        let known = core::mem::replace(&mut entry.epoch, self.epoch) == self.epoch;
        let old = known.then(|| entry.board.through(view));
        entry.board = SeenBoard::new(board, view);
        rows.lead_to(sets, view, old, board)
    }

    #[inline(always)]
    fn index(&self, view: View) -> usize {
        view.perspective.index() * (self.entries.len() / 2) + usize::from(view.slot)
    }
}

/// For networks with sets of pairs. Cached accumulators do not contain their rows.
impl<T: Transform> RefreshCache<T> {
    /// Computes the accumulator of the position `board` with these rows of pairs into `target`: its
    /// pieces from the entry of the view's slot, or from the bias if that takes fewer rows. `rows`
    /// is scratch.
    #[expect(
        clippy::too_many_arguments,
        reason = "what to compute, from what, and where to"
    )]
    pub(crate) fn refresh_with_pairs(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        view: View,
        board: &Planes,
        target: &mut T::Accumulator,
        rows: &mut Rows,
        pairs_added: &[u32],
    ) {
        let index = self.index(view);
        let is_short_cut = self.enter(sets, index, view, board, rows);
        rows.as_changes().prefetch_refreshed(transformer);
        let cached = &mut self.entries[index].accumulator;
        let frame = if is_short_cut {
            Frame::Renew { cached, target }
        } else {
            Frame::Fill { cached, target }
        };
        transformer.pass(
            level,
            frame,
            RowChanges {
                pairs_added,
                ..rows.as_changes()
            },
        );
    }

    /// Computes `target = source`, replacing the pieces of the first of `boards` (seen through the
    /// first of `views`) by those of the second, and applying the rows of `pairs`. Returns false
    /// and does nothing if the cache does not help.
    #[expect(
        clippy::too_many_arguments,
        reason = "what to compute, from what, and where to"
    )]
    pub(crate) fn replace(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        views: [View; 2],
        boards: [&Planes; 2],
        source: &T::Accumulator,
        target: &mut T::Accumulator,
        rows: &mut Rows,
        pairs: RowChanges<'_>,
    ) -> bool {
        let [left, entered] = both(views, |view| self.index(view));
        if left == entered || self.entries[left].epoch != self.epoch {
            return false;
        }
        let entry = &mut self.entries[left];
        let old = entry.board.through(views[0]);
        if !rows.collect_difference(sets, views[0], &old, boards[0]) {
            return false;
        }
        if !rows.is_empty() {
            rows.as_changes().prefetch_refreshed(transformer);
            entry.board = SeenBoard::new(boards[0], views[0]);
            transformer.pass(
                level,
                Frame::Renew {
                    cached: &mut entry.accumulator,
                    target,
                },
                rows.as_changes(),
            );
        }
        if !self.enter(sets, entered, views[1], boards[1], rows) {
            transformer.set_to_bias(&mut self.entries[entered].accumulator);
        }
        rows.as_changes().prefetch_refreshed(transformer);
        let Ok([left, entered]) = self.entries.get_disjoint_mut([left, entered]) else {
            return false;
        };
        let (left, cached) = (&left.accumulator, &mut entered.accumulator);
        let rows = RowChanges {
            added: rows.added.as_slice(),
            removed: rows.removed.as_slice(),
            ..pairs
        };
        transformer.pass(
            level,
            Frame::Replace {
                source,
                left,
                cached,
                target,
            },
            rows,
        );
        true
    }
}
