//! What evaluates positions.

use crate::Position;

/// Positions that a [`Worker`] is given at once, at most: so many accumulators fit into the caches.
pub const TOGETHER: usize = 256;

/// A network, or whatever else says a value for a position.
pub trait Scorer: Sync {
    /// What one thread evaluates with.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// A number that tells it from all others: work that was begun with another one is not resumed.
    fn identity(&self) -> u128;
}

/// A scorer and the memory of one thread.
pub trait Worker {
    /// `values[i]` becomes the value of `positions[i]` for its side to move, in the unit of the network. There are at most [`TOGETHER`], and as
    /// many values as positions.
    fn evaluate(&mut self, positions: &[Position], values: &mut [i32]);
}
