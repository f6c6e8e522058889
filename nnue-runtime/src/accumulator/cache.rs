//! The refresh cache ("finny table"): the last accumulator of every king place, so that a refresh costs only what
//! differs from the position for which it was made.

use crate::accumulator::rows::Rows;
use crate::architecture::Transform;
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
        let slots = self.entries.len() / 2;
        let entry = &mut self.entries[view.perspective.index() * slots + usize::from(view.slot)];
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
