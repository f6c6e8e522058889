//! The refresh cache ("finny table"): the last accumulator of every king place, so that a refresh costs only what
//! differs from the position for which it was made.

use crate::accumulator::rows::Rows;
use crate::architecture::{RowChanges, Transform};
use crate::board::Bitboards;
use crate::features::{FeatureSet, View};
use crate::simd::AvailableLevel;

/// One entry per perspective and slot of the feature set.
pub(crate) struct RefreshCache<T: Transform> {
    entries: Box<[Entry<T>]>,
    /// counts how often everything was forgotten; never 0
    epoch: u64,
}

struct Entry<T: Transform> {
    accumulator: T::Accumulator,
    /// the position of the accumulator
    boards: Bitboards,
    /// the epoch in which it was made; the entry counts in no other one
    epoch: u64,
    /// the orientation of the view that made it
    orientation: u8,
}

impl<T: Transform> Entry<T> {
    /// Views of one slot differ in orientation only. The same accumulator belongs to the boards with squares exchanged
    /// accordingly.
    #[inline(always)]
    fn orient(&mut self, orientation: u8) {
        let mask = self.orientation ^ orientation;
        if mask != 0 {
            self.boards = self.boards.map(|board| exchange_squares(board, mask));
            self.orientation = orientation;
        }
    }
}

impl<T: Transform> RefreshCache<T> {
    /// An empty cache for a feature set with `slots` slots.
    pub(crate) fn new(slots: usize) -> Self {
        let entry = || Entry { accumulator: T::zeroed(), boards: Bitboards::default(), epoch: 0, orientation: 0 };
        Self { entries: (0..2 * slots).map(|_| entry()).collect(), epoch: 1 }
    }

    /// Forgets every accumulator.
    pub(crate) fn clear(&mut self) {
        self.epoch += 1;
    }

    /// Computes the accumulator of the position with these boards into `target`: from the entry of the view's slot, or
    /// from the bias where that takes fewer rows. The entry becomes this position's. `rows` is scratch.
    pub(crate) fn refresh<F: FeatureSet>(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        view: View,
        boards: &Bitboards,
        target: &mut T::Accumulator,
        rows: &mut Rows,
    ) {
        let index = self.index(view);
        let entry = &mut self.entries[index];
        entry.orient(view.orientation);
        let old = std::mem::replace(&mut entry.boards, *boards);
        let known = std::mem::replace(&mut entry.epoch, self.epoch) == self.epoch;
        if known && rows.collect_difference::<F>(view, &old, boards) {
            transformer.renew(level, &mut entry.accumulator, target, rows.removed.as_slice(), rows.added.as_slice());
        } else {
            rows.added.collect_active::<F>(view, boards);
            transformer.build(level, target, rows.added.as_slice());
            entry.accumulator.clone_from(target);
        }
    }
}

/// With sets of pairs, whose rows take no part in cached accumulators.
impl<T: Transform> RefreshCache<T> {
    /// Computes the accumulator of the position with these boards and these rows of pairs into `target`: its pieces from
    /// the entry of the view's slot, or from the bias where that takes fewer rows. `rows` is scratch.
    #[expect(clippy::too_many_arguments, reason = "what to compute, from what, and where to")]
    pub(crate) fn refresh_with_pairs<F: FeatureSet>(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        view: View,
        boards: &Bitboards,
        target: &mut T::Accumulator,
        rows: &mut Rows,
        pairs_added: &[u32],
    ) {
        let index = self.index(view);
        let entry = self.advance::<F>(index, transformer, view, boards, rows);
        let rows = RowChanges {
            removed: rows.removed.as_slice(),
            added: rows.added.as_slice(),
            pairs_removed: &[],
            pairs_added,
        };
        transformer.renew_pairs(level, &mut entry.accumulator, target, rows);
    }

    /// Computes `target = source`, with its pieces seen through the first of `views` on the first of `boards` replaced by
    /// those of the second, and changed by the rows of `pairs`. False, and nothing is done, where the cache is no help.
    #[expect(clippy::too_many_arguments, reason = "what to compute, from what, and where to")]
    pub(crate) fn replace<F: FeatureSet>(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        views: [View; 2],
        boards: [&Bitboards; 2],
        source: &T::Accumulator,
        target: &mut T::Accumulator,
        rows: &mut Rows,
        pairs: RowChanges<'_>,
    ) -> bool {
        let [left, entered] = views.map(|view| self.index(view));
        if left == entered || self.entries[left].epoch != self.epoch {
            return false;
        }
        let entry = &mut self.entries[left];
        entry.orient(views[0].orientation);
        if !rows.collect_difference::<F>(views[0], &entry.boards, boards[0]) {
            return false;
        }
        if !rows.is_empty() {
            entry.boards = *boards[0];
            transformer.renew(level, &mut entry.accumulator, target, rows.removed.as_slice(), rows.added.as_slice());
        }
        self.advance::<F>(entered, transformer, views[1], boards[1], rows);
        let Ok([left, entered]) = self.entries.get_disjoint_mut([left, entered]) else { return false };
        let rows = RowChanges { removed: rows.removed.as_slice(), added: rows.added.as_slice(), ..pairs };
        transformer.replace_pieces(level, [source, &left.accumulator], &mut entered.accumulator, target, rows);
        true
    }

    /// Where the entry of a view is.
    #[inline(always)]
    fn index(&self, view: View) -> usize {
        view.perspective.index() * (self.entries.len() / 2) + usize::from(view.slot)
    }

    /// Makes the entry at `index` this view's and position's, but for `rows`, which are still to be added to its
    /// accumulator.
    #[inline]
    fn advance<F: FeatureSet>(
        &mut self,
        index: usize,
        transformer: &T,
        view: View,
        boards: &Bitboards,
        rows: &mut Rows,
    ) -> &mut Entry<T> {
        let entry = &mut self.entries[index];
        entry.orient(view.orientation);
        let old = std::mem::replace(&mut entry.boards, *boards);
        let known = std::mem::replace(&mut entry.epoch, self.epoch) == self.epoch;
        if !(known && rows.collect_difference::<F>(view, &old, boards)) {
            rows.clear();
            rows.added.collect_active::<F>(view, boards);
            transformer.set_to_bias(&mut entry.accumulator);
        }
        entry
    }
}

/// The bitboard in which square `s` is what square `s ^ mask` was, `mask` below 64.
fn exchange_squares(mut board: u64, mask: u8) -> u64 {
    const PARTS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (bit, part) in PARTS.into_iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0) {
        board = (board & part) << (1 << bit) | (board >> (1 << bit)) & part;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::squares_of;

    #[test]
    fn exchange_squares_is_xor_of_the_index() {
        let board = 0x8123_4567_89AB_CDEF;
        for mask in 0..64 {
            let expected = squares_of(board).fold(0, |all, square| all | square.xor(mask).bit());
            assert_eq!(exchange_squares(board, mask), expected, "{mask}");
        }
    }
}
