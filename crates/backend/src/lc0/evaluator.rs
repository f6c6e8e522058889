//! A network as an evaluator: encodes samples, and converts outputs to answers.

use std::sync::Arc;

use nnue_data::Position;
use nnue_spec::softmax;

use super::network::{Network, Outputs, Question, Value};
use super::settings::{FILL, Settings, TEMPERATURE};
use super::weights::Weights;
use super::{HistoryFill, InputFormat, Planes, index_of};
use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::chess::Chess;
use crate::digest::Digest;
use crate::error::Error;
use crate::evaluator::Evaluator;
use crate::game::{Game, Sample, Wanted};
use crate::identity::Identity;
use crate::options::Opt;
use crate::workers::Workers;

/// Number of positions that can matter: eight, and those that the oldest of them may repeat, as far back as a
/// game goes on without a capture or a pawn move.
const HISTORY: usize = 8 + 150;

pub(super) struct Lc0<N: Network> {
    network: Arc<N>,
    workers: Arc<Workers<N::Memory>>,
    /// digest of the weights
    digest: u128,
    format: InputFormat,
    has_wdl: bool,
    has_moves_left: bool,
    together: usize,
    fill: HistoryFill,
    temperature: f32,
}

impl<N: Network> Lc0<N> {
    pub(super) fn new(weights: Weights, settings: Settings) -> Self {
        let Settings {
            threads,
            together,
            fill,
            temperature,
        } = settings;
        let together = together.max(1);
        Self {
            digest: weights.digest,
            format: weights.input_format,
            has_wdl: weights.value.outputs.outputs == 3,
            has_moves_left: weights.moves_left.is_some(),
            network: Arc::new(N::new(weights)),
            workers: Arc::new(Workers::new(threads, together, N::Memory::default)),
            together,
            fill,
            temperature,
        }
    }

    fn planes(&self, history: &[Position]) -> Planes {
        Planes::encode(history, self.format, self.fill).expect("a sample has a position")
    }

    fn answer(&self, outputs: Outputs) -> Answer {
        let (q, d) = match outputs.value {
            Value::Number(q) => (q, 0.0),
            Value::Wdl(mut shares) => {
                softmax(&mut shares, 1.0);
                let [win, draw, loss] = shares;
                (win - loss, draw)
            }
        };
        let mut policy = outputs.logits;
        softmax(&mut policy, self.temperature);
        Answer {
            q,
            d,
            m: outputs.moves_left,
            score: None,
            policy,
        }
    }
}

impl<N: Network> Evaluator<Chess> for Lc0<N> {
    type Input = Question;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_wdl: self.has_wdl,
            has_moves_left: self.has_moves_left,
            has_policy: true,
            history: HISTORY,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        Identity::of(N::NAME)
            .contents(self.digest)
            .option(FILL.name, self.fill as u64)
            .option(TEMPERATURE.name, self.temperature.to_bits().into())
            .finish()
    }

    /// Digest of the input planes and the moves: earlier differences of games do not matter.
    fn key(&self, sample: &Sample<'_, Chess>) -> u128 {
        let mut digest = Digest::new();
        if !sample.history.is_empty() {
            let planes = self.planes(sample.history);
            planes.masks.iter().for_each(|&mask| digest.word(mask));
            planes
                .values
                .iter()
                .for_each(|&value| digest.word(value.to_bits().into()));
            digest.word(planes.transform.bits().into());
        }
        sample
            .moves
            .iter()
            .for_each(|mv| digest.word(Chess::move_word(mv)));
        digest.finish()
    }

    fn read(&self, sample: &Sample<'_, Chess>, wanted: Wanted) -> Result<Question, Error> {
        let planes = Box::new(self.planes(sample.history));
        let position = &sample.history[sample.history.len() - 1];
        let moves = if wanted.policy { sample.moves } else { &[] };
        let number = |&mv| match index_of(position, mv, planes.transform) {
            Some(index) => Ok(index as u16),
            None => {
                let what = format!("{} is no move of a piece", mv.to_uci(position));
                Err(Error::Sample {
                    backend: "lc0".into(),
                    what,
                })
            }
        };
        let moves = moves.iter().map(number).collect::<Result<_, _>>()?;
        Ok(Question {
            planes,
            moves,
            wanted,
        })
    }

    fn evaluate(&self, questions: &[Question], answers: &mut Answers) -> Result<(), Error> {
        let all = self.workers.spread(questions, |questions, memory| {
            let parts = questions.chunks(self.together);
            parts
                .flat_map(|part| self.network.answer(part, memory))
                .map(|outputs| self.answer(outputs))
                .collect()
        });
        for answer in all {
            let numbers = [answer.q, answer.d, answer.m];
            if !numbers
                .iter()
                .chain(&answer.policy)
                .all(|number| number.is_finite())
            {
                return Err(Error::failed(
                    "lc0",
                    "numbers of the network are too large: one of its answers is no number",
                ));
            }
            answers.push(&answer);
        }
        Ok(())
    }

    fn with(&self, option: &str, value: &str) -> Result<Option<Self>, Error> {
        let wrong = |expected| Error::Setting {
            option: option.into(),
            found: value.into(),
            expected,
        };
        let (mut fill, mut temperature) = (self.fill, self.temperature);
        match option {
            "fill" => fill = FILL.read(value).ok_or_else(|| wrong(FILL.expected()))?,
            "temperature" => {
                temperature = TEMPERATURE
                    .read(value)
                    .ok_or_else(|| wrong(TEMPERATURE.expected()))?
                    as f32
            }
            _ => return Ok(None),
        }
        let (network, workers) = (Arc::clone(&self.network), Arc::clone(&self.workers));
        Ok(Some(Self {
            network,
            workers,
            fill,
            temperature,
            ..*self
        }))
    }
}
