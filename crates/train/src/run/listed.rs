//! Records of lists of rows that a program has in memory.

use std::sync::Arc;

use fastrand::Rng;
use nnue_data::files::Digest;
use nnue_data::files::fnv::{START, add};
use nnue_data::rows::{CheckedRecord, Checker, RowsRecord};

use super::epochs::{Records, Source, mix};
use crate::run::Error;

/// Records for [`Run::train_listed`](crate::run::Run::train_listed), in place of the files of a run.
#[derive(Clone, Debug)]
pub struct ListedData {
    /// The records.
    pub records: Vec<RowsRecord>,
    /// The records for validation.
    pub validation: ListedValidation,
}

/// The records that a run over [`ListedData`] validates with.
#[derive(Clone, Debug)]
pub enum ListedValidation {
    /// A share of the records, drawn one by one: the key `validation.held_out` of the run.
    Drawn,
    /// The records with `true`: a mark for each.
    Marked(Vec<bool>),
    /// These.
    Records(Vec<RowsRecord>),
}

impl ListedData {
    /// How many records an epoch has, at most.
    pub(crate) fn epoch(&self) -> usize {
        let held_out = match &self.validation {
            ListedValidation::Marked(marks) => marks.iter().filter(|mark| **mark).count(),
            ListedValidation::Drawn | ListedValidation::Records(_) => 0,
        };
        self.records.len().saturating_sub(held_out)
    }

    /// A digest by which a resumed run recognises the records.
    pub(crate) fn digest(&self) -> Digest {
        let others = match &self.validation {
            ListedValidation::Records(records) => &records[..],
            ListedValidation::Drawn | ListedValidation::Marked(_) => &[],
        };
        let mut sum = self.records.iter().chain(others).fold(START, add_record);
        if let ListedValidation::Marked(marks) = &self.validation {
            sum = marks
                .iter()
                .fold(sum, |sum, mark| add(sum, &[u8::from(*mark)]));
        }
        Digest {
            length: (self.records.len() + others.len()) as u64,
            sum,
        }
    }
}

fn add_record(mut sum: u64, record: &RowsRecord) -> u64 {
    for list in record.lists.as_slice() {
        sum = add(sum, &list.len().to_le_bytes());
        sum = list
            .iter()
            .fold(sum, |sum, row| add(sum, &row.to_le_bytes()));
    }
    sum = add(sum, &[u8::from(record.black_to_move)]);
    sum = add(sum, &record.target.to_bits().to_le_bytes());
    add(sum, &record.weight.to_bits().to_le_bytes())
}

/// The records of a run: those for training, shuffled anew for each epoch, and those for validation.
#[derive(Clone)]
pub(crate) struct Sources {
    training: Arc<[CheckedRecord]>,
    seed: u64,
}

/// Checked records for validation.
pub(crate) type HeldOut = Vec<CheckedRecord>;

impl Sources {
    /// Checks the records. `share` of them are held out if the data do not say which.
    pub(crate) fn new(
        data: ListedData,
        share: f64,
        seed: u64,
        mut checker: Checker,
    ) -> Result<(Self, HeldOut), Error> {
        let ListedData {
            records,
            validation,
        } = data;
        let mut random = Rng::with_seed(mix(seed, 0));
        let (marks, others) = match validation {
            ListedValidation::Drawn => {
                let marks = records.iter().map(|_| random.f64() < share).collect();
                (marks, Vec::new())
            }
            ListedValidation::Marked(marks) => (marks, Vec::new()),
            ListedValidation::Records(others) => (vec![false; records.len()], others),
        };
        if marks.len() != records.len() {
            let (marks, records) = (marks.len(), records.len());
            let message = format!("{marks} marks of validation for {records} records");
            return Err(Error::Run(message));
        }
        let mut check = |index, record, is_validation| {
            let checked = checker.check(record);
            checked.map_err(|fault| Error::Record {
                index,
                is_validation,
                fault,
            })
        };
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        for (index, (record, is_held_out)) in records.into_iter().zip(marks).enumerate() {
            let checked = check(index, record, false)?;
            match is_held_out {
                true => held_out.push(checked),
                false => training.push(checked),
            }
        }
        for (index, record) in others.into_iter().enumerate() {
            held_out.push(check(index, record, true)?);
        }
        let sources = Self {
            training: training.into(),
            seed,
        };
        Ok((sources, held_out))
    }
}

impl Source for Sources {
    type Record = CheckedRecord;

    fn epoch(&self, epoch: u64) -> Records<CheckedRecord> {
        let training = Arc::clone(&self.training);
        let mut order: Vec<usize> = (0..training.len()).collect();
        Rng::with_seed(mix(self.seed, epoch)).shuffle(&mut order);
        Box::new(
            order
                .into_iter()
                .map(move |index| Ok(training[index].clone())),
        )
    }
}
