//! The stack of accumulators that follows a search.

use core::fmt;

use super::scratch::Scratch;
use super::transformer::Transformer;
use crate::accumulator::{AtRunTime, Chess, Line};
use crate::board::Change;

/// The game of networks that are described while the program runs.
pub(super) type ChessGame = Chess<AtRunTime, AtRunTime>;

/// As [`AccumulatorStack`](crate::AccumulatorStack), for a [`Network`](super::Network) that is described while the program runs: the accumulators along
/// the current line of a search, and the memory of a forward pass.
///
/// A stack belongs to one thread; the network is shared. Using a stack with another network is allowed: it forgets what it computed.
#[derive(Clone)]
pub struct Stack {
    pub(super) line: Line<ChessGame, Transformer>,
    pub(super) scratch: Scratch,
    /// the network that computed everything here; 0 for none
    pub(super) network: usize,
}

impl Stack {
    /// A stack at its root, with an empty cache.
    pub fn new() -> Self {
        Self {
            line: Line::new(),
            scratch: Scratch::default(),
            network: 0,
        }
    }

    /// A move was made that changes the board like this.
    #[inline]
    pub fn push(&mut self, change: Change) {
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

    /// Takes back moves until `depth` are left: the same as so many calls of [`pop`](Self::pop).
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
}

impl Default for Stack {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack")
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
