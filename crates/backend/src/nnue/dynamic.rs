//! `nnue` for networks that are described at run time.

use std::sync::Arc;

use nnue_runtime::Evaluation;
use nnue_runtime::dynamic::{Batch, Network};

use super::board::{Board, key_of_position};
use super::evaluator::{WORTH, answer, by_likeness, scale_of};
use super::identity::{digest_of_values, identity};
use crate::answers::Answers;
use crate::backend::Attributes;
use crate::chess::Chess;
use crate::error::Error;
use crate::evaluator::Evaluator;
use crate::game::{Sample, Wanted};
use crate::workers::Workers;

/// As [`Nnue`](super::Nnue), for a chess network that is described at run time: the same kernels, the same
/// answers.
pub struct NnueAtRunTime {
    network: Arc<Network>,
    identity: u128,
    scale: f32,
    workers: Arc<Workers<Batch>>,
}

impl NnueAtRunTime {
    /// A network on a number of threads, 0 for one per core. `scale` is the value with an expected score of
    /// 73 %: see [`expected_score`](crate::expected_score).
    pub fn new(network: Arc<Network>, threads: usize, scale: f32) -> Self {
        let identity = identity(network.spec(), &network.tensors());
        Self {
            network,
            identity,
            scale,
            workers: Arc::new(Workers::new(threads, WORTH, Batch::new)),
        }
    }
}

impl Evaluator<Chess> for NnueAtRunTime {
    type Input = Board;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_score: true,
            ..Attributes::VALUE
        }
    }

    /// The same as for the compiled network: both give the same answers.
    fn digest(&self) -> u128 {
        digest_of_values(self.identity, self.scale)
    }

    fn key(&self, sample: &Sample<'_, Chess>) -> u128 {
        key_of_position(sample)
    }

    fn read(&self, sample: &Sample<'_, Chess>, _: Wanted) -> Result<Board, Error> {
        Ok(Board(sample.history[sample.history.len() - 1]))
    }

    fn evaluate(&self, boards: &[Board], answers: &mut Answers) -> Result<(), Error> {
        let values = by_likeness(boards, Board::likeness, |boards, values| {
            self.workers.with(boards.len(), |batches| {
                self.network.evaluate_on_threads(boards, values, batches)
            });
        });
        values
            .iter()
            .for_each(|Evaluation { value, .. }| answers.push(&answer(*value, self.scale)));
        Ok(())
    }

    fn with(&self, option: &str, value: &str) -> Result<Option<Self>, Error> {
        let Some(scale) = scale_of(option, value)? else {
            return Ok(None);
        };
        let (network, workers) = (Arc::clone(&self.network), Arc::clone(&self.workers));
        Ok(Some(Self {
            network,
            identity: self.identity,
            scale,
            workers,
        }))
    }
}
