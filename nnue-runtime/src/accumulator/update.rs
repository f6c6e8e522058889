//! Bringing the top of a stack up to date.
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

use nnue_spec::PerspectiveOrder;

use crate::accumulator::rows::ChangeRows;
use crate::accumulator::stack::{AccumulatorStack, Ply};
use crate::architecture::{Accumulator, Architecture, Model, Transform};
use crate::board::{Color, Planes, Snapshot};
use crate::features::{FeatureSet, PairSets, View};
use crate::simd::AvailableLevel;

/// Where the accumulator of the top can be computed from.
enum Start {
    /// this ply is computed, and no view changed since
    Computed(usize),
    /// nothing that is computed helps; from this ply on the view is the one of the top
    Refresh(usize),
}

/// The plies and their accumulators.
struct Line<'a, A: Architecture> {
    plies: &'a mut [Ply],
    accumulators: &'a mut [[Accumulator<A>; 2]],
}

impl<A: Architecture> Line<'_, A> {
    /// Computes ply `plies.end` from ply `plies.start`, which is computed, given the rows to remove and to add.
    #[inline]
    fn advance(
        self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        side: Color,
        plies: Range<usize>,
        (removed, added): (&[u32], &[u32]),
    ) {
        let side = side.index();
        let source = self.plies[plies.start].located[side];
        self.plies[plies.end].located[side] = if removed.is_empty() && added.is_empty() {
            source
        } else {
            let (before, after) = self.accumulators.split_at_mut(plies.end);
            transformer.update(level, &before[source as usize][side], &mut after[0][side], removed, added);
            plies.end as u32
        };
    }
}

/// Whether the second perspective's accumulator takes part: in the layers, or only in the PSQT difference.
#[inline(always)]
pub(crate) fn reads_both<A: Model>() -> bool {
    A::SPEC.accumulator.perspectives == 2 || A::SPEC.accumulator.psqt > 0
}

/// The side whose perspective the network reads first.
#[inline(always)]
pub(crate) fn first_side<A: Model>(to_move: Color) -> Color {
    match A::SPEC.accumulator.order {
        PerspectiveOrder::SideToMove => to_move,
        PerspectiveOrder::WhiteFirst => Color::White,
    }
}

impl<A: Architecture> AccumulatorStack<A> {
    /// The accumulators of the position at the top: of the first perspective (of the side to move, unless the network says
    /// otherwise), and of the second.
    ///
    /// Where the network does not read the second, it gets the first twice.
    #[inline]
    pub(crate) fn current(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        board: &Snapshot<'_>,
    ) -> [&Accumulator<A>; 2] {
        let us = first_side::<A>(board.side_to_move);
        let them = if reads_both::<A>() { us.other() } else { us };
        if const { A::Pairs::ROWS > 0 } {
            self.compute_with_pairs(level, transformer, board);
        } else if us != them && Color::ALL.into_iter().all(|side| self.follows(side)) {
            self.step(level, transformer, board);
        } else {
            for side in [us, them] {
                self.compute(level, transformer, board, side);
            }
        }
        // Each number by itself: both at once could not be had before all stores ahead of theirs are done, which are those of
        // the accumulators.
        let top = &self.plies[self.plies.len() - 1];
        let of = |side: usize| &self.accumulators[top.located[side] as usize][side];
        if !reads_both::<A>() {
            // That of the other side may not be known.
            return [of(us.index()); 2];
        }
        let (white, black) = (of(0), of(1));
        [us, them].map(|side| if side == Color::White { white } else { black })
    }

    /// Whether the top is not computed for `side`, and differs from its parent, which is computed, by a few rows.
    #[inline(always)]
    fn follows(&self, side: Color) -> bool {
        let [.., parent, top] = self.plies.as_slice() else { return false };
        top.located[side.index()] == Ply::UNKNOWN
            && parent.located[side.index()] != Ply::UNKNOWN
            && !A::Features::must_refresh(side, &top.change)
    }

    /// Computes both accumulators of the top from those of its parent: the ordinary step of a search, in one go. All
    /// rows are asked for before the first is needed.
    #[inline]
    fn step(&mut self, level: AvailableLevel, transformer: &A::Transformer, board: &Snapshot<'_>) {
        let top = self.plies.len() - 1;
        let change = &self.plies[top].change;
        let of =
            |side: Color| ChangeRows::of::<A::Features>(A::Features::view(side, board.kings[side.index()]), change);
        let (white, black) = (of(Color::White), of(Color::Black));
        let rows = [&white, &black].map(|rows| (rows.removed.as_slice(), rows.added.as_slice()));
        for (removed, added) in rows {
            added.iter().chain(removed).for_each(|&row| transformer.prefetch(row));
        }
        if rows.iter().any(|(removed, added)| removed.is_empty() && added.is_empty()) {
            for (side, rows) in Color::ALL.into_iter().zip(rows) {
                let line = Line::<A> { plies: &mut self.plies, accumulators: &mut self.accumulators };
                line.advance(level, transformer, side, top - 1..top, rows);
            }
            return;
        }
        let [white, black] = self.plies[top - 1].located;
        let (before, after) = self.accumulators.split_at_mut(top);
        let sources = [&before[white as usize][0], &before[black as usize][1]];
        transformer.update_both(level, sources, &mut after[0], rows);
        self.plies[top].located = [top as u32; 2];
    }

    /// Computes the accumulator of `side` at the top, unless it is known.
    #[inline]
    fn compute(&mut self, level: AvailableLevel, transformer: &A::Transformer, board: &Snapshot<'_>, side: Color) {
        let top = self.plies.len() - 1;
        if self.plies[top].located[side.index()] != Ply::UNKNOWN {
            return;
        }
        let view = A::Features::view(side, board.kings[side.index()]);
        match self.start(side, top, board.piece_count()) {
            Start::Computed(ply) if ply + 1 == top => {}
            Start::Computed(ply) => self.skip(level, transformer, view, ply, top - 1),
            Start::Refresh(ply) if ply == top => return self.refresh(level, transformer, view, board, top),
            Start::Refresh(_) => self.refresh(level, transformer, view, board, top - 1),
        }
        let rows = ChangeRows::of::<A::Features>(view, &self.plies[top].change);
        let line = Line::<A> { plies: &mut self.plies, accumulators: &mut self.accumulators };
        line.advance(level, transformer, side, top - 1..top, (rows.removed.as_slice(), rows.added.as_slice()));
    }

    /// Walks back from ply `top`, which is not computed. A way longer than the position has pieces is no short cut.
    #[inline]
    fn start(&self, side: Color, top: usize, pieces: usize) -> Start {
        let mut ply = top;
        let mut rows = 0;
        loop {
            let change = &self.plies[ply].change;
            if ply == 0 || A::Features::must_refresh(side, change) {
                return Start::Refresh(ply);
            }
            rows += change.removed().len() + change.added().len();
            if rows > pieces.max(4) {
                return Start::Refresh(ply);
            }
            ply -= 1;
            if self.plies[ply].located[side.index()] != Ply::UNKNOWN {
                return Start::Computed(ply);
            }
        }
    }

    /// Computes ply `to` from ply `from`, several plies before it, which is computed.
    #[inline(never)]
    fn skip(&mut self, level: AvailableLevel, transformer: &A::Transformer, view: View, from: usize, to: usize) {
        self.rows.clear();
        for ply in &self.plies[from + 1..=to] {
            self.rows.merge(&ChangeRows::of::<A::Features>(view, &ply.change));
        }
        let rows = (self.rows.removed.as_slice(), self.rows.added.as_slice());
        let line = Line::<A> { plies: &mut self.plies, accumulators: &mut self.accumulators };
        line.advance(level, transformer, view.perspective, from..to, rows);
    }

    /// Computes ply `ply`, the top or its parent, through the cache.
    #[inline(never)]
    fn refresh(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
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
        self.cache.refresh::<A::Features>(level, transformer, view, &Planes::of(&boards), target, &mut self.rows);
        self.plies[ply].located[side] = ply as u32;
    }
}
