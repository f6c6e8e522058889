//! The stream of training records, epoch after epoch.
//!
//! ```text
//!   files ──► games held out ──► mixed by game ──► filter ──► shuffled in memory ──► batches
//!               Split              Interleave       Sieve       Shuffled
//! ```
//!
//! Random choices depend on the seed and the epoch only; the choice of held-out games depends on the seed
//! only. So an epoch gives the same records in the same order each time, and a run can resume anywhere.

use std::path::PathBuf;

use crate::loss::resolve_mate;
use nnue_data::compressed;
use nnue_data::files::regular;
use nnue_data::filter::{Filter, Sieve};
use nnue_data::policy::{self, PolicyRecord};
use nnue_data::{Format, Interleave, PliesLeft, Reader, Record, Split};

use super::config::{Chess, Config, Data, Origin, Validation};
use super::epochs::{self, Failure, Source, mix, shuffled};

/// Records of positions of chess.
pub(crate) type Records = epochs::Records<PolicyRecord>;

/// The data sources of a run.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    files: Vec<(PathBuf, Format)>,
    /// share of games that are held out
    held_out: f64,
    filter: Filter,
    shuffle: usize,
    seed: u64,
    resolve_mates: bool,
    /// whether to determine the remaining plies of games
    plies_left: bool,
}

impl Sources {
    pub(crate) fn of_training(config: &Config, chess: &Chess) -> Self {
        let Config { seed, loss, .. } = config;
        let Chess {
            data, validation, ..
        } = chess;
        let held_out = match validation.held_out {
            Origin::Games(share) => share,
            Origin::Files(_) => 0.0,
        };
        let Data { files, filter, .. } = data.clone();
        Self {
            files,
            held_out,
            filter,
            shuffle: config.reading.shuffle,
            seed: *seed,
            resolve_mates: loss.resolve_mates,
            plies_left: loss.needs_plies_left(),
        }
    }

    /// Whether all files can be read more than once, which pipes cannot.
    pub(crate) fn can_be_read_again(&self) -> bool {
        let is_file = |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file());
        self.files.iter().all(|(path, _)| is_file(path))
    }

    /// The records of an epoch, not shuffled.
    pub(crate) fn sample(&self) -> Records {
        self.read(mix(self.seed, 0), false)
    }

    /// The records for validation, in the order of their files.
    pub(crate) fn judged(&self, validation: &Validation) -> Records {
        match &validation.held_out {
            Origin::Games(_) => self.read(self.seed, true),
            Origin::Files(files) => {
                let sources = Self {
                    files: files.clone(),
                    held_out: 0.0,
                    ..self.clone()
                };
                sources.read(self.seed, false)
            }
        }
    }

    /// The records of the held-out games, or of all others.
    fn read(&self, seed: u64, held_out: bool) -> Records {
        let files: Vec<_> = self
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| self.file(number, file, held_out))
            .collect();
        let mixed: Records = match files.len() {
            1 => files
                .into_iter()
                .next()
                .map(|(records, _)| records)
                .expect("there is one"),
            _ => Box::new(Interleave::new(files, seed)),
        };
        let mut sieve = Sieve::new(self.filter.clone(), seed);
        let kept = mixed.filter(move |next| {
            next.as_ref()
                .map_or(true, |found| sieve.judge(&found.record).is_none())
        });
        if !self.resolve_mates {
            return Box::new(kept);
        }
        Box::new(kept.map(|next| {
            next.map(
                |PolicyRecord {
                     record,
                     visits,
                     left,
                 }| {
                    let score = resolve_mate(record.score.into()) as i16;
                    PolicyRecord {
                        record: Record { score, ..record },
                        visits,
                        left,
                    }
                },
            )
        }))
    }

    /// The records of a file and its size.
    fn file(
        &self,
        number: usize,
        (path, format): &(PathBuf, Format),
        held_out: bool,
    ) -> (Records, f64) {
        let failure = Failure::of(path);
        let file = match regular::read_or_pipe(path) {
            Ok(file) => file,
            Err(error) => return (Box::new(std::iter::once(Err(failure(error.into())))), 1.0),
        };
        let size = file.metadata().map_or(1, |found| found.len().max(1));
        let (bytes, fate) = compressed::open(file);
        let records: Records = match format {
            Format::Policy => Box::new(
                fate.follow(policy::Reader::new(bytes))
                    .map(move |next| next.map_err(&failure)),
            ),
            _ => Box::new(
                fate.follow(Reader::new(*format, bytes))
                    .map(move |next| next.map(PolicyRecord::from).map_err(&failure)),
            ),
        };
        let records = if self.plies_left {
            Box::new(PliesLeft::new(records))
        } else {
            records
        };
        if self.held_out == 0.0 {
            return (records, size as f64);
        }
        let mut split = Split::new(self.held_out, mix(self.seed, number as u64));
        let part = records.filter(move |next| {
            next.as_ref()
                .map_or(true, |found| split.holds_out(&found.record) == held_out)
        });
        (Box::new(part), size as f64)
    }
}

impl Source for Sources {
    type Record = PolicyRecord;

    fn epoch(&self, epoch: u64) -> Records {
        let seed = mix(self.seed, epoch);
        shuffled(self.read(seed, false), self.shuffle, seed)
    }
}
