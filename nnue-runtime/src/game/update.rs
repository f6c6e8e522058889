//! Bringing the top of a stack up to date.
//!
//! ```text
//!   root ── . ── computed ── . ── parent ── top       an earlier ply was computed with the view of the top: from there, the
//!                   └───── rows ────┘   │             parent in one pass and the top in another, because the siblings of the
//!                                └──────┘             top will need the parent too
//!
//!   otherwise, or where that takes more rows than the position has: through the refresh cache
//! ```
//!
//! Rows of a change follow from the change and a view, whatever the views of the positions between are; so a ply is a start
//! wherever its view is that of the top.

use super::stack::{AccumulatorStack, Computed, ViewOf};
use super::{Architecture, Inputs};
use crate::accumulator::{first_side, reads_both};
use crate::architecture::{Accumulator, Transform};
use crate::board::Color;
use crate::simd::AvailableLevel;

/// Rows of changes that are always worth a look for a start.
const FEW_ROWS: usize = 16;

impl<A: Architecture> AccumulatorStack<A> {
    /// The accumulators of the position at the top: of the first perspective (of the side to move, unless the network says
    /// otherwise), and of the second.
    ///
    /// Where the network does not read the second, it gets the first twice.
    pub(super) fn current(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        position: &<A::Inputs as Inputs>::Position,
    ) -> [&Accumulator<A>; 2] {
        let us = first_side::<A>(A::Inputs::side_to_move(position));
        let them = if reads_both::<A>() { us.other() } else { us };
        let [us, them] = [us, them].map(|side| (self.compute(level, transformer, position, side), side.index()));
        [us, them].map(|(at, side)| &self.accumulators[at][side])
    }

    /// Computes the accumulator of `side` at the top, unless it is known. Returns where it is.
    fn compute(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        position: &<A::Inputs as Inputs>::Position,
        side: Color,
    ) -> usize {
        let top = self.depth();
        let view = A::Inputs::view(position, side);
        if let Some(at) = self.plies[top].located(side, view) {
            return at;
        }
        match self.start(side, view) {
            Some(start) => self.follow(level, transformer, side, view, start),
            None => self.refresh(level, transformer, position, side, view),
        }
    }

    /// The nearest earlier ply that was computed with `view`. The rows of the changes between are in `older` and `last`. Nothing if
    /// there is none, or the way has more rows than a refresh had.
    fn start(&mut self, side: Color, view: ViewOf<A>) -> Option<usize> {
        self.last.clear();
        self.older.clear();
        let top = self.depth();
        for ply in (1..=top).rev() {
            let rows = if ply == top { &mut self.last } else { &mut self.older };
            if let Some(change) = &self.plies[ply].change {
                A::Inputs::changed(change, side, view, rows);
            }
            if self.last.len() + self.older.len() > self.active.as_slice().len().max(FEW_ROWS) {
                return None;
            }
            if self.plies[ply - 1].located(side, view).is_some() {
                return Some(ply - 1);
            }
        }
        None
    }

    /// Computes the top from ply `start`.
    fn follow(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        side: Color,
        view: ViewOf<A>,
        start: usize,
    ) -> usize {
        let top = self.depth();
        let mut source = start;
        // An accumulator that the parent has, of another view, is worth more than one of this view.
        if start + 1 < top && self.plies[top - 1].computed[side.index()].is_none() {
            core::mem::swap(&mut self.last, &mut self.older);
            self.advance(level, transformer, side, view, [start, top - 1]);
            core::mem::swap(&mut self.last, &mut self.older);
            source = top - 1;
        } else {
            self.last.append(&mut self.older);
        }
        self.advance(level, transformer, side, view, [source, top])
    }

    /// Computes the later of two plies from the earlier one by the rows in `last`. Returns where it is.
    fn advance(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        side: Color,
        view: ViewOf<A>,
        [from, to]: [usize; 2],
    ) -> usize {
        // `from` was computed with this view.
        let source = self.plies[from].located(side, view).unwrap_or(from);
        self.last.cancel();
        let at = if self.last.is_empty() { source } else { to };
        if at == to {
            let (before, after) = self.accumulators.split_at_mut(to);
            let (source, target) = (&before[source][side.index()], &mut after[0][side.index()]);
            transformer.update(level, source, target, self.last.removed(), self.last.added());
        }
        self.plies[to].computed[side.index()] = Some(Computed { view, at });
        at
    }

    /// Computes the top through the cache.
    fn refresh(
        &mut self,
        level: AvailableLevel,
        transformer: &A::Transformer,
        position: &<A::Inputs as Inputs>::Position,
        side: Color,
        view: ViewOf<A>,
    ) -> usize {
        let top = self.depth();
        self.active.clear();
        A::Inputs::active(position, side, view, &mut self.active);
        self.active.sort();
        let slots = A::Inputs::SLOTS.max(1);
        let slot = side.index() * slots + A::Inputs::slot(view).min(slots - 1);
        let target = &mut self.accumulators[top][side.index()];
        self.cache.refresh(level, transformer, slot, &self.active, target, &mut self.last);
        self.plies[top].computed[side.index()] = Some(Computed { view, at: top });
        top
    }
}
