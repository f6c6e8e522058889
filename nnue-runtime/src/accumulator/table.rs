//! Accumulators of positions that come without the moves that led to them: for each view of a king
//! the last board that was seen through it, and its accumulator.
//!
//! ```text
//!   entry      of a side and a slot     board, accumulator, room for the next one
//!   position   ──► the entry of each side ──► pieces that differ ──► one pass over both sides
//! ```
//!
//! Accumulators of networks with sets of pairs are computed from the pieces of the entry and all
//! pairs of the position.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::cache::SeenBoard;
use super::chess::{Chess, SetsOf};
use super::pair_lists::PairLists;
use super::perspectives::Perspectives;
use super::rows::Rows;
use crate::board::{Color, Planes, Snapshot};
use crate::both::both;
use crate::features::{PairView, PieceMap, Sets, View, planes_of};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The entries of both sides.
pub(crate) struct Table<G, T: Transform> {
    /// by slot, White's entries before Black's
    entries: Box<[Entry<T>]>,
    /// scratch, by side
    rows: [Box<Rows>; 2],
    /// scratch
    pairs: PairLists,
    sets: PhantomData<fn() -> G>,
}

#[derive(Clone)]
struct Entry<T: Transform> {
    /// Without pairs: the accumulator at `current`, and room for the next one. With pairs: that of
    /// the pieces alone, and that of all rows.
    accumulators: [T::Accumulator; 2],
    current: usize,
    /// `None`: no board was seen yet
    board: Option<SeenBoard>,
}

impl<T: Transform> Entry<T> {
    /// The accumulator, and where the next one goes.
    #[inline(always)]
    fn step(&mut self) -> (&T::Accumulator, &mut T::Accumulator) {
        let [first, second] = &mut self.accumulators;
        self.current ^= 1;
        match self.current {
            0 => (second, first),
            _ => (first, second),
        }
    }

    #[inline(always)]
    fn accumulator(&self) -> &T::Accumulator {
        &self.accumulators[self.current]
    }
}

impl<F: 'static, X: 'static, T: Transform> Table<Chess<F, X>, T>
where
    Chess<F, X>: SetsOf<T>,
{
    /// A table without boards.
    pub(crate) fn new() -> Self {
        let entry = || Entry {
            accumulators: [T::zeroed(), T::zeroed()],
            current: 0,
            board: None,
        };
        Self {
            entries: (0..2 * Chess::<F, X>::SLOTS).map(|_| entry()).collect(),
            rows: [Rows::new(), Rows::new()],
            pairs: PairLists::new(),
            sets: PhantomData,
        }
    }

    /// Forgets all boards.
    pub(crate) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.board = None);
    }

    /// The accumulators of `board`, in reading order.
    #[inline]
    pub(crate) fn current(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) -> [&T::Accumulator; 2] {
        let sets = Chess::<F, X>::sets(transformer);
        let sides = perspectives.sides(board.side_to_move);
        let planes = planes_of(sets, &board.bitboards());
        let slots = self.entries.len() / 2;
        // Written without closures, which the compiler may turn into functions.
        let views = [
            sets.view(Color::White, board.kings[0]),
            sets.view(Color::Black, board.kings[1]),
        ];
        let (white, black) = self.entries.split_at_mut(slots);
        let entries = [
            &mut white[usize::from(views[0].slot)],
            &mut black[usize::from(views[1].slot)],
        ];
        let [own, other] = both(sides, Color::index);
        if sets.has_pairs() {
            let map = PieceMap::of_boards(board.bitboards());
            for (entry, view) in entries.into_iter().zip(views) {
                if sides.contains(&view.perspective) {
                    let pairs = PairView::new(view.perspective, map.king(view.perspective));
                    self.pairs
                        .collect_active(sets, level, transformer, &map, pairs);
                    let [pairs_added, _] = self.pairs.rows(view.perspective);
                    let rows = &mut self.rows[view.perspective.index()];
                    let follows = entry.collect(sets, view, &planes, rows);
                    let rows = RowChanges {
                        pairs_added,
                        ..rows.as_changes()
                    };
                    entry.finish_with_pairs(level, transformer, follows, rows);
                }
            }
        } else if own == other {
            let [white, black] = entries;
            let entry = if own == 0 { white } else { black };
            let rows = &mut self.rows[own];
            let follows = entry.collect(sets, views[own], &planes, rows);
            entry.finish(level, transformer, follows, rows);
        } else {
            follow_both(
                sets,
                level,
                transformer,
                entries,
                views,
                &planes,
                &mut self.rows,
            );
        }
        let (white, black) = self.entries.split_at(slots);
        let entries = [
            &white[usize::from(views[0].slot)],
            &black[usize::from(views[1].slot)],
        ];
        [entries[own].accumulator(), entries[other].accumulator()]
    }
}

/// Computes the accumulators of both sides, in one pass where both follow from their entries.
#[inline(always)]
fn follow_both<T: Transform>(
    sets: impl Sets,
    level: AvailableLevel,
    transformer: &T,
    [white, black]: [&mut Entry<T>; 2],
    views: [View; 2],
    board: &Planes,
    [rows, others]: &mut [Box<Rows>; 2],
) {
    let follows = [
        white.collect(sets, views[0], board, rows),
        black.collect(sets, views[1], board, others),
    ];
    if follows != [true; 2] || rows.is_empty() || others.is_empty() {
        white.finish(level, transformer, follows[0], rows);
        black.finish(level, transformer, follows[1], others);
        return;
    }
    let rows = [rows.as_changes(), others.as_changes()];
    for rows in &rows {
        rows.prefetch(transformer);
    }
    let (source, target) = white.step();
    let (other_source, other_target) = black.step();
    transformer.pass_both(level, [source, other_source], [target, other_target], rows);
}

impl<T: Transform> Entry<T> {
    /// Makes `board` the board of the entry. Lists the rows that lead to its accumulator from the
    /// current one (returns true) or from the bias.
    #[inline(always)]
    fn collect(&mut self, sets: impl Sets, view: View, board: &Planes, rows: &mut Rows) -> bool {
        let old = self.board.replace(SeenBoard::new(board, view));
        rows.lead_to(sets, view, old.map(|old| old.through(view)), board)
    }

    /// Computes the accumulator from these rows.
    fn finish(&mut self, level: AvailableLevel, transformer: &T, follows: bool, rows: &Rows) {
        let rows = rows.as_changes();
        if follows && rows.is_empty() {
            return;
        }
        rows.prefetch_refreshed(transformer);
        let (source, target) = self.step();
        let frame = match follows {
            true => Frame::Step { source, target },
            false => Frame::Build { target },
        };
        transformer.pass(level, frame, rows);
    }

    /// [`finish`](Self::finish) for networks with sets of pairs: `rows` has all pairs of the board.
    fn finish_with_pairs(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        follows: bool,
        rows: RowChanges<'_>,
    ) {
        self.current = 1;
        rows.prefetch_refreshed(transformer);
        let [cached, target] = &mut self.accumulators;
        let frame = match follows {
            true => Frame::Renew { cached, target },
            false => Frame::Fill { cached, target },
        };
        transformer.pass(level, frame, rows);
    }
}
