//! What evaluates positions.

use nnue_backend::nnue::{Board, identity};
use nnue_runtime::game::Reads;
use nnue_runtime::{Batch, Evaluation, Model, Network, Parameters};

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
    fn evaluate(&mut self, positions: &[Board], values: &mut [i32]);
}

impl<A: Model> Scorer for Network<A>
where
    A::Game: Reads<A, Board>,
{
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(InBatches {
            network: self,
            batch: Batch::new(),
            evaluations: Vec::new(),
        })
    }

    fn identity(&self) -> u128 {
        identity(const { &A::SPEC }, &self.params().tensors())
    }
}

/// A network and the accumulators of a batch.
struct InBatches<'n, A: Model> {
    network: &'n Network<A>,
    batch: Batch<A>,
    evaluations: Vec<Evaluation>,
}

impl<A: Model> Worker for InBatches<'_, A>
where
    A::Game: Reads<A, Board>,
{
    fn evaluate(&mut self, positions: &[Board], values: &mut [i32]) {
        self.evaluations
            .resize(positions.len(), Evaluation::default());
        self.network
            .evaluate_batch(positions, &mut self.evaluations, &mut self.batch);
        values
            .iter_mut()
            .zip(&self.evaluations)
            .for_each(|(value, evaluation)| *value = evaluation.value);
    }
}
