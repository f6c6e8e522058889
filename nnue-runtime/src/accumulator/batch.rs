//! Accumulators of a batch in chess: many positions that do not follow from each other.
//!
//! ```text
//!   positions       accumulators in order                          computed one after the other
//!   0 ─┬─ white ┐   block of rows 3   white, position 7            built from the bias
//!      └─ black │                     white, position 2    ◄────── from position 7, by the rows in which they differ
//!   1 ─┬─ white ├─►                   black, position 0            another view: built
//!      └─ black │   block of rows 5   black, position 4            ..
//!   ..          ┘   ..
//! ```
//!
//! In this order, the rows of a block are still in a near cache when the next accumulator needs
//! them: in a batch of 256 positions, only four or five rows of an accumulator are in none. Those
//! are prefetched while the previous accumulator is computed.
//!
//! Accumulators with rows of pairs are always built from the bias: unrelated positions have few
//! pairs in common. All their rows are prefetched just before: on a Zen 4, batches of SFNNv16 take
//! 0.83 to 0.93 of the time that they took with new rows prefetched ahead. Without pairs, positions that have nearly all pieces in common are a
//! [`Family`].

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::family::Family;
use super::new_rows::NewRows;
use super::perspectives::Perspectives;
use super::rows::Rows;
use crate::board::{Planes, Snapshot};
use crate::features::{ChangedRows, PairView, PieceMap, RowChange, Sets, View, planes_of};
use crate::simd::AvailableLevel;
use crate::transform::{RowChanges, Transform, Upcoming};

/// How many preceding accumulators are searched for the most similar one. With 8, an accumulator of
/// an unrelated position takes 15.7 rows instead of 19.4; with 32, 15.1; with all of 256 positions,
/// 14.8.
const NEAR: usize = 8;

/// The distance of two positions that differ by the move of one piece.
const ONE_MOVE: u32 = 2;

/// The positions of a batch, and scratch lists.
pub struct ChessBatch {
    boards: Vec<Planes>,
    wanted: Vec<Wanted>,
    /// rows of pairs of all positions
    pairs: Vec<u32>,
    /// scratch
    found: Box<ChangedRows>,
    /// scratch: the rows of pieces that lead to an accumulator
    rows: Box<Rows>,
    /// scratch: the rows of pieces that lead to the next accumulator
    next: Box<Rows>,
    /// scratch: which of these the batch reads for the first time, if there are no pairs
    new: NewRows,
    family: Family,
}

/// An accumulator that the layers read.
#[derive(Clone, Copy)]
struct Wanted {
    /// Sort key: groups equal views, then shared rows, then similar numbers of pieces.
    key: u64,
    view: View,
    /// an index of [`ChessBatch::boards`]
    position: usize,
    /// start and end of its rows in [`ChessBatch::pairs`]
    pairs: [usize; 2],
}

impl ChessBatch {
    pub(super) fn new() -> Self {
        Self {
            boards: Vec::new(),
            wanted: Vec::new(),
            pairs: Vec::new(),
            found: ChangedRows::new(),
            rows: Rows::new(),
            next: Rows::new(),
            new: NewRows::new(),
            family: Family::new(),
        }
    }

    pub(super) fn empty(&mut self) {
        self.boards.clear();
        self.wanted.clear();
        self.pairs.clear();
    }

    pub(super) fn add(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) {
        let bitboards = board.bitboards();
        let map = sets.has_pairs().then(|| PieceMap::of_boards(bitboards));
        for side in perspectives.each(board.side_to_move) {
            let king = board.kings[side.index()];
            let first = self.pairs.len();
            if let Some(map) = &map {
                self.found.clear(side);
                sets.collect_pairs(level, map, PairView::new(side, king), &mut self.found);
                self.pairs
                    .extend_from_slice(self.found.of(RowChange::Added, side));
            }
            let view = sets.view(side, king);
            let key = [
                view.base.into(),
                side as u64,
                view.orientation.into(),
                board.piece_count() as u64,
            ];
            let key = key[0] << 32 | key[1] << 16 | key[2] << 8 | key[3];
            self.wanted.push(Wanted {
                key,
                view,
                position: self.boards.len(),
                pairs: [first, self.pairs.len()],
            });
        }
        self.boards.push(planes_of(sets, &bitboards));
    }

    /// Computes the accumulators of all positions, except the members of a family, and the
    /// accumulators that these start from.
    pub(super) fn compute<T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        self.family.clear();
        // one of each side and position, unless the network reads only one side
        if !sets.has_pairs() && self.wanted.len() == 2 * self.boards.len() {
            self.family
                .find(&self.boards, self.wanted.iter().map(|wanted| wanted.view));
        }
        self.family
            .compute_middle(sets, level, transformer, accumulators);
        self.wanted
            .retain(|wanted| !self.family.has(wanted.position));
        // Ties keep the order of the positions: in a list of children, moves of one piece follow
        // each other.
        self.wanted
            .sort_unstable_by_key(|wanted| (wanted.key, wanted.position));
        self.new.forget(sets.rows());
        let mut start = self.list_next(sets, 0);
        for at in 0..self.wanted.len() {
            core::mem::swap(&mut self.rows, &mut self.next);
            let next = self.list_next(sets, at + 1);
            self.derive(level, transformer, at, start, accumulators);
            start = next;
        }
    }

    /// The accumulators of a position. They were [computed](Self::compute), or are computed now if
    /// it is a member of a family.
    #[inline]
    pub(super) fn read<'a, T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        position: usize,
        accumulators: &'a mut [[T::Accumulator; 2]],
    ) -> &'a [T::Accumulator; 2] {
        if self.family.has(position) {
            return self.family.member(
                sets,
                level,
                transformer,
                &self.boards,
                position,
                accumulators,
            );
        }
        &accumulators[position]
    }

    #[inline(always)]
    fn pairs_of(&self, wanted: &Wanted) -> &[u32] {
        &self.pairs[wanted.pairs[0]..wanted.pairs[1]]
    }

    /// Lists the rows of pieces that lead to accumulator `at`, if it exists: from the accumulator
    /// of the returned position, or from the bias.
    #[inline]
    fn list_next(&mut self, sets: impl Sets, at: usize) -> Option<usize> {
        let Some(&Wanted { view, position, .. }) = self.wanted.get(at) else {
            self.new.set(&[]);
            return None;
        };
        let nearest = if sets.has_pairs() {
            None
        } else {
            self.nearest(at)
        };
        let (board, rows) = (&self.boards[position], &mut *self.next);
        let start = nearest
            .filter(|&start| rows.collect_difference(sets, view, &self.boards[start], board));
        if start.is_none() {
            rows.clear();
            rows.added.collect_active(sets, view, board);
        }
        if !sets.has_pairs() {
            self.new.set(rows.added.as_slice());
        }
        start
    }

    /// The position most similar to that of accumulator `at`, among the preceding accumulators of
    /// the same view. The latest one that differs by a move of one piece is taken at once.
    #[inline]
    fn nearest(&self, at: usize) -> Option<usize> {
        let Wanted { view, position, .. } = self.wanted[at];
        let (mut nearest, mut least) = (None, u32::MAX);
        for other in self.wanted[at.saturating_sub(NEAR)..at]
            .iter()
            .rev()
            .take_while(|other| other.view == view)
        {
            let distance = self.boards[other.position].distance(&self.boards[position]);
            if distance < least {
                (nearest, least) = (Some(other.position), distance);
            }
            if distance <= ONE_MOVE {
                break;
            }
        }
        nearest
    }

    /// Computes accumulator `at` from that of position `start`, or from the bias, and prefetches
    /// the new rows of the next one, or with pairs all rows of this one.
    #[inline]
    fn derive<T: Transform>(
        &self,
        level: AvailableLevel,
        transformer: &T,
        at: usize,
        start: Option<usize>,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        let wanted = &self.wanted[at];
        let (side, position) = (wanted.view.perspective.index(), wanted.position);
        let rows = RowChanges {
            pairs_added: self.pairs_of(wanted),
            ..self.rows.as_changes()
        };
        let next = Upcoming {
            pieces: self.new.as_slice(),
        };
        if !rows.pairs_added.is_empty() {
            rows.prefetch_refreshed(transformer);
        }
        match start.map(|start| accumulators.get_disjoint_mut([start, position])) {
            Some(Ok([source, target])) => {
                transformer.derive(level, Some(&source[side]), &mut target[side], rows, next);
            }
            _ => transformer.derive(level, None, &mut accumulators[position][side], rows, next),
        }
    }
}
