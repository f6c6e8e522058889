//! Memory for batches, and threads that share the work.

use std::sync::{Mutex, PoisonError};

use nnue_runtime::{Batch, Model};

/// Positions for which another thread is worth starting.
const WORTH: usize = 64;

/// The memory of batches that nobody is computing: each thread takes one and gives it back.
pub(super) struct Workers<A: Model> {
    threads: usize,
    idle: Mutex<Vec<Batch<A>>>,
}

impl<A: Model> Workers<A> {
    /// Up to so many threads for a batch.
    pub(super) const fn new(threads: usize) -> Self {
        Self { threads, idle: Mutex::new(Vec::new()) }
    }

    /// Calls `work` with memory for as many threads as a batch of `positions` is worth.
    pub(super) fn with<R>(&self, positions: usize, work: impl FnOnce(&mut [Batch<A>]) -> R) -> R {
        let count = positions.div_ceil(WORTH).clamp(1, self.threads.max(1));
        let mut batches = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = idle.len().saturating_sub(count);
            idle.split_off(kept)
        };
        batches.resize_with(count, Batch::new);
        let result = work(&mut batches);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).append(&mut batches);
        result
    }
}

/// How many threads there are: `threads`, or one for each core if it is 0.
pub(super) fn count(threads: usize) -> usize {
    if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, usize::from) }
}
