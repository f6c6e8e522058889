//! The stack of accumulators that follows a search: what the program holds.

use crate::accumulator::Line;
use crate::architecture::{ChangeOf, Model};

/// The accumulators along the current line of a search, computed only where an evaluation needs them.
///
/// [`push`](Self::push) records what a move changes, [`pop`](Self::pop) forgets it; neither touches an accumulator.
/// [`Network::evaluate`](crate::Network::evaluate) then brings the top up to date: per perspective it starts from the
/// nearest ply that was computed before, or, where the own king moved to another bucket in between, from the stack's
/// refresh cache.
///
/// The position given to `evaluate` must be the one that the pushed changes lead to. The first evaluation after
/// [`new`](Self::new) or [`reset`](Self::reset) fixes the root, whatever was pushed before it. A stack belongs to one
/// thread; the network is shared. Using a stack with another network is allowed: it forgets what it computed.
///
/// Memory grows only in `push`, and only when the line becomes longer than ever before.
pub struct AccumulatorStack<A: Model> {
    pub(crate) line: Line<A::Game, A::Transformer>,
    /// the network that computed everything here; 0 for none
    network: usize,
}

impl<A: Model> AccumulatorStack<A> {
    /// A stack at its root, with an empty cache.
    pub fn new() -> Self {
        Self {
            line: Line::new(),
            network: 0,
        }
    }

    /// A move was made that changes the board like this.
    #[inline]
    pub fn push(&mut self, change: ChangeOf<A>) {
        self.line.push(Some(change));
    }

    /// The side to move passed, and nothing else changed.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(None);
    }

    /// The last move was taken back.
    ///
    /// # Panics
    ///
    /// If there is none: more was popped than pushed.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// How many moves were pushed and not popped.
    #[inline]
    pub fn depth(&self) -> usize {
        self.line.depth()
    }

    /// Back to a root that may be any position: forgets the line, keeps the refresh cache.
    pub fn reset(&mut self) {
        self.line.reset();
    }

    /// As [`reset`](Self::reset), and forgets the refresh cache too.
    pub fn clear(&mut self) {
        self.line.reset();
        self.line.forget();
    }

    /// From here on everything is computed by the network with this id.
    #[inline(always)]
    pub(super) fn bind(&mut self, network: usize) {
        if self.network != network {
            self.line.forget();
            self.network = network;
        }
    }
}

impl<A: Model> Default for AccumulatorStack<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Model> core::fmt::Debug for AccumulatorStack<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AccumulatorStack")
            .field("network", &A::SPEC.name)
            .field("depth", &self.depth())
            .finish()
    }
}
