//! The networks of the command as scorers.

use nnue::Evaluation;
use nnue_backend::nnue::{Board, identity};
use nnue_rescore::{Scorer, Worker};

use crate::input::Placement;
use crate::network::{AnyNetwork, Batches, Evaluator};

/// A network with compiled code.
pub(super) struct Compiled<'n> {
    network: &'n dyn AnyNetwork,
    identity: u128,
}

impl<'n> Compiled<'n> {
    pub(super) fn new(network: &'n dyn AnyNetwork) -> Self {
        Self { network, identity: identity(network.spec(), &network.tensors()) }
    }
}

impl Scorer for Compiled<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        let batches = self.network.batches(1);
        Box::new(InBatches { batches, placements: Vec::new(), evaluations: Vec::new() })
    }

    fn identity(&self) -> u128 {
        self.identity
    }
}

/// The memory of a thread.
struct InBatches<'n> {
    batches: Box<dyn Batches + 'n>,
    placements: Vec<Placement>,
    evaluations: Vec<Evaluation>,
}

impl Worker for InBatches<'_> {
    fn evaluate(&mut self, positions: &[Board], values: &mut [i32]) {
        self.placements.clear();
        self.placements.extend(positions.iter().map(Placement::of_board));
        self.evaluations.resize(positions.len(), Evaluation::default());
        self.batches.evaluate(&self.placements, &mut self.evaluations);
        values.iter_mut().zip(&self.evaluations).for_each(|(value, evaluation)| *value = evaluation.value);
    }
}

/// A network that was declared when the command ran, evaluated one position after the other.
pub(super) struct Interpreted<'n> {
    network: &'n dyn Evaluator,
    identity: u128,
}

impl<'n> Interpreted<'n> {
    pub(super) fn new(network: &'n dyn Evaluator) -> Self {
        Self { network, identity: identity(network.spec(), &network.tensors()) }
    }
}

impl Scorer for Interpreted<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(OneByOne(self.network))
    }

    fn identity(&self) -> u128 {
        self.identity
    }
}

struct OneByOne<'n>(&'n dyn Evaluator);

impl Worker for OneByOne<'_> {
    fn evaluate(&mut self, positions: &[Board], values: &mut [i32]) {
        for (position, value) in positions.iter().zip(values) {
            *value = self.0.evaluate(&Placement::of_board(position)).evaluation.value;
        }
    }
}
