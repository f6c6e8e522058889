//! Which records a network and its loss accept.

use std::ops::Deref;

use nnue_spec::rows::{RowSets, RowsError, RowsShape};
use thiserror::Error;

use super::RowsRecord;

/// The targets that a loss accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// any finite number: a score in the unit of the network's value
    Scores,
    /// from 0 to 1: an expected result, a probability
    Expected,
    /// 0, 0.5 or 1: the loss compares probabilities of loss, draw and win
    Outcomes,
}

/// Why a record is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// the rows are no position of the network
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// the target is not finite, or out of the range of the loss
    #[error("the target is {found}, expected {}", expected.range())]
    Target {
        /// the target
        found: f32,
        /// what the loss accepts
        expected: Targets,
    },
    /// a record has another number of lists than those before it
    #[error("{found} list{}, where the records before have {before}", if *found == 1 { "" } else { "s" })]
    OtherLists {
        /// its number of lists
        found: usize,
        /// that of the records before
        before: usize,
    },
    /// the weight is negative or not finite
    #[error("the weight is {0}, expected a number from 0 up")]
    Weight(f32),
}

/// A record that a [`Checker`] has accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedRecord(RowsRecord);

/// Checks records for a network and a loss. Takes time in the number of active rows.
#[derive(Clone, Debug)]
pub struct Checker {
    sets: RowSets,
    targets: Targets,
}

impl Targets {
    const fn range(self) -> &'static str {
        match self {
            Self::Scores => "a finite number",
            Self::Expected => "a number from 0 to 1",
            Self::Outcomes => "0, 0.5 or 1",
        }
    }

    pub(super) fn check(self, target: f32) -> Result<(), RecordError> {
        let is_right = match self {
            Self::Scores => target.is_finite(),
            Self::Expected => (0.0..=1.0).contains(&target),
            Self::Outcomes => [0.0, 0.5, 1.0].contains(&target),
        };
        if is_right {
            return Ok(());
        }
        Err(RecordError::Target {
            found: target,
            expected: self,
        })
    }
}

pub(super) fn check_weight(weight: f32) -> Result<(), RecordError> {
    if (0.0..=f32::MAX).contains(&weight) {
        Ok(())
    } else {
        Err(RecordError::Weight(weight))
    }
}

impl Checker {
    /// For networks with this shape, and losses that accept these targets.
    pub fn new(shape: &RowsShape<'_>, targets: Targets) -> Self {
        Self {
            sets: RowSets::new(shape),
            targets,
        }
    }

    /// The same for losses that accept other targets.
    #[must_use]
    pub fn with_targets(self, targets: Targets) -> Self {
        Self { targets, ..self }
    }

    /// Accepts a record.
    ///
    /// # Errors
    ///
    /// [`RecordError`]: its rows, target or weight are wrong.
    pub fn check(&mut self, record: RowsRecord) -> Result<CheckedRecord, RecordError> {
        let RowsRecord { target, weight, .. } = record;
        self.sets.set(&record.lists)?;
        self.targets.check(target)?;
        check_weight(weight)?;
        Ok(CheckedRecord(record))
    }
}

impl Deref for CheckedRecord {
    type Target = RowsRecord;

    fn deref(&self) -> &RowsRecord {
        &self.0
    }
}
