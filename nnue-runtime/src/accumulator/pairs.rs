//! Updates the top of a stack if the network has sets of pairs.
//!
//! ```text
//!   board given to evaluate ── changes undone ──► board of the ply to start from      the plies between are never visited
//!         └──────────── what differs ────────────────┘
//!                            │ once for both sides
//!                            ▼
//!   per side     rows of pairs     while the own king stays in its half of the board, from the computed ply;
//!                                  else all pairs of the board
//!                rows of pieces    while the own king stays in its bucket, from the computed ply;
//!                                  else through the cache, which holds accumulators of pieces only
//!
//!   king moved inside its half:    target = source - cached[old bucket] + cached[new bucket] +- rows of pairs
//! ```
//!
//! If the ply before the top is not computed, it is computed first, since the siblings of the top
//! will need it.

use super::chess::{Chess, ChessLine, ChessPly, SetsOf, UNKNOWN};
use super::perspectives::Perspectives;
use super::rows::ChangeRows;
use crate::board::{Change, Color, Snapshot};
use crate::both::both;
use crate::features::{PairView, PieceMap, Sets, planes_of};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// A position has about two active pairs per piece: if more change, a refresh is no more work.
const MOST_CHANGES_PER_PIECE: usize = 2;

/// An earlier ply, which is computed, and a later one to compute from it.
struct Gap<'a> {
    from: usize,
    to: usize,
    before: &'a PieceMap,
    after: &'a PieceMap,
}

impl Gap<'_> {
    /// The view of `side`, if it is the same at both plies.
    #[inline(always)]
    fn pair_view(&self, side: Color) -> Option<PairView> {
        let [before, after] = both([self.before, self.after], |board| {
            PairView::new(side, board.king(side))
        });
        (before == after).then_some(after)
    }

    /// By side, the rows of pieces of a single ply, if the side's view of pieces is the same before
    /// and after it.
    #[inline(always)]
    fn piece_rows(&self, sets: impl Sets, plies: &[ChessPly]) -> [Option<ChangeRows>; 2] {
        let change = &plies[self.to].change;
        both(Color::ALL, |side| {
            (self.from + 1 == self.to && !sets.must_refresh(side, change))
                .then(|| ChangeRows::of(sets, sets.view(side, self.after.king(side)), change))
        })
    }
}

/// Whether the change moves the own king between files d and e, or removes or adds it.
fn crosses(side: Color, change: &Change) -> bool {
    change.touches_king(side)
        && match change.king_squares(side) {
            (Some(from), Some(to)) => PairView::new(side, from) != PairView::new(side, to),
            _ => true,
        }
}

impl<F: 'static, X: 'static, T: Transform> ChessLine<F, X, T>
where
    Chess<F, X>: SetsOf<T>,
{
    /// Computes the top's accumulators that the network reads.
    pub(super) fn compute_with_pairs(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) {
        let top = self.plies.len() - 1;
        let read = |side| perspectives.sides(board.side_to_move).contains(&side);
        let wanted = both(Color::ALL, |side| read(side) && self.is_unknown(side, top));
        if wanted == [false; 2] {
            return;
        }
        let after = PieceMap::of_boards(board.bitboards());
        if top > 0 {
            let change = self.plies[top].change;
            let first = both(Color::ALL, |side| {
                wanted[side.index()] && self.is_unknown(side, top - 1) && !crosses(side, &change)
            });
            if first != [false; 2] {
                self.reach(level, transformer, top - 1, &after.undone([&change]), first);
            }
        }
        self.reach(level, transformer, top, &after, wanted);
    }

    #[inline(always)]
    fn is_unknown(&self, side: Color, ply: usize) -> bool {
        self.plies[ply].located[side.index()] == UNKNOWN
    }

    /// Computes the `wanted` accumulators of ply `to`, whose board is `after`.
    fn reach(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        to: usize,
        after: &PieceMap,
        wanted: [bool; 2],
    ) {
        let from = both(Color::ALL, |side| {
            self.nearest(side, to, after)
                .filter(|_| wanted[side.index()])
        });
        match from {
            [Some(white), Some(black)] if white == black => {
                let before = self.board_of(white, to, after);
                self.follow_both(
                    level,
                    transformer,
                    &Gap {
                        from: white,
                        to,
                        before: &before,
                        after,
                    },
                );
            }
            _ => {
                for side in Color::ALL.into_iter().filter(|side| wanted[side.index()]) {
                    match from[side.index()] {
                        Some(from) => {
                            let before = self.board_of(from, to, after);
                            self.follow(
                                level,
                                transformer,
                                &Gap {
                                    from,
                                    to,
                                    before: &before,
                                    after,
                                },
                                side,
                            );
                        }
                        None => self.refresh_with_pairs(level, transformer, to, after, side),
                    }
                }
            }
        }
    }

    /// The nearest ply before `to` that is computed for `side`. The search stops after as many
    /// plies as the position has pieces: a longer path is more work than a refresh.
    #[inline]
    fn nearest(&self, side: Color, to: usize, after: &PieceMap) -> Option<usize> {
        let pieces = after.occupied().count_ones() as usize;
        let mut rows = 0;
        for ply in (0..to).rev() {
            let change = &self.plies[ply + 1].change;
            rows += change.removed().len() + change.added().len();
            if rows > pieces.max(4) {
                return None;
            }
            if !self.is_unknown(side, ply) {
                return Some(ply);
            }
        }
        None
    }

    /// The board of ply `ply`, from that of ply `to`.
    #[inline]
    fn board_of(&self, ply: usize, to: usize, after: &PieceMap) -> PieceMap {
        after.undone(self.plies[ply + 1..=to].iter().rev().map(|ply| &ply.change))
    }

    /// Computes both sides across a gap; the changes are found once.
    fn follow_both(&mut self, level: AvailableLevel, transformer: &T, gap: &Gap<'_>) {
        let [Some(white), Some(black)] = both(Color::ALL, |side| gap.pair_view(side)) else {
            for side in Color::ALL {
                self.follow(level, transformer, gap, side);
            }
            return;
        };
        let sets = Chess::sets(transformer);
        let pieces = gap.piece_rows(sets, &self.plies);
        for rows in pieces.iter().flatten() {
            rows.as_changes().prefetch(transformer);
        }
        self.work.pairs.collect_changes(
            sets,
            level,
            transformer,
            [gap.before, gap.after],
            &[white, black],
        );
        match pieces {
            [Some(white), Some(black)] if !self.plies[gap.to].change.is_null() => {
                self.step_with_pairs(level, transformer, gap, [&white, &black]);
            }
            _ => {
                for side in Color::ALL {
                    self.advance_with_pairs(level, transformer, gap, side);
                }
            }
        }
    }

    /// Computes both accumulators of a ply from those of the ply before it, in one pass: the
    /// ordinary step of a search.
    #[inline]
    fn step_with_pairs(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        gap: &Gap<'_>,
        pieces: [&ChangeRows; 2],
    ) {
        let rows = both(
            [(Color::White, pieces[0]), (Color::Black, pieces[1])],
            |(side, pieces)| {
                let [pairs_added, pairs_removed] = self.work.pairs.rows(side);
                let (added, removed) = (pieces.added.as_slice(), pieces.removed.as_slice());
                RowChanges {
                    added,
                    removed,
                    pairs_added,
                    pairs_removed,
                }
            },
        );
        let [white, black] = self.plies[gap.from].located;
        let (before, after) = self.accumulators.split_at_mut(gap.to);
        let sources = [&before[white as usize][0], &before[black as usize][1]];
        transformer.pass_both(level, sources, after[0].each_mut(), rows);
        self.plies[gap.to].located = [gap.to as u32; 2];
    }

    fn follow(&mut self, level: AvailableLevel, transformer: &T, gap: &Gap<'_>, side: Color) {
        match gap.pair_view(side) {
            Some(view) => {
                let (sets, boards) = (Chess::sets(transformer), [gap.before, gap.after]);
                self.work
                    .pairs
                    .collect_changes(sets, level, transformer, boards, &[view]);
                self.advance_with_pairs(level, transformer, gap, side);
            }
            None => self.refresh_with_pairs(level, transformer, gap.to, gap.after, side),
        }
    }

    /// Computes one side across a gap, once its rows of pairs are listed.
    fn advance_with_pairs(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        gap: &Gap<'_>,
        side: Color,
    ) {
        let sets = Chess::sets(transformer);
        let [old, view] = both([gap.before, gap.after], |board| {
            sets.view(side, board.king(side))
        });
        let (index, source) = (side.index(), self.plies[gap.from].located[side.index()]);
        let (before, after) = self.accumulators.split_at_mut(gap.to);
        let (source_values, target) = (&before[source as usize][index], &mut after[0][index]);
        let [pairs_added, pairs_removed] = self.work.pairs.rows(side);
        if pairs_added.len() + pairs_removed.len() > MOST_CHANGES_PER_PIECE * gap.after.count() {
            return self.refresh_with_pairs(level, transformer, gap.to, gap.after, side);
        }
        if old != view {
            let boards = [
                &planes_of(sets, gap.before.boards()),
                &planes_of(sets, gap.after.boards()),
            ];
            let pairs = RowChanges {
                pairs_added,
                pairs_removed,
                ..RowChanges::default()
            };
            let rows = &mut self.work.rows;
            if !self.work.cache.replace(
                sets,
                level,
                transformer,
                [old, view],
                boards,
                source_values,
                target,
                rows,
                pairs,
            ) {
                return self.refresh_with_pairs(level, transformer, gap.to, gap.after, side);
            }
            self.plies[gap.to].located[index] = gap.to as u32;
            return;
        }
        let rows = &mut *self.work.rows;
        if gap.from + 1 == gap.to && !sets.sees_attacks() {
            rows.set(&ChangeRows::of(sets, view, &self.plies[gap.to].change));
        } else if !rows.collect_difference(
            sets,
            view,
            &planes_of(sets, gap.before.boards()),
            &planes_of(sets, gap.after.boards()),
        ) {
            return self.refresh_with_pairs(level, transformer, gap.to, gap.after, side);
        }
        rows.as_changes().prefetch(transformer);
        let (added, removed) = (rows.added.as_slice(), rows.removed.as_slice());
        let rows = RowChanges {
            added,
            removed,
            pairs_added,
            pairs_removed,
        };
        self.plies[gap.to].located[index] = if rows.is_empty() {
            source
        } else {
            transformer.pass(
                level,
                Frame::Step {
                    source: source_values,
                    target,
                },
                rows,
            );
            gap.to as u32
        };
    }

    /// Computes one side of ply `ply` from the pieces in the cache and all pairs of its board.
    fn refresh_with_pairs(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        ply: usize,
        board: &PieceMap,
        side: Color,
    ) {
        let (sets, king) = (Chess::sets(transformer), board.king(side));
        self.work
            .pairs
            .collect_active(sets, level, transformer, board, PairView::new(side, king));
        let [pairs_added, _] = self.work.pairs.rows(side);
        let target = &mut self.accumulators[ply][side.index()];
        let (view, rows) = (sets.view(side, king), &mut self.work.rows);
        self.work.cache.refresh_with_pairs(
            sets,
            level,
            transformer,
            view,
            &planes_of(sets, board.boards()),
            target,
            rows,
            pairs_added,
        );
        self.plies[ply].located[side.index()] = ply as u32;
    }
}
