//! The gradient of the mean loss of a batch, computed by several threads.
//!
//! ```text
//!   a round:   positions   | part of thread 1 | part of thread 2 |     forward; backward to the accumulators, whose gradient is kept;
//!                                                                      pairs (row, accumulator) sorted by row
//!              ------------------------------------------------------- all wait for each other
//!              rows        | . | . | . | . | . | . | . | . | . |       whoever is free takes the next rows, and adds to each the
//!                                                                      gradient of the accumulators that have it, in their order
//!              ------------------------------------------------------- all wait for each other
//!   the next round ..
//!
//!   at last:   layers      those of thread 1 + those of thread 2
//! ```
//!
//! Most parameters of a network are feature weights. Their gradient exists once for all threads, and each row
//! is read and written once per round. Layers are small: every thread has its own gradient of them.
//!
//! For a given number of threads, the same batch gives the same gradient bit by bit on every processor.
//! Another number of threads adds in another order and rounds differently.

mod barrier;
mod pairs;
mod part;
mod rows;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;

use nnue_spec::op::Real;

use crate::batch::Batch;
use crate::loss::Objective;
use crate::network::{Network, Parameters, Rows};
use barrier::Barrier;
use part::{Part, Task, weight_of};

/// The gradient of batches and its memory, which is reused: one number for every parameter and, for every
/// thread, one more for the parameters of layers and for the accumulators of some hundred positions.
#[derive(Clone, Debug)]
pub struct Gradient<T> {
    parts: Vec<Part<T>>,
    sum: Parameters<T>,
}

/// Positions of a part. With 256 neurons the gradient of their accumulators takes 1 MB and stays in the cache
/// until the rows are summed.
const PART: usize = 512;

/// Pieces of the rows for each thread: enough that all threads finish at about the same time.
const PIECES: usize = 16;

impl<T: Real> Gradient<T> {
    /// Allocates the gradient of a network for a number of threads.
    pub fn new(network: &Network<T>, threads: NonZeroUsize) -> Self {
        Self {
            parts: (0..threads.get()).map(|_| Part::new(network)).collect(),
            sum: network.zeros(),
        }
    }

    /// Replaces the gradient by that of a batch and returns the mean loss, weighted by
    /// [`Loss::weight`](crate::loss::Loss::weight) and [`Batch::weights`]. The sum of the weights must not be
    /// 0.
    ///
    /// # Panics
    ///
    /// If the batch is empty, or if network, parameters and batch do not match.
    pub fn compute(
        &mut self,
        network: &Network<T>,
        parameters: &Parameters<T>,
        batch: &Batch,
        objective: &Objective,
    ) -> f64 {
        assert!(!batch.is_empty(), "a mean is of one position or more");
        assert_eq!(batch.perspectives(), network.perspectives(), "perspectives");
        let weight = (0..batch.len())
            .map(|position| weight_of(&objective.loss, batch, position))
            .sum();
        let task = Task {
            network,
            parameters,
            batch,
            objective,
            weight,
        };
        self.sum.clear();
        self.parts.iter_mut().for_each(Part::clear);
        let team = Team::new(task, &mut self.parts, &mut self.sum);
        thread::scope(|scope| {
            for number in 1..team.parts.len() {
                let team = &team;
                scope.spawn(move || team.work(number));
            }
            team.work(0);
        });
        for part in &self.parts {
            part.add_layers(&mut self.sum);
        }
        self.parts.iter().map(Part::loss).sum()
    }

    /// The gradient of the last batch.
    pub const fn parameters(&self) -> &Parameters<T> {
        &self.sum
    }

    /// The gradient of the last batch, for clipping.
    pub const fn parameters_mut(&mut self) -> &mut Parameters<T> {
        &mut self.sum
    }
}

/// The threads of a batch. Locks never block: a part is written by its thread only, a piece by the thread
/// that has claimed it.
struct Team<'a, T> {
    task: Task<'a, T>,
    parts: Vec<RwLock<&'a mut Part<T>>>,
    pieces: Vec<Mutex<Rows<'a, T>>>,
    /// for each round, how many pieces are claimed
    taken: Vec<AtomicUsize>,
    barrier: Barrier,
}

impl<'a, T: Real> Team<'a, T> {
    fn new(task: Task<'a, T>, parts: &'a mut [Part<T>], sum: &'a mut Parameters<T>) -> Self {
        let (threads, transformer) = (parts.len(), task.network.transformer());
        let pieces = transformer.split(sum, transformer.rows().div_ceil(PIECES * threads));
        let rounds = task.batch.len().div_ceil(PART * threads);
        Self {
            task,
            parts: parts.iter_mut().map(RwLock::new).collect(),
            pieces: pieces.into_iter().map(Mutex::new).collect(),
            taken: (0..rounds).map(|_| AtomicUsize::new(0)).collect(),
            barrier: Barrier::new(threads),
        }
    }

    fn work(&self, number: usize) {
        let _member = self.barrier.member();
        for (round, taken) in self.taken.iter().enumerate() {
            let mut part = self.parts[number]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            part.run(&self.task, self.positions(round, number));
            drop(part);
            self.barrier.wait();
            self.add_rows(taken);
            self.barrier.wait();
        }
    }

    fn positions(&self, round: usize, number: usize) -> Range<usize> {
        let (rounds, threads) = (self.taken.len(), self.parts.len());
        let bound =
            |number: usize| (round * threads + number) * self.task.batch.len() / (rounds * threads);
        bound(number)..bound(number + 1)
    }

    /// Claims one piece of rows after the other and adds the gradients of all parts to it.
    fn add_rows(&self, taken: &AtomicUsize) {
        let parts: Vec<_> = self
            .parts
            .iter()
            .map(|part| part.read().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let parts: Vec<&Part<T>> = parts.iter().map(|part| &***part).collect();
        while let Some(piece) = self.pieces.get(taken.fetch_add(1, Ordering::Relaxed)) {
            rows::add(
                &self.task,
                &parts,
                &mut piece.lock().unwrap_or_else(PoisonError::into_inner),
            );
        }
    }
}
