//! The stack of accumulators that follows a search: what the user holds.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::accumulator::cache::RefreshCache;
use crate::accumulator::pair_lists::PairLists;
use crate::accumulator::rows::Rows;
use crate::architecture::{Accumulator, Architecture, Transform};
use crate::board::Change;
use crate::features::FeatureSet;

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
pub struct AccumulatorStack<A: Architecture> {
    /// from the root to the current position; never empty
    pub(super) plies: Vec<Ply>,
    /// one pair per ply, at least as long as `plies`
    pub(super) accumulators: Vec<[Accumulator<A>; 2]>,
    pub(super) cache: RefreshCache<A::Transformer>,
    /// scratch
    pub(super) rows: Box<Rows>,
    /// scratch
    pub(super) pairs: PairLists,
    /// the network that computed everything here; 0 for none
    network: usize,
}

/// One ply: how its position came about, and where its accumulators are.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    pub(super) change: Change,
    /// Per perspective the index into `accumulators`, at most the ply's own (a ply without changed features shares its
    /// parent's), or [`Ply::UNKNOWN`].
    pub(super) located: [u32; 2],
}

impl Ply {
    pub(super) const UNKNOWN: u32 = u32::MAX;

    #[inline(always)]
    const fn new(change: Change) -> Self {
        Self { change, located: [Self::UNKNOWN; 2] }
    }
}

impl<A: Architecture> AccumulatorStack<A> {
    /// A stack at its root, with an empty cache.
    pub fn new() -> Self {
        const DEPTH: usize = 64;
        let mut stack = Self {
            plies: Vec::with_capacity(DEPTH),
            accumulators: Vec::new(),
            cache: RefreshCache::new(A::Features::SLOTS),
            rows: Rows::new(),
            pairs: PairLists::new(),
            network: 0,
        };
        stack.plies.push(Ply::new(Change::null()));
        stack.grow();
        stack
    }

    /// A move was made that changes the board like this.
    #[inline]
    pub fn push(&mut self, change: Change) {
        self.plies.push(Ply::new(change));
        if self.plies.len() > self.accumulators.len() {
            self.grow();
        }
    }

    /// The side to move passed.
    #[inline]
    pub fn push_null(&mut self) {
        self.push(Change::null());
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
        self.plies.push(Ply::new(Change::null()));
    }

    /// As [`reset`](Self::reset), and forgets the refresh cache too.
    pub fn clear(&mut self) {
        self.reset();
        self.cache.clear();
    }

    /// From here on everything is computed by the network with this id.
    #[inline(always)]
    pub(crate) fn bind(&mut self, network: usize) {
        if self.network != network {
            self.forget();
            self.network = network;
        }
    }

    /// Forgets everything that was computed, but not the line.
    #[cold]
    fn forget(&mut self) {
        self.plies.iter_mut().for_each(|ply| ply.located = [Ply::UNKNOWN; 2]);
        self.cache.clear();
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
