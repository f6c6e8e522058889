//! The stack of accumulators that follows a search.

use crate::accumulator::Line;
use crate::architecture::{ChangeOf, Model};

/// The accumulators along the current line of a search, computed only where an evaluation needs
/// them.
///
/// [`push`](Self::push) records the change of a move, [`pop`](Self::pop) discards it; neither
/// touches an accumulator. [`Network::evaluate`](crate::Network::evaluate) then updates the top:
/// for each perspective it starts from the nearest ply that was computed before, or, if the own
/// king moved to another bucket in between, from the stack's refresh cache.
///
/// The position passed to `evaluate` must be the one that the pushed changes lead to. The first
/// evaluation after [`new`](Self::new) or [`reset`](Self::reset) fixes the root, whatever was
/// pushed before it. A stack belongs to one thread; the network is shared. Using a stack with
/// another network is allowed: it discards its accumulators.
///
/// Memory grows only in `push`, and only when the line becomes longer than ever before.
///
/// A clone has the same line, the same accumulators and a separate refresh cache; the two diverge
/// from there. Cloning copies all of these: make a clone for a thread that continues from a
/// position, but not for each move of a search, which `push` and `pop` follow without a copy.
///
/// To evaluate through `&self`, keep the stack in a cell. Networks read the position and not the
/// cell, so a board may own its stack:
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
    /// the id of the network that computed the accumulators; 0 for none
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

    /// Records a move that makes this change to the board.
    #[inline]
    pub fn push(&mut self, change: ChangeOf<A>) {
        self.line.push(Some(change));
    }

    /// Records a null move: only the side to move changes.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(None);
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// If there is none: more was popped than pushed.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Takes back moves until `depth` are left: equals that many calls of [`pop`](Self::pop). An
    /// engine that counts plies passes the ply to which it returns.
    ///
    /// # Panics
    ///
    /// If fewer are left: more was taken back than pushed.
    #[inline]
    pub fn truncate(&mut self, depth: usize) {
        self.line.truncate(depth);
    }

    /// The number of moves that were pushed and not popped.
    #[inline]
    pub fn depth(&self) -> usize {
        self.line.depth()
    }

    /// Returns to a root that may be any position: discards the line, keeps the refresh cache.
    pub fn reset(&mut self) {
        self.line.reset();
    }

    /// [`reset`](Self::reset) that also empties the refresh cache.
    pub fn clear(&mut self) {
        self.line.reset();
        self.line.forget();
    }

    /// Makes the network with this id the owner; discards accumulators of another network.
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
