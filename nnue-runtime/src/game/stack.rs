//! The stack of accumulators that follows a search of any game.

use alloc::vec::Vec;

use super::cache::RefreshCache;
use super::rows::{ChangedRows, Rows};
use super::{Architecture, Inputs};
use crate::architecture::{Accumulator, Transform};
use crate::board::Color;

/// What a move changes, for the network `A`.
pub(super) type ChangeOf<A> = <<A as Architecture>::Inputs as Inputs>::Change;

/// How a side sees the board, for the network `A`.
pub(super) type ViewOf<A> = <<A as Architecture>::Inputs as Inputs>::View;

/// The accumulators along the current line of a search of any game, computed only where an evaluation needs them.
///
/// As [`AccumulatorStack`](crate::AccumulatorStack) is for chess: [`push`](Self::push) records what a move changes, [`pop`](Self::pop) forgets it,
/// and [`Network::evaluate_game`](crate::Network::evaluate_game) brings the top up to date. The position given to it must be the one that
/// the pushed changes lead to.
pub struct AccumulatorStack<A: Architecture> {
    /// from the root to the current position; never empty
    pub(super) plies: Vec<Ply<ChangeOf<A>, ViewOf<A>>>,
    /// one pair per ply, at least as long as `plies`
    pub(super) accumulators: Vec<[Accumulator<A>; 2]>,
    pub(super) cache: RefreshCache<A::Transformer>,
    /// rows that are active in a position, when a refresh was needed last
    pub(super) active: Rows,
    /// scratch: the rows of the last change, and of those before it
    pub(super) last: ChangedRows,
    pub(super) older: ChangedRows,
    /// the network that computed everything here; 0 for none
    network: usize,
}

/// One ply: how its position came about, and where its accumulators are.
pub(super) struct Ply<C, V> {
    /// nothing: the root, or a side passed
    pub(super) change: Option<C>,
    /// by side
    pub(super) computed: [Option<Computed<V>>; 2],
}

/// An accumulator of a ply.
#[derive(Clone, Copy)]
pub(super) struct Computed<V> {
    /// how the side saw the board
    pub(super) view: V,
    /// Index into `accumulators`, at most the ply's own: a ply without changed rows shares its parent's.
    pub(super) at: usize,
}

impl<C, V: Copy + PartialEq> Ply<C, V> {
    const fn new(change: Option<C>) -> Self {
        Self { change, computed: [None; 2] }
    }

    /// Where the accumulator of `side` is, if it was computed for this view.
    #[inline]
    pub(super) fn located(&self, side: Color, view: V) -> Option<usize> {
        self.computed[side.index()].filter(|computed| computed.view == view).map(|computed| computed.at)
    }
}

impl<A: Architecture> AccumulatorStack<A> {
    /// A stack at its root, with an empty cache.
    pub fn new() -> Self {
        const DEPTH: usize = 64;
        let mut stack = Self {
            plies: Vec::with_capacity(DEPTH),
            accumulators: Vec::new(),
            cache: RefreshCache::new(A::Inputs::SLOTS.max(1)),
            active: Rows::new::<A::Inputs>(),
            last: ChangedRows::new::<A::Inputs>(),
            older: ChangedRows::new::<A::Inputs>(),
            network: 0,
        };
        stack.plies.push(Ply::new(None));
        stack.grow();
        stack
    }

    /// A move was made that changes the position like this.
    #[inline]
    pub fn push(&mut self, change: ChangeOf<A>) {
        self.push_ply(Some(change));
    }

    /// The side to move passed, and nothing else changed.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_ply(None);
    }

    #[inline]
    fn push_ply(&mut self, change: Option<ChangeOf<A>>) {
        self.plies.push(Ply::new(change));
        if self.plies.len() > self.accumulators.len() {
            self.grow();
        }
    }

    /// The last move was taken back.
    ///
    /// # Panics
    ///
    /// If there is none: more was popped than pushed.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.plies.len() > 1, "pop without push");
        self.plies.pop();
    }

    /// How many moves were pushed and not popped.
    #[inline]
    pub fn depth(&self) -> usize {
        self.plies.len() - 1
    }

    /// Back to a root that may be any position: forgets the line, keeps the refresh cache.
    pub fn reset(&mut self) {
        self.plies.clear();
        self.plies.push(Ply::new(None));
    }

    /// As [`reset`](Self::reset), and forgets the refresh cache too.
    pub fn clear(&mut self) {
        self.reset();
        self.cache.clear();
    }

    /// From here on everything is computed by the network with this id.
    #[inline]
    pub(super) fn bind(&mut self, network: usize) {
        if self.network != network {
            self.plies.iter_mut().for_each(|ply| ply.computed = [None; 2]);
            self.cache.clear();
            self.network = network;
        }
    }

    /// Makes room for twice as many plies.
    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.accumulators.len()).max(self.plies.capacity());
        self.accumulators.resize_with(len, || [A::Transformer::zeroed(), A::Transformer::zeroed()]);
    }
}

impl<A: Architecture> Default for AccumulatorStack<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Architecture> core::fmt::Debug for AccumulatorStack<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AccumulatorStack").field("network", &A::SPEC.name).field("depth", &self.depth()).finish()
    }
}
