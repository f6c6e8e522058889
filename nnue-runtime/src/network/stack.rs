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
///
/// A clone has the same line, the same accumulators and a refresh cache of its own; the two diverge from there. It copies all of these: make one
/// for a thread that goes on from a position, and not for each move of a search, which `push` and `pop` follow without a copy.
///
/// To evaluate through `&self`, keep the stack in a cell. Networks read the position and not the cell, so a board may own its stack:
///
/// ```
/// use std::cell::RefCell;
/// use nnue_runtime::{AccumulatorStack, Architecture, Color, Network, PieceKind, Position};
///
/// struct Board<A: Architecture> {
///     pieces: [[u64; 6]; 2],
///     mover: Color,
///     stack: RefCell<AccumulatorStack<A>>,
/// }
///
/// impl<A: Architecture> Position for Board<A> {
///     fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
///         self.pieces[color.index()][kind.index()]
///     }
///     fn side_to_move(&self) -> Color {
///         self.mover
///     }
/// }
///
/// impl<A: Architecture> Board<A> {
///     fn evaluate(&self, network: &Network<A>) -> i32 {
///         network.evaluate(self, &mut self.stack.borrow_mut()).value
///     }
/// }
/// ```
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

    /// Takes back moves until `depth` are left: the same as so many calls of [`pop`](Self::pop). An engine that counts plies calls it with the
    /// ply that it returns to.
    ///
    /// # Panics
    ///
    /// If fewer are left: more was taken back than pushed.
    #[inline]
    pub fn truncate(&mut self, depth: usize) {
        self.line.truncate(depth);
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

impl<A: Model> Clone for AccumulatorStack<A>
where
    ChangeOf<A>: Clone,
{
    fn clone(&self) -> Self {
        Self {
            line: self.line.clone(),
            network: self.network,
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
