//! The stack of accumulators that follows a search.

use core::fmt;

use super::scratch::Scratch;
use super::transformer::Transformer;
use crate::accumulator::{AtRunTime, Chess, Line};
use crate::board::Change;

pub(super) type ChessGame = Chess<AtRunTime, AtRunTime>;

/// [`AccumulatorStack`](crate::AccumulatorStack) for a [`Network`](super::Network) that is
/// described at run time: the accumulators along the current line of a search, and the memory of a
/// forward pass.
///
/// A stack belongs to one thread; the network is shared. Using a stack with another network is
/// allowed: it discards its accumulators.
#[derive(Clone)]
pub struct Stack {
    pub(super) line: Line<ChessGame, Transformer>,
    pub(super) scratch: Scratch,
    /// the id of the network that computed the accumulators; 0 for none
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

    /// Records a move that makes this change to the board.
    #[inline]
    pub fn push(&mut self, change: Change) {
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

    /// Takes back moves until `depth` are left: equals that many calls of [`pop`](Self::pop).
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What a vector that doubles would keep for 128 moves: 256 pairs.
    #[test]
    fn a_stack_keeps_little_more_than_its_deepest_line() {
        let mut stack = Stack::new();
        for (moves, most) in [(63, 64), (64, 96), (128, 160), (1_000, 1_280)] {
            while stack.depth() < moves {
                stack.push_null();
            }
            let kept = &stack.line.accumulators;
            assert!(
                kept.len() > moves && kept.capacity() <= most,
                "{moves}: {}",
                kept.capacity()
            );
        }
    }
}
