//! `check`: compares some batches with a second backend.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fastrand::Rng;

use super::tally::{Output, Tallies, Tally, Tolerance};
use crate::answers::{Answer, Answers};
use crate::backend::{Added, Attributes, Backend, Computation};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::options::{Flag, Float, Integer, Opt, Word};
use crate::registry::{Entry, Shared, Tell};

const FREQ: Float = Float {
    name: "freq",
    default: 0.2,
    range: 0.0..=1.0,
    about: "the share of batches that both compute",
};
const SEED: Integer = Integer {
    name: "seed",
    default: 0,
    range: 0..=u64::MAX,
    about: "another seed compares other batches",
};
const MODE: Word<Mode> = Word {
    name: "mode",
    words: &[
        ("check", Mode::Check),
        ("display", Mode::Display),
        ("histogram", Mode::Histogram),
    ],
    about: "tell of wrong batches, of the errors of each batch, or how often errors are how large",
};
const EXACT: Flag = Flag {
    name: "exact",
    default: false,
    about: "numbers must be equal: atol and rtol do not count",
};
const ATOL: Float = Float {
    name: "atol",
    default: 1e-5,
    range: 0.0..=1e9,
    about: "errors up to this are allowed, or up to rtol times the larger number",
};
const RTOL: Float = Float {
    name: "rtol",
    default: 1e-4,
    range: 0.0..=1e9,
    about: "see atol",
};
const FAIL: Flag = Flag {
    name: "fail",
    default: false,
    about: "a wrong batch is an error",
};

/// Messages of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// a line for each batch with excessive errors
    Check,
    /// a line for each batch with its greatest errors
    Display,
    /// histograms of errors, after 1, 2, 4, 8, .. batches
    Histogram,
}

/// Answers are always those of the first backend. The second also computes a share of the batches, and value,
/// score, draws, moves left and policy are compared, as far as both have them and they were requested.
/// Differences and errors of the second backend are reported and counted; they do not affect the batch.
pub struct Check<G: Game> {
    parents: [Shared<G>; 2],
    log: Arc<Log>,
    chance: Mutex<(Rng, f64)>,
}

/// Receiver of comparisons.
struct Log {
    name: String,
    mode: Mode,
    tolerance: Tolerance,
    fail: bool,
    tell: Tell,
    tallies: Mutex<Tallies>,
}

impl<G: Game> Check<G> {
    /// Compares all batches without messages; results are in [`tally`](Self::tally) and the report.
    pub fn new(
        name: &str,
        first: Arc<dyn Backend<G>>,
        second: Arc<dyn Backend<G>>,
        tolerance: Tolerance,
    ) -> Self {
        let (tell, tallies): (Tell, _) = (Arc::new(|_| {}), Mutex::default());
        let log = Log {
            name: name.to_owned(),
            mode: Mode::Check,
            tolerance,
            fail: false,
            tell,
            tallies,
        };
        Self {
            parents: [first, second],
            log: Arc::new(log),
            chance: Mutex::new((Rng::with_seed(0), 1.0)),
        }
    }

    /// Statistics of an output so far.
    pub fn tally(&self, output: Output) -> Tally {
        self.log.tallies().of(output).clone()
    }

    /// The outputs that both backends have.
    fn outputs(&self) -> Vec<Output> {
        let [first, second] = &self.parents;
        let both = first.attributes().merge(second.attributes());
        let has = |output: &Output| match output {
            Output::Value => true,
            Output::Score => both.has_score,
            Output::Draws => both.has_wdl,
            Output::MovesLeft => both.has_moves_left,
            Output::Policy => both.has_policy,
        };
        Output::ALL.into_iter().filter(has).collect()
    }
}

impl Log {
    fn tallies(&self) -> MutexGuard<'_, Tallies> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a batch, and reports it.
    fn count(&self, batch: &Tallies) {
        let mut all = self.tallies();
        all.add(batch);
        let (name, batches) = (&self.name, all.batches);
        match self.mode {
            Mode::Check if batch.wrong() > 0 => {
                (self.tell)(&format!("{name}: wrong: {}", batch.wrong_outputs()))
            }
            Mode::Display => (self.tell)(&format!("{name}: greatest errors: {}", batch.greatest())),
            Mode::Histogram if batches.is_power_of_two() => {
                let mut text = String::new();
                all.report(name, true, &mut text)
                    .expect("a string takes everything");
                text.lines().for_each(|line| (self.tell)(line));
            }
            Mode::Check | Mode::Histogram => {}
        }
    }

    /// Counts a failed batch of the second backend.
    fn count_failed(&self, error: &Error) {
        let mut batch = Tallies::of_batch();
        batch.failed = 1;
        self.tallies().add(&batch);
        (self.tell)(&format!("{}: not compared: {error}", self.name));
    }
}

impl<G: Game> Backend<G> for Check<G> {
    fn name(&self) -> &str {
        &self.log.name
    }

    fn attributes(&self) -> Attributes {
        let [first, second] = [self.parents[0].attributes(), self.parents[1].attributes()];
        let maximum_batch = first.maximum_batch.min(second.maximum_batch);
        Attributes {
            maximum_batch,
            ..first
        }
    }

    fn digest(&self) -> u128 {
        self.parents[0].digest()
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        let compares = {
            let (random, share) = &mut *self.chance.lock().unwrap_or_else(PoisonError::into_inner);
            random.f64() < *share
        };
        let first = self.parents[0].computation();
        if !compares {
            return first;
        }
        let (second, outputs) = (
            Mutex::new(Ok(self.parents[1].computation())),
            self.outputs(),
        );
        Box::new(Compared {
            first,
            second,
            pairs: Mutex::default(),
            outputs,
            log: Arc::clone(&self.log),
        })
    }

    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        self.parents[0].key(sample)
    }

    fn cached(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Option<Answer> {
        self.parents[0].cached(sample, wanted)
    }

    fn set(&self, option: &str, value: &str) -> Result<bool, Error> {
        if option == FREQ.name {
            let wrong = || Error::Setting {
                option: option.into(),
                found: value.into(),
                expected: FREQ.expected(),
            };
            let share = FREQ.read(value).ok_or_else(wrong)?;
            self.chance.lock().unwrap_or_else(PoisonError::into_inner).1 = share;
            return Ok(true);
        }
        let [first, second] = &self.parents;
        let taken = first.set(option, value)?;
        Ok(second.set(option, value)? || taken)
    }

    fn report(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.log
            .tallies()
            .report(&self.log.name, self.log.mode == Mode::Histogram, out)?;
        self.parents
            .iter()
            .try_for_each(|parent| parent.report(out))
    }
}

/// The slots of a sample in both batches, and the requested outputs.
type Pair = (usize, usize, Wanted);

/// A batch that both backends compute.
struct Compared<G: Game> {
    first: Box<dyn Computation<G>>,
    /// the batch, or the error that ended it
    second: Mutex<Result<Box<dyn Computation<G>>, Error>>,
    pairs: Mutex<Vec<Pair>>,
    outputs: Vec<Output>,
    log: Arc<Log>,
}

impl<G: Game> Computation<G> for Compared<G> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        let added = self.first.add(sample, wanted)?;
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(computation) = &*second {
            match computation.add(sample, wanted) {
                Ok(other) => {
                    let mut pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
                    pairs.push((added.slot, other.slot, wanted));
                }
                Err(error) => *second = Err(error),
            }
        }
        Ok(added)
    }

    fn used_batch_size(&self) -> usize {
        self.first.used_batch_size()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let Self {
            first,
            second,
            pairs,
            outputs,
            log,
        } = *self;
        let first = first.compute()?;
        let second = second.into_inner().unwrap_or_else(PoisonError::into_inner);
        let second = match second.and_then(|computation| computation.compute()) {
            Ok(answers) => answers,
            Err(error) => {
                log.count_failed(&error);
                return Ok(first);
            }
        };
        let mut batch = Tallies::of_batch();
        for (slot, other, wanted) in pairs.into_inner().unwrap_or_else(PoisonError::into_inner) {
            batch.compare(
                [&first.get(slot), &second.get(other)],
                &outputs,
                wanted,
                &log.tolerance,
            );
        }
        log.count(&batch);
        if log.fail && batch.wrong() > 0 {
            return Err(Error::Differs {
                backend: log.name.clone(),
                what: batch.wrong_outputs(),
            });
        }
        Ok(first)
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    let options = vec![
        FREQ.help(),
        MODE.help(),
        EXACT.help(),
        ATOL.help(),
        RTOL.help(),
        FAIL.help(),
        SEED.help(),
    ];
    let about =
        "the first backend's answers; the second computes some batches too, and both are compared";
    Entry::new("check", -800, about, options, |builder| {
        let mut parents = builder.parents()?;
        if builder.parent_count() != 2 {
            return Err(builder.wrong_count(
                "two backends, the one that answers and the one that it is compared with",
            ));
        }
        let (second, first) = (parents.remove(1), parents.remove(0));
        let (absolute, relative) = (builder.get(&ATOL)?, builder.get(&RTOL)?);
        let tolerance = if builder.get(&EXACT)? {
            Tolerance::EXACT
        } else {
            Tolerance { absolute, relative }
        };
        let log = Log {
            name: builder.path().to_owned(),
            mode: builder.get(&MODE)?,
            tolerance,
            fail: builder.get(&FAIL)?,
            tell: builder.teller(),
            tallies: Mutex::default(),
        };
        let chance = Mutex::new((Rng::with_seed(builder.get(&SEED)?), builder.get(&FREQ)?));
        Ok(Arc::new(Check {
            parents: [first, second],
            log: Arc::new(log),
            chance,
        }))
    })
}
