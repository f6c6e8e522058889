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

use crate::accumulator::rows::{ChangeRows, Rows};
use crate::accumulator::stack::{AccumulatorStack, Ply};
use crate::architecture::{Accumulator, Architecture, Transform};
use crate::board::{Color, Snapshot};
use crate::features::{FeatureSet, View};
use crate::simd::Simd;

/// Where the accumulator of the top can be computed from.
enum Start {
    /// this ply is computed, and no view changed since
    Computed(usize),
    /// nothing that is computed helps; from this ply on the view is the one of the top
    Refresh(usize),
}

/// Whether the other side's accumulator takes part: in the layers, or only in the PSQT difference.
#[inline(always)]
pub(super) fn reads_both<A: Architecture>() -> bool {
    A::SPEC.accumulator.perspectives == 2 || A::SPEC.accumulator.psqt > 0
}

impl<A: Architecture> AccumulatorStack<A> {
    /// The accumulators of the position at the top: of the side to move, and of the other side.
    ///
    /// Where the network does not read the other side's, it gets the side to move's twice.
    #[inline(always)]
    pub(crate) fn current<S: Simd>(
        &mut self,
        simd: S,
        transformer: &A::Transformer,
        board: &Snapshot<'_>,
    ) -> [&Accumulator<A>; 2] {
        let us = board.side_to_move;
        let them = if reads_both::<A>() { us.other() } else { us };
        self.compute(simd, transformer, board, us);
        self.compute(simd, transformer, board, them);
        let located = self.plies[self.plies.len() - 1].located;
        [us, them].map(|side| &self.accumulators[located[side.index()] as usize][side.index()])
    }

    /// Computes the accumulator of `side` at the top, unless it is known.
    #[inline(always)]
    fn compute<S: Simd>(&mut self, simd: S, transformer: &A::Transformer, board: &Snapshot<'_>, side: Color) {
        let top = self.plies.len() - 1;
        if self.plies[top].located[side.index()] != Ply::UNKNOWN {
            return;
        }
        let view = A::Features::view(side, board.kings[side.index()]);
        match self.start(side, top, board.piece_count()) {
            Start::Computed(ply) if ply + 1 == top => {}
            Start::Computed(ply) => self.skip(simd, transformer, view, ply, top - 1),
            Start::Refresh(ply) if ply == top => return self.refresh(simd, transformer, view, board, top),
            Start::Refresh(_) => self.refresh(simd, transformer, view, board, top - 1),
        }
        self.step(simd, transformer, view, top);
    }

    /// Walks back from ply `top`, which is not computed. A way longer than the position has pieces is no short cut.
    #[inline(always)]
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

    /// Computes ply `to` from its parent, which is computed.
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, transformer: &A::Transformer, view: View, to: usize) {
        let rows = ChangeRows::of::<A::Features>(view, &self.plies[to].change);
        let (removed, added) = (rows.removed.as_slice(), rows.added.as_slice());
        let side = view.perspective.index();
        let from = self.plies[to - 1].located[side];
        self.plies[to].located[side] = if removed.is_empty() && added.is_empty() {
            from
        } else {
            let (before, after) = self.accumulators.split_at_mut(to);
            transformer.update(simd, &before[from as usize][side], &mut after[0][side], removed, added);
            to as u32
        };
    }

    /// Computes ply `to` from ply `from`, several plies before it, which is computed.
    #[inline(always)]
    fn skip<S: Simd>(&mut self, simd: S, transformer: &A::Transformer, view: View, from: usize, to: usize) {
        let rows: &mut Rows = &mut self.rows;
        rows.clear();
        for ply in &self.plies[from + 1..=to] {
            rows.merge(&ChangeRows::of::<A::Features>(view, &ply.change));
        }
        let side = view.perspective.index();
        let from = self.plies[from].located[side];
        self.plies[to].located[side] = if rows.is_empty() {
            from
        } else {
            let (before, after) = self.accumulators.split_at_mut(to);
            let (removed, added) = (rows.removed.as_slice(), rows.added.as_slice());
            transformer.update(simd, &before[from as usize][side], &mut after[0][side], removed, added);
            to as u32
        };
    }

    /// Computes ply `ply`, the top or its parent, through the cache.
    #[inline(always)]
    fn refresh<S: Simd>(
        &mut self,
        simd: S,
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
        self.cache.refresh::<S, A::Features>(simd, transformer, view, &boards, target, &mut self.rows);
        self.plies[ply].located[side] = ply as u32;
    }
}
