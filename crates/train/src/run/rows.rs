//! The records of files of networks over lists of rows.
//!
//! ```text
//!   files ──► held out ──► checked ──► mixed record by record ──► shuffled in memory ──► batches
//! ```

use std::path::PathBuf;

use fastrand::Rng;
use nnue_data::Interleave;
use nnue_data::rows::{self, Checked, CheckedRecord, Checker, Format, Part};

use super::config::{Config, HeldOutRows, RowsFiles};
use super::epochs::{self, Failure, Source, mix, shuffled};

pub(crate) type Records = epochs::Records<CheckedRecord>;

/// The data sources of a run.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    files: Vec<(PathBuf, Format)>,
    held_out: HeldOutRows,
    checker: Checker,
    shuffle: usize,
    seed: u64,
}

impl Sources {
    pub(crate) fn of_training(config: &Config, rows: &RowsFiles, checker: Checker) -> Self {
        Self {
            files: rows.files.clone(),
            held_out: rows.held_out.clone(),
            checker,
            shuffle: config.reading.shuffle,
            seed: config.seed,
        }
    }

    /// The records for validation, in the order of their files.
    pub(crate) fn judged(&self) -> Records {
        let files = match &self.held_out {
            HeldOutRows::Files(files) => files,
            HeldOutRows::Share(_) | HeldOutRows::Column(_) => &self.files,
        };
        let files: Vec<Records> = self.read(files, true).map(|(records, _)| records).collect();
        Box::new(files.into_iter().flatten())
    }

    /// The records of files and the sizes of these: those that are held out, or all others.
    fn read<'s>(
        &'s self,
        files: &'s [(PathBuf, Format)],
        held_out: bool,
    ) -> impl Iterator<Item = (Records, f64)> + 's {
        let numbered = files.iter().enumerate();
        numbered.map(move |(number, file)| self.file(number, file, held_out))
    }

    fn file(
        &self,
        number: usize,
        (path, format): &(PathBuf, Format),
        held_out: bool,
    ) -> (Records, f64) {
        let failure = Failure::of(path);
        let part = match &self.held_out {
            HeldOutRows::Column(column) => Part::Where {
                column: column.clone(),
                is: held_out,
            },
            HeldOutRows::Share(_) | HeldOutRows::Files(_) => Part::All,
        };
        let size = path.metadata().map_or(1, |found| found.len().max(1)) as f64;
        let records = match rows::open(path, *format, &part) {
            Ok(records) => Checked::new(records, self.checker.clone()),
            Err(error) => return (Box::new(std::iter::once(Err(failure(error)))), size),
        };
        let records = records.map(move |next| next.map_err(&failure));
        let HeldOutRows::Share(share) = self.held_out else {
            return (Box::new(records), size);
        };
        // Each record by its number, so that the choice is the same in all epochs.
        let mut random = Rng::with_seed(mix(self.seed, number as u64));
        let part = records.filter(move |next| next.is_err() || (random.f64() < share) == held_out);
        (Box::new(part), size)
    }
}

impl Source for Sources {
    type Record = CheckedRecord;

    fn epoch(&self, epoch: u64) -> Records {
        let seed = mix(self.seed, epoch);
        let files = self.read(&self.files, false);
        let mixed = Interleave::item_by_item(files, seed);
        shuffled(Box::new(mixed), self.shuffle, seed)
    }
}
