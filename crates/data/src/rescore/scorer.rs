//! The evaluation of positions.

use crate::Position;

/// The most positions that a [`Worker`] gets at once: their accumulators fit in the caches.
pub const TOGETHER: usize = 256;

/// A network, or any other source of values for positions.
pub trait Scorer: Sync {
    /// The worker of one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// A number that identifies the scorer. Work that was begun with another scorer is not resumed.
    fn identity(&self) -> u128;
}

/// A scorer with the memory of one thread.
pub trait Worker {
    /// Sets `values[i]` to the value of `positions[i]` for its side to move, in the unit of the network.
    /// There are at most [`TOGETHER`] positions, and as many values as positions.
    fn evaluate(&mut self, positions: &[Position], values: &mut [i32]);
}
