//! Updates the top of a stack.
//!
//! ```text
//!   root ── . ── computed ── . ── parent ── top       an earlier ply was computed with the view of the top: from there, the
//!                   └───── rows ────┘   │             parent in one pass and the top in another, because the siblings of the
//!                                └──────┘             top will need the parent too
//!
//!   otherwise, or where that takes more rows than the position has: through the refresh cache
//! ```
//!
//! The rows of a change depend only on the change and a view, not on the views of the positions
//! between. So every ply with the view of the top can be the start.

use super::custom::{Computed, CustomLine};
use super::{Inputs, Plays, PositionOf, ViewOf};
use crate::board::Color;
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The number of changed rows up to which the search for a start always continues.
const FEW_ROWS: usize = 16;

impl<A: Plays, T: Transform> CustomLine<A, T> {
    /// The index of the accumulator of `side`, if ply `ply` has one of this view.
    #[inline]
    fn located(&self, ply: usize, side: Color, view: ViewOf<A>) -> Option<usize> {
        self.plies[ply].located[side.index()]
            .filter(|computed| computed.view == view)
            .map(|computed| computed.at)
    }

    /// Computes the accumulator of `side` at the top, unless it is known. Returns its index.
    pub(crate) fn compute(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        position: &PositionOf<A>,
        side: Color,
    ) -> usize {
        let top = self.depth();
        let view = A::Inputs::view(position, side);
        if let Some(at) = self.located(top, side, view) {
            return at;
        }
        match self.start(side, view) {
            Some(start) => self.follow(level, transformer, side, view, start),
            None => self.refresh(level, transformer, position, side, view),
        }
    }

    /// The nearest earlier ply that was computed with `view`. Leaves the rows of the changes
    /// between in `older` and `last`. `None` if there is none, or the path has more rows than the
    /// last refresh.
    fn start(&mut self, side: Color, view: ViewOf<A>) -> Option<usize> {
        self.work.last.clear();
        self.work.older.clear();
        let top = self.depth();
        for ply in (1..=top).rev() {
            let rows = if ply == top {
                &mut self.work.last
            } else {
                &mut self.work.older
            };
            if let Some(change) = &self.plies[ply].change {
                A::Inputs::changed(change, side, view, rows);
            }
            if self.work.last.len() + self.work.older.len()
                > self.work.active.as_slice().len().max(FEW_ROWS)
            {
                return None;
            }
            if self.located(ply - 1, side, view).is_some() {
                return Some(ply - 1);
            }
        }
        None
    }

    /// Computes the top from ply `start`.
    fn follow(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        side: Color,
        view: ViewOf<A>,
        start: usize,
    ) -> usize {
        let top = self.depth();
        let mut source = start;
        // If the parent already has an accumulator of another view, keep it instead of computing
        // one of this view.
        if start + 1 < top && self.plies[top - 1].located[side.index()].is_none() {
            core::mem::swap(&mut self.work.last, &mut self.work.older);
            self.advance(level, transformer, side, view, [start, top - 1]);
            core::mem::swap(&mut self.work.last, &mut self.work.older);
            source = top - 1;
        } else {
            self.work.last.append(&mut self.work.older);
        }
        self.advance(level, transformer, side, view, [source, top])
    }

    /// Computes the later of two plies from the earlier one by the rows in `last`. Returns its
    /// index.
    fn advance(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        side: Color,
        view: ViewOf<A>,
        [from, to]: [usize; 2],
    ) -> usize {
        // `from` was computed with this view.
        let source = self.located(from, side, view).unwrap_or(from);
        self.work.last.cancel();
        let at = if self.work.last.is_empty() {
            source
        } else {
            to
        };
        if at == to {
            let (before, after) = self.accumulators.split_at_mut(to);
            let (source, target) = (&before[source][side.index()], &mut after[0][side.index()]);
            let rows = RowChanges::pieces(self.work.last.added(), self.work.last.removed());
            transformer.pass(level, Frame::Step { source, target }, rows);
        }
        self.plies[to].located[side.index()] = Some(Computed { view, at });
        at
    }

    /// Computes the accumulator of `side` at the parent of the top back from that of the top, if it has none: the
    /// siblings of the top then follow from it. Only for inputs that see every position in one view.
    pub(crate) fn complete_parent(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        side: Color,
        view: ViewOf<A>,
    ) {
        let top = self.depth();
        if top == 0 || self.located(top - 1, side, view).is_some() {
            return;
        }
        // A top that shares the accumulator of an earlier ply has one before its parent.
        let (Some(change), Some(at)) = (&self.plies[top].change, self.located(top, side, view))
        else {
            return;
        };
        if at != top {
            return;
        }
        let rows = &mut self.work.last;
        rows.clear();
        A::Inputs::changed(change, side, view, rows);
        rows.cancel();
        let (before, after) = self.accumulators.split_at_mut(top);
        let (target, source) = (&mut before[top - 1][side.index()], &after[0][side.index()]);
        let back = RowChanges::pieces(rows.removed(), rows.added());
        transformer.pass(level, Frame::Step { source, target }, back);
        self.plies[top - 1].located[side.index()] = Some(Computed { view, at: top - 1 });
    }

    /// Computes the top through the cache.
    fn refresh(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        position: &PositionOf<A>,
        side: Color,
        view: ViewOf<A>,
    ) -> usize {
        let top = self.depth();
        self.work.active.clear();
        A::Inputs::active(position, side, view, &mut self.work.active);
        self.work.active.sort();
        let slots = A::Inputs::SLOTS.max(1);
        let slot = side.index() * slots + A::Inputs::slot(view).min(slots - 1);
        let target = &mut self.accumulators[top][side.index()];
        self.work.cache.refresh(
            level,
            transformer,
            slot,
            &self.work.active,
            target,
            &mut self.work.last,
        );
        self.plies[top].located[side.index()] = Some(Computed { view, at: top });
        top
    }
}
