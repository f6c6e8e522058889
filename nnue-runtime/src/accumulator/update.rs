//! Updates the top of a stack.
//!
//! ```text
//!   root ── computed ── . ── . ── parent ── top       plies without an own king move between `computed` and `top`:
//!              └── rows of all, merged ──┘   │        the parent is computed in one pass, then the top in another,
//!                                    └───────┘        because the siblings of the top will need the parent too
//!
//!   root ── . ── king moved ── . ── parent ── top     the parent is refreshed through the cache (its board is the
//!                                    └───────┘        top's with the last change undone), then the top follows
//! ```

use core::ops::Range;

use super::chess::{Chess, ChessLine, ChessPly, SetsOf, UNKNOWN};
use super::perspectives::Perspectives;
use super::rows::ChangeRows;
use crate::board::{Color, Snapshot};
use crate::both::both;
use crate::features::{Sets, View, planes_of};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// From where the accumulator of the top can be computed.
enum Start {
    /// this ply is computed, and the view has not changed since
    Computed(usize),
    /// no computed ply helps; from this ply on the view is that of the top
    Refresh(usize),
}

/// The plies and their accumulators, without the scratch lists, which hold the rows.
struct Plies<'a, T: Transform> {
    plies: &'a mut [ChessPly],
    accumulators: &'a mut [[T::Accumulator; 2]],
}

impl<T: Transform> Plies<'_, T> {
    /// Computes ply `plies.end` from ply `plies.start`, which is computed.
    #[inline]
    fn advance(
        self,
        level: AvailableLevel,
        transformer: &T,
        side: Color,
        plies: Range<usize>,
        rows: RowChanges<'_>,
    ) {
        let side = side.index();
        let source = self.plies[plies.start].located[side];
        self.plies[plies.end].located[side] = if rows.is_empty() {
            source
        } else {
            let (before, after) = self.accumulators.split_at_mut(plies.end);
            let (source, target) = (&before[source as usize][side], &mut after[0][side]);
            transformer.pass(level, Frame::Step { source, target }, rows);
            plies.end as u32
        };
    }
}

impl<F: 'static, X: 'static, T: Transform> ChessLine<F, X, T>
where
    Chess<F, X>: SetsOf<T>,
{
    #[inline]
    pub(super) fn current(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) -> [&T::Accumulator; 2] {
        let [us, them] = perspectives.sides(board.side_to_move);
        let sets = Chess::sets(transformer);
        if sets.has_pairs() {
            self.compute_with_pairs(level, transformer, board, perspectives);
        } else if us != them && Color::ALL.into_iter().all(|side| self.follows(sets, side)) {
            self.step(level, transformer, board);
        } else {
            for side in [us, them] {
                self.compute(level, transformer, board, side);
            }
        }
        // Two separate loads: one wide load would wait for the accumulator stores (store
        // forwarding).
        let top = &self.plies[self.plies.len() - 1];
        let of = |side: usize| &self.accumulators[top.located[side] as usize][side];
        if !perspectives.reads_both() {
            // The other side's accumulator may not be known.
            return [of(us.index()); 2];
        }
        let (white, black) = (of(0), of(1));
        both(
            [us, them],
            |side| if side == Color::White { white } else { black },
        )
    }

    /// Whether `side` is computed at the parent but not at the top, and only a few rows differ.
    #[inline(always)]
    fn follows(&self, sets: impl Sets, side: Color) -> bool {
        let [.., parent, top] = self.plies.as_slice() else {
            return false;
        };
        top.located[side.index()] == UNKNOWN
            && parent.located[side.index()] != UNKNOWN
            && !sets.must_refresh(side, &top.change)
    }

    /// Computes both accumulators of the top from those of its parent, in one pass: the ordinary
    /// step of a search. All rows are prefetched before the first is needed.
    #[inline]
    fn step(&mut self, level: AvailableLevel, transformer: &T, board: &Snapshot<'_>) {
        let top = self.plies.len() - 1;
        let (sets, change) = (Chess::sets(transformer), &self.plies[top].change);
        // Written without closures, which the compiler may turn into functions.
        let views = [
            sets.view(Color::White, board.kings[0]),
            sets.view(Color::Black, board.kings[1]),
        ];
        let [white, black] = [
            ChangeRows::of(sets, views[0], change),
            ChangeRows::of(sets, views[1], change),
        ];
        let rows = [white.as_changes(), black.as_changes()];
        for rows in &rows {
            rows.prefetch(transformer);
        }
        if rows[0].is_empty() || rows[1].is_empty() {
            for (side, rows) in Color::ALL.into_iter().zip(rows) {
                let line = Plies::<T> {
                    plies: &mut self.plies,
                    accumulators: &mut self.accumulators,
                };
                line.advance(level, transformer, side, top - 1..top, rows);
            }
            return;
        }
        let [white, black] = self.plies[top - 1].located;
        let (before, after) = self.accumulators.split_at_mut(top);
        let sources = [&before[white as usize][0], &before[black as usize][1]];
        transformer.pass_both(level, sources, after[0].each_mut(), rows);
        self.plies[top].located = [top as u32; 2];
    }

    /// Computes the accumulator of `side` at the top, unless it is known.
    #[inline]
    fn compute(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        side: Color,
    ) {
        let top = self.plies.len() - 1;
        if self.plies[top].located[side.index()] != UNKNOWN {
            return;
        }
        let sets = Chess::sets(transformer);
        let view = sets.view(side, board.kings[side.index()]);
        match self.start(sets, side, top, board.piece_count()) {
            Start::Computed(ply) if ply + 1 == top => {}
            Start::Computed(ply) => self.skip(level, transformer, view, ply, top - 1),
            Start::Refresh(ply) if ply == top => {
                return self.refresh(level, transformer, view, board, top);
            }
            Start::Refresh(_) => self.refresh(level, transformer, view, board, top - 1),
        }
        let rows = ChangeRows::of(sets, view, &self.plies[top].change);
        let line = Plies::<T> {
            plies: &mut self.plies,
            accumulators: &mut self.accumulators,
        };
        line.advance(level, transformer, side, top - 1..top, rows.as_changes());
    }

    /// Searches back from ply `top`, which is not computed. The search stops after as many plies as
    /// the position has pieces: a longer path is more work than a refresh.
    #[inline]
    fn start(&self, sets: impl Sets, side: Color, top: usize, pieces: usize) -> Start {
        let mut ply = top;
        let mut rows = 0;
        loop {
            let change = &self.plies[ply].change;
            if ply == 0 || sets.must_refresh(side, change) {
                return Start::Refresh(ply);
            }
            rows += change.removed().len() + change.added().len();
            if rows > pieces.max(4) {
                return Start::Refresh(ply);
            }
            ply -= 1;
            if self.plies[ply].located[side.index()] != UNKNOWN {
                return Start::Computed(ply);
            }
        }
    }

    /// Computes ply `to` from the computed ply `from`, several plies before it.
    #[inline(never)]
    fn skip(&mut self, level: AvailableLevel, transformer: &T, view: View, from: usize, to: usize) {
        let sets = Chess::sets(transformer);
        self.work.rows.clear();
        for ply in &self.plies[from + 1..=to] {
            self.work
                .rows
                .merge(&ChangeRows::of(sets, view, &ply.change));
        }
        let rows = RowChanges::pieces(
            self.work.rows.added.as_slice(),
            self.work.rows.removed.as_slice(),
        );
        let line = Plies::<T> {
            plies: &mut self.plies,
            accumulators: &mut self.accumulators,
        };
        line.advance(level, transformer, view.perspective, from..to, rows);
    }

    /// Computes ply `ply`, the top or its parent, through the cache.
    #[inline(never)]
    fn refresh(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        view: View,
        board: &Snapshot<'_>,
        ply: usize,
    ) {
        let mut boards = board.bitboards();
        for later in &self.plies[ply + 1..] {
            later.change.undo(&mut boards);
        }
        let side = view.perspective.index();
        let target = &mut self.accumulators[ply][side];
        let sets = Chess::sets(transformer);
        let boards = planes_of(sets, &boards);
        self.work.cache.refresh(
            sets,
            level,
            transformer,
            view,
            &boards,
            target,
            &mut self.work.rows,
        );
        self.plies[ply].located[side] = ply as u32;
    }
}
