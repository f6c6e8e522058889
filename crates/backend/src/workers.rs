//! Reused memory for batches, and threads.

use std::sync::{Mutex, PoisonError};

use crate::options::Integer;

/// Number of threads per batch.
pub const THREADS: Integer = Integer {
    name: "threads",
    default: 0,
    range: 0..=1024,
    about: "threads of a batch; 0: one for each core",
};

/// A pool of scratch memory: each thread takes one and gives it back.
pub(crate) struct Workers<M> {
    threads: usize,
    /// number of positions per additional thread
    worth: usize,
    make: fn() -> M,
    idle: Mutex<Vec<M>>,
}

impl<M: Send> Workers<M> {
    /// Up to `threads` threads per batch, 0 for one per core; one for each `worth` positions.
    pub(crate) fn new(threads: usize, worth: usize, make: fn() -> M) -> Self {
        Self {
            threads: count(threads),
            worth,
            make,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Calls `work` with memory for as many threads as suit a batch of `positions`.
    pub(crate) fn with<R>(&self, positions: usize, work: impl FnOnce(&mut [M]) -> R) -> R {
        let count = positions.div_ceil(self.worth).clamp(1, self.threads);
        let mut memory = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = idle.len().saturating_sub(count);
            idle.split_off(kept)
        };
        memory.resize_with(count, self.make);
        let result = work(&mut memory);
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .append(&mut memory);
        result
    }

    /// Splits the inputs, calls `work` for each part on its own thread, the first on this one, and joins the
    /// results in order.
    pub(crate) fn spread<I: Sync, R: Send>(
        &self,
        inputs: &[I],
        work: impl Fn(&[I], &mut M) -> Vec<R> + Sync,
    ) -> Vec<R> {
        self.with(inputs.len(), |memory| {
            let part = inputs.len().div_ceil(memory.len()).max(1);
            let mut results: Vec<Vec<R>> = memory.iter().map(|_| Vec::new()).collect();
            std::thread::scope(|scope| {
                let mut own = None;
                for ((inputs, memory), results) in inputs.chunks(part).zip(memory).zip(&mut results)
                {
                    let work = &work;
                    let work = move || *results = work(inputs, memory);
                    match own {
                        None => own = Some(work),
                        Some(_) => drop(scope.spawn(work)),
                    }
                }
                own.into_iter().for_each(|mut work| work());
            });
            results.into_iter().flatten().collect()
        })
    }
}

/// Resolves the number of threads; 0 means one per core.
fn count(threads: usize) -> usize {
    if threads > 0 {
        threads
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}
