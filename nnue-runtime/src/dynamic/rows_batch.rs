//! Many positions that are lists of rows.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};
#[cfg(feature = "std")]
use std::thread;

use nnue_spec::rows::{BatchError, RowBatch};

use super::{Network, RowsStack};
use crate::network::RealEvaluation;

/// Positions that a thread takes at a time.
#[cfg(feature = "std")]
const TOGETHER: usize = 256;

/// Networks over `rows[N, active M]`.
impl Network {
    /// Writes the evaluation of each position of `batch` to `values`: [`Evaluation`](crate::Evaluation)s or
    /// [`RealEvaluation`]s. `stack` is scratch memory: each position becomes its root.
    ///
    /// # Errors
    ///
    /// [`BatchError`]: the first position that is refused. Then `values` has no meaning.
    ///
    /// # Panics
    ///
    /// If there are not as many values as positions, or the stack is of a network with other rows.
    pub fn evaluate_rows<E: From<RealEvaluation>>(
        &self,
        batch: &RowBatch<'_>,
        values: &mut [E],
        stack: &mut RowsStack,
    ) -> Result<(), BatchError> {
        require_values(batch, values);
        self.evaluate_from(0, batch, values, stack)
    }

    /// [`evaluate_rows`](Self::evaluate_rows) on one thread for each of `stacks`: the calling thread and new
    /// ones.
    ///
    /// # Errors
    ///
    /// As [`evaluate_rows`](Self::evaluate_rows), whatever the number of threads.
    ///
    /// # Panics
    ///
    /// As [`evaluate_rows`](Self::evaluate_rows), and if there are no `stacks`.
    #[cfg(feature = "std")]
    pub fn evaluate_rows_on_threads<E: From<RealEvaluation> + Send>(
        &self,
        batch: &RowBatch<'_>,
        values: &mut [E],
        stacks: &mut [RowsStack],
    ) -> Result<(), BatchError> {
        require_values(batch, values);
        assert!(!stacks.is_empty(), "each thread needs a stack");
        let part = batch.len().div_ceil(stacks.len()).clamp(1, TOGETHER);
        let parts = Mutex::new(values.chunks_mut(part).enumerate());
        let refused = AtomicBool::new(false);
        // Parts are taken in order, and one that was taken is finished: the first error of all is found.
        let work = |stack: &mut RowsStack| {
            let next = || parts.lock().ok()?.next();
            while !refused.load(Ordering::Relaxed) {
                let (index, values) = next()?;
                if let Err(error) = self.evaluate_from(index * part, batch, values, stack) {
                    refused.store(true, Ordering::Relaxed);
                    return Some((index, error));
                }
            }
            None
        };
        let first = thread::scope(|threads| {
            let (own, others) = stacks.split_at_mut(1);
            let others: Vec<_> = others
                .iter_mut()
                .map(|stack| threads.spawn(|| work(stack)))
                .collect();
            let own = work(&mut own[0]);
            let others = others.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            others
                .chain([own])
                .flatten()
                .min_by_key(|(index, _)| *index)
        });
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Evaluates the positions from `start` on, as many as there are values.
    fn evaluate_from<E: From<RealEvaluation>>(
        &self,
        start: usize,
        batch: &RowBatch<'_>,
        values: &mut [E],
        stack: &mut RowsStack,
    ) -> Result<(), BatchError> {
        let mut lists = [Vec::new(), Vec::new()];
        for (offset, value) in values.iter_mut().enumerate() {
            stack.set_position(batch, start + offset, &mut lists)?;
            *value = stack.evaluate_real(self).into();
        }
        Ok(())
    }
}

fn require_values<E>(batch: &RowBatch<'_>, values: &[E]) {
    assert_eq!(
        batch.len(),
        values.len(),
        "a batch has a value for each position"
    );
}
