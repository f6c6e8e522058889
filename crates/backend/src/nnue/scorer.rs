//! Networks as scorers for rescoring.

use std::ops::Deref;

use nnue_data::Position;
use nnue_data::rescore::{Scorer, Worker};
use nnue_runtime::game::Reads;
use nnue_runtime::{Batch, Evaluation, Model, Network, Parameters};

use super::board::Board;
use super::identity::identity;

/// A chess network as a scorer: `NetworkScorer(&network)`, or with an `Arc` or `Box`.
#[derive(Clone, Copy, Debug)]
pub struct NetworkScorer<N>(pub N);

impl<A: Model, N: Deref<Target = Network<A>> + Sync> Scorer for NetworkScorer<N>
where
    A::Game: Reads<A, Board>,
{
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(InBatches {
            network: &self.0,
            batch: Batch::new(),
            boards: Vec::new(),
            evaluations: Vec::new(),
        })
    }

    fn identity(&self) -> u128 {
        identity(const { &A::SPEC }, &self.0.params().tensors())
    }
}

/// A network and the accumulators of a batch.
struct InBatches<'n, A: Model> {
    network: &'n Network<A>,
    batch: Batch<A>,
    boards: Vec<Board>,
    evaluations: Vec<Evaluation>,
}

impl<A: Model> Worker for InBatches<'_, A>
where
    A::Game: Reads<A, Board>,
{
    fn evaluate(&mut self, positions: &[Position], values: &mut [i32]) {
        self.boards.clear();
        self.boards.extend(positions.iter().copied().map(Board));
        self.evaluations
            .resize(positions.len(), Evaluation::default());
        self.network
            .evaluate_batch(&self.boards, &mut self.evaluations, &mut self.batch);
        values
            .iter_mut()
            .zip(&self.evaluations)
            .for_each(|(value, evaluation)| *value = evaluation.value);
    }
}
