//! Evaluates many positions at once, in any order: their accumulators share rows.

use alloc::vec::Vec;

use super::seen::Seen;
use super::{Evaluation, Network};
use crate::accumulator::Game;
use crate::architecture::{Accumulator, Model, Reads};
use crate::both::both;
use crate::transform::Transform;

/// Positions whose accumulators are computed together. With more, accumulators leave the caches
/// before the layers read them.
pub(crate) const TOGETHER: usize = 256;

/// The memory of [`Network::evaluate_batch`]: accumulators of up to 256 positions, and lists. The
/// first batches allocate it, later ones reuse it. Every network of the architecture may use it;
/// each thread needs its own.
pub struct Batch<A: Model> {
    positions: <A::Game as Game<A::Transformer>>::Batch,
    /// by position and side
    accumulators: Vec<[Accumulator<A>; 2]>,
    /// by position
    seen: Vec<Seen>,
}

impl<A: Model> Batch<A> {
    /// An empty batch; allocates no memory for accumulators yet.
    pub fn new() -> Self {
        Self {
            positions: A::Game::batch(),
            accumulators: Vec::new(),
            seen: Vec::new(),
        }
    }
}

impl<A: Model> Default for Batch<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Model> core::fmt::Debug for Batch<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Batch")
            .field("network", &A::SPEC.name)
            .field("room", &self.accumulators.len())
            .finish()
    }
}

impl<A: Model> Network<A> {
    /// Evaluates `positions`, in any order and related or not: `values[i]` becomes the evaluation
    /// of `positions[i]`, equal to that of [`evaluate`](Self::evaluate).
    ///
    /// Positions are processed 256 at a time, and accumulators that share rows are computed one
    /// after the other. So a batch takes less time than its positions one by one; the larger it is,
    /// up to 256, the more.
    ///
    /// A program with its own threads or a thread pool gives each thread a part of the positions
    /// and of the values, and a `Batch`.
    ///
    /// ```
    /// # use nnue_runtime::{Architecture, Batch, Evaluation, Network, Position};
    /// # fn f<MyNet: Architecture>(network: &Network<MyNet>, positions: &[impl Position]) {
    /// let mut batch = Batch::new(); // kept for all batches of this thread
    /// let mut values = vec![Evaluation::default(); positions.len()];
    /// network.evaluate_batch(positions, &mut values, &mut batch);
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If there are not as many values as positions.
    pub fn evaluate_batch<P>(
        &self,
        positions: &[P],
        values: &mut [Evaluation],
        batch: &mut Batch<A>,
    ) where
        A::Game: Reads<A, P>,
    {
        assert_eq!(
            positions.len(),
            values.len(),
            "a batch has a value for each position"
        );
        for (positions, values) in positions.chunks(TOGETHER).zip(values.chunks_mut(TOGETHER)) {
            self.each_of_batch(positions, batch, |index, [us, them], seen| {
                values[index] = self.judge(us, them, seen)
            });
        }
    }

    /// [`evaluate_batch`](Self::evaluate_batch) on one thread for each of `batches`: the calling
    /// thread and new ones.
    ///
    /// The threads share the network, and each evaluates parts of at most 256 positions until none
    /// is left.
    ///
    /// ```
    /// # use nnue_runtime::{Architecture, Batch, Evaluation, Network, Position};
    /// # fn f<MyNet: Architecture>(network: &Network<MyNet>, positions: &[impl Position + Sync]) {
    /// let mut batches: Vec<Batch<MyNet>> = (0..4).map(|_| Batch::new()).collect();
    /// let mut values = vec![Evaluation::default(); positions.len()];
    /// network.evaluate_on_threads(positions, &mut values, &mut batches);
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If there are not as many values as positions, or no `batches`.
    #[cfg(feature = "std")]
    pub fn evaluate_on_threads<P: Sync>(
        &self,
        positions: &[P],
        values: &mut [Evaluation],
        batches: &mut [Batch<A>],
    ) where
        A::Game: Reads<A, P>,
    {
        on_threads(positions, values, batches, |positions, values, batch| {
            self.evaluate_batch(positions, values, batch);
        });
    }

    /// Calls `judge` once for each of `positions`, in order: with its index, its accumulators in
    /// reading order, and the other inputs of the layers.
    pub(super) fn each_of_batch<P>(
        &self,
        positions: &[P],
        batch: &mut Batch<A>,
        mut judge: impl FnMut(usize, [&Accumulator<A>; 2], Seen),
    ) where
        A::Game: Reads<A, P>,
    {
        let Batch {
            positions: added,
            accumulators,
            seen,
        } = batch;
        let (level, transformer) = (self.level(), A::transformer(&self.params));
        let needed = positions.len() + A::Game::SPARE;
        if accumulators.len() < needed {
            accumulators.resize_with(needed, || {
                [A::Transformer::zeroed(), A::Transformer::zeroed()]
            });
        }
        A::Game::empty(added);
        seen.clear();
        for position in positions {
            <A::Game as Reads<A, P>>::with(position, |board| {
                A::Game::add(added, level, transformer, board, Self::PERSPECTIVES);
                seen.push(self.see(position, board));
            });
        }
        A::Game::compute(added, level, transformer, accumulators);
        for (index, &seen) in seen.iter().enumerate() {
            let pair = A::Game::read(added, level, transformer, index, accumulators);
            judge(
                index,
                both(Self::PERSPECTIVES.sides(seen.to_move), |side| {
                    &pair[side.index()]
                }),
                seen,
            );
        }
    }
}

/// Calls `evaluate` with parts of at most [`TOGETHER`] positions, on one thread for each of
/// `batches`: the calling thread and new ones.
///
/// # Panics
///
/// If there are not as many values as positions, or no `batches`.
#[cfg(feature = "std")]
pub(crate) fn on_threads<P: Sync, E: Send, B: Send>(
    positions: &[P],
    values: &mut [E],
    batches: &mut [B],
    evaluate: impl Fn(&[P], &mut [E], &mut B) + Sync,
) {
    assert_eq!(
        positions.len(),
        values.len(),
        "a batch has a value for each position"
    );
    assert!(!batches.is_empty(), "each thread needs a batch");
    let part = positions.len().div_ceil(batches.len()).clamp(1, TOGETHER);
    let parts = std::sync::Mutex::new(positions.chunks(part).zip(values.chunks_mut(part)));
    let work = |batch: &mut B| {
        let next = || parts.lock().ok()?.next();
        while let Some((positions, values)) = next() {
            evaluate(positions, values, batch);
        }
    };
    std::thread::scope(|threads| {
        let (own, others) = batches.split_at_mut(1);
        others
            .iter_mut()
            .for_each(|batch| drop(threads.spawn(|| work(batch))));
        work(&mut own[0]);
    });
}
