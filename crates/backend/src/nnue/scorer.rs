//! Networks as scorers for rescoring.

use std::ops::Deref;

use nnue_data::Position;
use nnue_data::rescore::{Scorer, Worker};
use nnue_runtime::game::Reads;
use nnue_runtime::{Batch, Evaluation, Model, Network, Parameters, dynamic};

use super::board::Board;
use super::identity::identity;

/// A chess network as a scorer, compiled or described at run time: `NetworkScorer(&network)`, or with an `Arc` or `Box`.
#[derive(Clone, Copy, Debug)]
pub struct NetworkScorer<N>(pub N);

/// A network that evaluates boards in batches.
pub trait InBatches: Sync {
    /// The memory of one thread.
    type Batch: Default;

    /// Evaluates as many boards as there are evaluations.
    fn evaluate(&self, boards: &[Board], evaluations: &mut [Evaluation], batch: &mut Self::Batch);

    /// [`Scorer::identity`].
    fn identity(&self) -> u128;
}

impl<A: Model> InBatches for Network<A>
where
    A::Game: Reads<A, Board>,
{
    type Batch = Batch<A>;

    fn evaluate(&self, boards: &[Board], evaluations: &mut [Evaluation], batch: &mut Batch<A>) {
        self.evaluate_batch(boards, evaluations, batch);
    }

    fn identity(&self) -> u128 {
        identity(const { &A::SPEC }, &self.params().tensors())
    }
}

impl InBatches for dynamic::Network {
    type Batch = dynamic::Batch;

    fn evaluate(
        &self,
        boards: &[Board],
        evaluations: &mut [Evaluation],
        batch: &mut dynamic::Batch,
    ) {
        self.evaluate_batch(boards, evaluations, batch);
    }

    fn identity(&self) -> u128 {
        identity(self.spec(), &self.tensors())
    }
}

impl<N: Deref + Sync> Scorer for NetworkScorer<N>
where
    N::Target: InBatches,
{
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(OfThread {
            network: &*self.0,
            batch: Default::default(),
            boards: Vec::new(),
            evaluations: Vec::new(),
        })
    }

    fn identity(&self) -> u128 {
        self.0.identity()
    }
}

/// A network and the accumulators of a batch.
struct OfThread<'n, N: InBatches + ?Sized> {
    network: &'n N,
    batch: N::Batch,
    boards: Vec<Board>,
    evaluations: Vec<Evaluation>,
}

impl<N: InBatches + ?Sized> Worker for OfThread<'_, N> {
    fn evaluate(&mut self, positions: &[Position], values: &mut [i32]) {
        self.boards.clear();
        self.boards.extend(positions.iter().copied().map(Board));
        self.evaluations
            .resize(positions.len(), Evaluation::default());
        self.network
            .evaluate(&self.boards, &mut self.evaluations, &mut self.batch);
        values
            .iter_mut()
            .zip(&self.evaluations)
            .for_each(|(value, evaluation)| *value = evaluation.value);
    }
}
