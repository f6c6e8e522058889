//! The two traits: a backend, and a batch of positions.

use std::fmt;

use crate::answers::{Answer, Answers};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};

/// Capabilities of a backend, and advice for its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// gives draw probabilities
    pub has_wdl: bool,
    /// gives plies left
    pub has_moves_left: bool,
    /// gives a policy
    pub has_policy: bool,
    /// gives an integer value, [`Answer::score`]
    pub has_score: bool,
    /// runs on the CPU, so batches gain less than on an accelerator
    pub runs_on_cpu: bool,
    /// batch size for good throughput
    pub recommended_batch: usize,
    /// maximum batch size
    pub maximum_batch: usize,
    /// search threads that keep it busy
    pub threads: usize,
    /// number of positions it reads, including the one to evaluate
    pub history: usize,
}

impl Attributes {
    /// A backend that gives only a value and reads no history; a starting point for others.
    pub const VALUE: Self = Self {
        has_wdl: false,
        has_moves_left: false,
        has_policy: false,
        has_score: false,
        runs_on_cpu: true,
        recommended_batch: 256,
        maximum_batch: 1 << 16,
        threads: 1,
        history: 1,
    };

    /// Attributes of a combination in which either backend may compute a batch: common capabilities, smallest
    /// limits.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            has_wdl: self.has_wdl && other.has_wdl,
            has_moves_left: self.has_moves_left && other.has_moves_left,
            has_policy: self.has_policy && other.has_policy,
            has_score: self.has_score && other.has_score,
            runs_on_cpu: self.runs_on_cpu && other.runs_on_cpu,
            recommended_batch: self.recommended_batch.min(other.recommended_batch),
            maximum_batch: self.maximum_batch.min(other.maximum_batch),
            threads: self.threads.max(other.threads),
            history: self.history.max(other.history),
        }
    }
}

/// Evaluates positions. It is shared between threads, and used through [`computation`](Self::computation).
pub trait Backend<G: Game>: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Its capabilities, and advice for its use.
    fn attributes(&self) -> Attributes;

    /// Identity of its answers: backends with the same digest give the same answers to the same samples.
    /// Stored answers depend on it.
    fn digest(&self) -> u128;

    /// A new batch. It may outlive the backend; computing it may then fail, but never blocks forever.
    fn computation(&self) -> Box<dyn Computation<G>>;

    /// Identity of the part of a sample that it reads: samples with the same key get the same answer.
    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        sample.digest(self.attributes().history)
    }

    /// An answer that is available without a computation.
    fn cached(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Option<Answer> {
        let _ = (sample, wanted);
        None
    }

    /// Changes an option of a running backend. Batches that have begun keep the old value. Returns `false` if
    /// the option cannot be changed at run time; then a new backend is needed.
    ///
    /// # Errors
    ///
    /// If the value is invalid for this option.
    fn set(&self, option: &str, value: &str) -> Result<bool, Error> {
        let _ = (option, value);
        Ok(false)
    }

    /// Writes statistics, one per line: differences, histograms, cache hits.
    fn report(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let _ = out;
        Ok(())
    }

    /// Evaluates samples in as many batches as needed.
    ///
    /// # Errors
    ///
    /// Errors of adding and computing.
    fn evaluate(&self, samples: &[Sample<'_, G>], wanted: Wanted) -> Result<Answers, Error> {
        let (mut all, most) = (
            Answers::new(self.digest()),
            self.attributes().maximum_batch.max(1),
        );
        for samples in samples.chunks(most) {
            let computation = self.computation();
            for sample in samples {
                computation.add(sample, wanted)?;
            }
            computation
                .compute()?
                .iter()
                .for_each(|answer| all.push(&answer));
        }
        Ok(all)
    }
}

/// Result of [`Computation::add`].
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// its slot in the answers
    pub slot: usize,
    /// its answer, if it was available; the slot has it as well
    pub answer: Option<Answer>,
}

impl Added {
    /// A sample that must be computed.
    pub const fn queued(slot: usize) -> Self {
        Self { slot, answer: None }
    }
}

/// A batch: positions are added, then all are computed. Several threads may add concurrently.
pub trait Computation<G: Game>: Send + Sync {
    /// Adds a sample. Slots are numbered from 0, in the order of the calls.
    ///
    /// # Errors
    ///
    /// If the batch is full ([`Attributes::maximum_batch`]), or the sample is invalid. Nothing is added then.
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error>;

    /// Number of samples that must be computed: all but those that were answered at once.
    fn used_batch_size(&self) -> usize;

    /// Computes the batch, and returns an answer for each slot.
    ///
    /// # Errors
    ///
    /// Errors of the backend: a failed device, a dropped backend.
    fn compute(self: Box<Self>) -> Result<Answers, Error>;
}
