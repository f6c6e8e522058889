//! Uses networks of the command as scorers.

use nnue::Evaluation;
use nnue_backend::nnue::identity;
use nnue_data::Position;
use nnue_data::rescore::{Scorer, Worker};

use crate::input::Placement;
use crate::network::{AnyNetwork, Batches};

pub(super) struct Kernels<'n> {
    network: &'n dyn AnyNetwork,
    identity: u128,
}

impl<'n> Kernels<'n> {
    pub(super) fn new(network: &'n dyn AnyNetwork) -> Self {
        Self {
            network,
            identity: identity(network.spec(), &network.tensors()),
        }
    }
}

impl Scorer for Kernels<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        let batches = self.network.batches(1);
        Box::new(InBatches {
            batches,
            placements: Vec::new(),
            evaluations: Vec::new(),
        })
    }

    fn identity(&self) -> u128 {
        self.identity
    }
}

struct InBatches<'n> {
    batches: Box<dyn Batches + 'n>,
    placements: Vec<Placement>,
    evaluations: Vec<Evaluation>,
}

impl Worker for InBatches<'_> {
    fn evaluate(&mut self, positions: &[Position], values: &mut [i32]) {
        self.placements.clear();
        self.placements
            .extend(positions.iter().map(Placement::of_position));
        self.evaluations
            .resize(positions.len(), Evaluation::default());
        self.batches
            .evaluate(&self.placements, &mut self.evaluations);
        values
            .iter_mut()
            .zip(&self.evaluations)
            .for_each(|(value, evaluation)| *value = evaluation.value);
    }
}
