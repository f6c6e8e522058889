//! `random`: answers computed from a digest, for tests of searches.

use std::sync::Arc;
use std::time::Duration;

use nnue_spec::softmax;

use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::digest::{digest_of, halves};
use crate::error::Error;
use crate::evaluator::{Batched, Evaluator};
use crate::game::{Game, Sample, Wanted};
use crate::identity::Identity;
use crate::options::{Flag, Integer, Opt};
use crate::registry::Entry;

const SEED: Integer = Integer {
    name: "seed",
    default: 0,
    range: 0..=u64::MAX,
    about: "another seed gives other answers",
};
const DELAY: Integer = Integer {
    name: "delay",
    default: 0,
    range: 0..=60_000,
    about: "milliseconds that each batch takes",
};
const UNIFORM: Flag = Flag {
    name: "uniform",
    default: false,
    about: "every value is 0 and every move equally probable",
};

/// Answers that depend only on the position, its history and the seed: the same in every run, for every order
/// of samples. Move probabilities differ by a factor of at most e^3.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    delay: Duration,
    uniform: bool,
}

impl Random {
    /// Random answers for a seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            delay: Duration::ZERO,
            uniform: false,
        }
    }

    /// The same value and policy everywhere.
    pub const fn uniform() -> Self {
        Self {
            seed: 0,
            delay: Duration::ZERO,
            uniform: true,
        }
    }

    /// Delays each batch.
    #[must_use]
    pub const fn with_delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    fn answer(&self, input: &Input) -> Answer {
        let moves = if input.wanted.policy { input.moves } else { 0 };
        if self.uniform {
            let policy = vec![1.0 / moves.max(1) as f32; moves];
            return Answer {
                q: 0.0,
                d: 0.0,
                m: 0.0,
                score: None,
                policy,
            };
        }
        let q = (input.number(1234, 200_001) as f32 - 100_000.0) / 100_000.0;
        let d = (1.0 - q.abs()) * (input.number(4321, 10_001) as f32 / 10_000.0);
        let logit = |mv: usize| input.number(1 << 32 | mv as u64, 10_001) as f32 * 3e-4;
        let mut policy: Vec<f32> = (0..moves).map(logit).collect();
        softmax(&mut policy, 1.0);
        Answer {
            q,
            d,
            m: 0.0,
            score: None,
            policy,
        }
    }
}

/// Digest of the position, and its number of moves.
#[derive(Debug)]
pub struct Input {
    digest: [u64; 2],
    moves: usize,
    wanted: Wanted,
}

impl Input {
    /// A pseudo-random number below `bound`, independent for each `what`.
    fn number(&self, what: u64, bound: u64) -> u64 {
        let [low, high] = halves(digest_of("random", &[self.digest[0], self.digest[1], what]));
        (low ^ high) % bound
    }
}

impl<G: Game> Evaluator<G> for Random {
    type Input = Input;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_wdl: true,
            has_policy: true,
            history: 8,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        Identity::of("random")
            .option(SEED.name, self.seed)
            .option(UNIFORM.name, self.uniform.into())
            .option(DELAY.name, self.delay.as_millis() as u64)
            .finish()
    }

    fn read(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Input, Error> {
        let [low, high] = halves(sample.digest(8));
        Ok(Input {
            digest: [low ^ self.seed, high],
            moves: sample.moves.len(),
            wanted,
        })
    }

    fn evaluate(&self, inputs: &[Input], answers: &mut Answers) -> Result<(), Error> {
        std::thread::sleep(self.delay);
        inputs
            .iter()
            .for_each(|input| answers.push(&self.answer(input)));
        Ok(())
    }

    fn with(&self, option: &str, value: &str) -> Result<Option<Self>, Error> {
        let wrong = |expected| Error::Setting {
            option: option.into(),
            found: value.into(),
            expected,
        };
        if option == SEED.name {
            let seed = SEED.read(value).ok_or_else(|| wrong(SEED.expected()))?;
            return Ok(Some(Self {
                seed,
                ..self.clone()
            }));
        }
        Ok(None)
    }
}

pub(crate) fn entry<G: Game>() -> Entry<G> {
    let options = vec![SEED.help(), DELAY.help(), UNIFORM.help()];
    Entry::new(
        "random",
        0,
        "answers made of a digest of the position",
        options,
        |builder| {
            let (seed, delay, uniform) = (
                builder.get(&SEED)?,
                builder.get(&DELAY)?,
                builder.get(&UNIFORM)?,
            );
            Ok(Arc::new(Batched::new(
                builder.path(),
                Random {
                    seed,
                    delay: Duration::from_millis(delay),
                    uniform,
                },
            )))
        },
    )
}
