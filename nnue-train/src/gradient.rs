//! The gradient of the mean loss of a batch, by several threads.
//!
//! ```text
//!   positions   0 ..       n/2 ..       n      each thread has a part of the batch,
//!   threads     |  first   |  second   |       its own workspace and its own gradient
//!                    └────── + ──┘             added in the order of the threads
//! ```
//!
//! So the same batch gives the same gradient, to the last bit, for the same number of threads. Another number of threads adds in
//! another order, and rounds otherwise.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

use nnue_spec::op::Real;

use crate::batch::Batch;
use crate::loss::{Example, Loss};
use crate::network::{Network, Parameters, Position, Workspace};

/// The gradient of batches, and the memory for it, which is kept from one batch to the next: as many parameters as the network has for every
/// thread.
#[derive(Clone, Debug)]
pub struct Gradient<T> {
    first: Worker<T>,
    others: Vec<Worker<T>>,
}

/// What a thread needs.
#[derive(Clone, Debug)]
struct Worker<T> {
    workspace: Workspace<T>,
    gradient: Parameters<T>,
    loss: f64,
}

/// What all threads read.
#[derive(Debug)]
struct Task<'a, T> {
    network: &'a Network<T>,
    parameters: &'a Parameters<T>,
    batch: &'a Batch,
    loss: &'a Loss,
    /// what all examples weigh together
    weight: f64,
}

impl<T: Real> Gradient<T> {
    /// Room for the gradients of a network by so many threads.
    pub fn new(network: &Network<T>, threads: NonZeroUsize) -> Self {
        let worker = || Worker { workspace: network.workspace(), gradient: network.zeros(), loss: 0.0 };
        Self { first: worker(), others: (1..threads.get()).map(|_| worker()).collect() }
    }

    /// Computes the gradient of a batch in place of the last one. Gives the mean loss, in which examples count as [`Loss::weight`] says.
    ///
    /// # Panics
    ///
    /// If the batch is empty, or if network, parameters and batch do not belong together.
    pub fn compute(&mut self, network: &Network<T>, parameters: &Parameters<T>, batch: &Batch, loss: &Loss) -> f64 {
        assert!(!batch.is_empty(), "a mean is of one position or more");
        assert_eq!(batch.perspectives(), network.perspectives(), "perspectives");
        let weight = (0..batch.len()).map(|position| loss.weight_of(example(batch, position))).sum();
        let task = &Task { network, parameters, batch, loss, weight };
        let (parts, positions) = (self.others.len() + 1, batch.len());
        let part = |number: usize| number * positions / parts..(number + 1) * positions / parts;
        thread::scope(|scope| {
            for (number, worker) in self.others.iter_mut().enumerate() {
                scope.spawn(move || worker.run(task, part(number + 1)));
            }
            self.first.run(task, part(0));
        });
        for worker in &self.others {
            self.first.gradient.add(&worker.gradient);
        }
        self.first.loss + self.others.iter().map(|worker| worker.loss).sum::<f64>()
    }

    /// The gradient of the last batch.
    pub const fn parameters(&self) -> &Parameters<T> {
        &self.first.gradient
    }

    /// The same, to be clipped.
    pub const fn parameters_mut(&mut self) -> &mut Parameters<T> {
        &mut self.first.gradient
    }
}

impl<T: Real> Worker<T> {
    /// The gradient and the loss of some positions.
    fn run(&mut self, task: &Task<'_, T>, positions: Range<usize>) {
        self.gradient.clear();
        self.loss = positions.map(|position| self.add(task, position)).sum();
    }

    /// Adds the gradient of a position, and gives its loss; both as shares of the mean.
    fn add(&mut self, task: &Task<'_, T>, index: usize) -> f64 {
        let &Task { network, parameters, batch, loss, weight } = task;
        let rows = [0, 1].map(|side| if side < batch.perspectives() { batch.rows(index, side) } else { &[] });
        let position = Position { rows, stack: batch.stacks()[index].into() };
        let outputs = network.forward(parameters, position, &mut self.workspace);
        let example = example(batch, index);
        let (loss, of_outputs) = loss.of(network.head(), outputs.map(T::get), example);
        let share = task.loss.weight_of(example) / weight;
        let of_outputs = of_outputs.map(|of_output| T::of(of_output * share));
        network.backward(parameters, position, &mut self.workspace, of_outputs, &mut self.gradient);
        loss * share
    }
}

fn example(batch: &Batch, position: usize) -> Example {
    Example { score: batch.scores()[position].into(), result: batch.results()[position].into() }
}
