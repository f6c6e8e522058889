//! The two traits: a backend, and a batch of positions on its way through it.

use std::fmt;

use crate::answers::{Answer, Answers};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};

/// What a backend has, and how it wants to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// it knows the share of draws
    pub has_wdl: bool,
    /// it knows how many plies are left
    pub has_moves_left: bool,
    /// it has a policy
    pub has_policy: bool,
    /// it has a value in whole numbers, [`Answer::score`]
    pub has_score: bool,
    /// it computes on this processor, so that batches gain less than on another device
    pub runs_on_cpu: bool,
    /// positions of a batch with which it is fast
    pub recommended_batch: usize,
    /// most positions of a batch
    pub maximum_batch: usize,
    /// threads of a search that keep it busy
    pub threads: usize,
    /// how many positions it reads at most, the one to be evaluated included
    pub history: usize,
}

impl Attributes {
    /// Those of a backend that has a value alone and reads no history: the start for writing others.
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

    /// The attributes of a combination in which any of the backends may compute a batch: what all of them have, and the smallest limits.
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

/// Something that evaluates positions. It is shared between threads, and used through [`computation`](Self::computation).
pub trait Backend<G: Game>: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// What it has, and how it wants to be used.
    fn attributes(&self) -> Attributes;

    /// A number for what it computes: backends with the same one give the same answers to the same samples. Files of answers depend on it.
    fn digest(&self) -> u128;

    /// A new batch. It lives on its own: a backend may be dropped before it, and then computing it may be an error, but is never without end.
    fn computation(&self) -> Box<dyn Computation<G>>;

    /// A number for what it reads of a sample: samples with the same one get the same answer.
    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        sample.digest(self.attributes().history)
    }

    /// An answer that is at hand, without a computation.
    fn cached(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Option<Answer> {
        let _ = (sample, wanted);
        None
    }

    /// Changes an option while the backend is used. Batches that have begun keep the old value. `false` if nothing here takes this option
    /// while it runs: then a new backend is needed.
    ///
    /// # Errors
    ///
    /// If the value is none for this option.
    fn set(&self, option: &str, value: &str) -> Result<bool, Error> {
        let _ = (option, value);
        Ok(false)
    }

    /// Writes what it has counted so far, a line each: differences, histograms, hits.
    fn report(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let _ = out;
        Ok(())
    }

    /// Evaluates samples, in as many batches as it takes.
    ///
    /// # Errors
    ///
    /// Those of adding and computing.
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

/// What [`Computation::add`] says about the sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// its slot in the answers
    pub slot: usize,
    /// its answer, if it was at hand; it is in its slot as well
    pub answer: Option<Answer>,
}

impl Added {
    /// A sample that waits to be computed.
    pub const fn queued(slot: usize) -> Self {
        Self { slot, answer: None }
    }
}

/// A batch: positions are added, then all are computed. Threads may add at the same time.
pub trait Computation<G: Game>: Send + Sync {
    /// Adds a sample. Slots are counted from 0, in the order of the calls.
    ///
    /// # Errors
    ///
    /// If the batch is full ([`Attributes::maximum_batch`]), or if the sample cannot be read. Nothing is added then.
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error>;

    /// How many of the samples wait to be computed: all but those that had their answer at once.
    fn used_batch_size(&self) -> usize;

    /// Computes what was added, and returns an answer for each slot.
    ///
    /// # Errors
    ///
    /// Those of the backend: a device that fails, a backend that was dropped.
    fn compute(self: Box<Self>) -> Result<Answers, Error>;
}
