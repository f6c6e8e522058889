//! The stream of training records, epoch after epoch.
//!
//! ```text
//!   files ──► games held out ──► mixed by game ──► filter ──► shuffled in memory ──► batches
//!               Split              Interleave       Sieve       Shuffled
//! ```
//!
//! Random choices depend on the seed and the epoch only; the choice of held-out games depends on the seed
//! only. So an epoch gives the same records in the same order each time, and a run can resume anywhere.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::loss::resolve_mate;
use fastrand::Rng;
use nnue_data::compressed;
use nnue_data::files::FileError;
use nnue_data::files::regular;
use nnue_data::filter::{Filter, Sieve};
use nnue_data::policy::{self, PolicyRecord};
use nnue_data::{Format, Interleave, PliesLeft, ReadError, Reader, Record, Split};

use super::config::{Config, Data, Origin, Validation};
use crate::run::Error;

/// Records read during training, with the errors of their files.
pub(crate) type Records = Box<dyn Iterator<Item = Result<PolicyRecord, Failure>> + Send>;

/// A read error and its file.
#[derive(Debug)]
pub(crate) struct Failure {
    path: PathBuf,
    error: ReadError,
}

impl From<Failure> for Error {
    fn from(Failure { path, error }: Failure) -> Self {
        match error {
            ReadError::Io(source) => FileError::read(path, source).into(),
            fault => Self::Damaged { path, fault },
        }
    }
}

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
    pub(crate) fn of_training(config: &Config) -> Self {
        let Config {
            data,
            validation,
            seed,
            loss,
            ..
        } = config;
        let held_out = match validation.held_out {
            Origin::Games(share) => share,
            Origin::Files(_) => 0.0,
        };
        let Data {
            files,
            filter,
            shuffle,
            ..
        } = data.clone();
        Self {
            files,
            held_out,
            filter,
            shuffle,
            seed: *seed,
            resolve_mates: loss.resolve_mates,
            plies_left: loss.needs_plies_left(),
        }
    }

    fn epoch(&self, epoch: u64) -> Records {
        let seed = mix(self.seed, epoch);
        let kept = self.read(seed, false);
        match self.shuffle {
            0 | 1 => kept,
            room => Box::new(Shuffled {
                records: kept,
                room,
                buffer: Vec::new(),
                failure: None,
                random: Rng::with_seed(seed),
            }),
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
        let failure = {
            let path = path.clone();
            move |error| Failure {
                path: path.clone(),
                error,
            }
        };
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

/// A different seed for each number.
fn mix(seed: u64, number: u64) -> u64 {
    Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).u64(..)
}

/// Shuffles records in a buffer of `room`.
struct Shuffled {
    records: Records,
    room: usize,
    /// shuffled; the next record is the last
    buffer: Vec<PolicyRecord>,
    /// the error that ended the records, until it is reported
    failure: Option<Failure>,
    random: Rng,
}

impl Iterator for Shuffled {
    type Item = Result<PolicyRecord, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.buffer.is_empty() && self.failure.is_none() {
            while self.buffer.len() < self.room
                && let Some(next) = self.records.next()
            {
                match next {
                    Ok(record) => self.buffer.push(record),
                    Err(failure) => {
                        self.failure = Some(failure);
                        break;
                    }
                }
            }
            self.random.shuffle(&mut self.buffer);
        }
        self.buffer
            .pop()
            .map(Ok)
            .or_else(|| self.failure.take().map(Err))
    }
}

/// Position of the training in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) epoch: u64,
    /// positions of this epoch so far
    pub(crate) offset: u64,
}

pub(crate) struct Epochs {
    sources: Sources,
    epoch: u64,
    current: Records,
    /// records returned since the first epoch began
    given: u64,
    starts: Starts,
}

/// First records of epochs, as (epoch, record) pairs. Reading runs ahead of training.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts(Arc<Mutex<VecDeque<(u64, u64)>>>);

impl Epochs {
    /// Starts with the given epoch.
    pub(crate) fn new(sources: Sources, epoch: u64) -> (Self, Starts) {
        let starts = Starts::default();
        starts.push(epoch, 0);
        let current = sources.epoch(epoch);
        (
            Self {
                sources,
                epoch,
                current,
                given: 0,
                starts: starts.clone(),
            },
            starts,
        )
    }
}

impl Iterator for Epochs {
    type Item = Result<PolicyRecord, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.current.next() {
                self.given += 1;
                return Some(next);
            }
            if self.starts.last() == Some(self.given) {
                return None; // an epoch without records: there will be none
            }
            self.epoch += 1;
            self.starts.push(self.epoch, self.given);
            self.current = self.sources.epoch(self.epoch);
        }
    }
}

impl Starts {
    fn push(&self, epoch: u64, record: u64) {
        self.with(|starts| starts.push_back((epoch, record)));
    }

    fn last(&self) -> Option<u64> {
        self.with(|starts| starts.back().map(|(_, record)| *record))
    }

    /// The place in the data after `used` records.
    pub(crate) fn place(&self, used: u64) -> Place {
        self.with(|starts| {
            while starts.get(1).is_some_and(|(_, record)| *record <= used) {
                starts.pop_front();
            }
            let (epoch, record) = starts[0];
            Place {
                epoch,
                offset: used - record,
            }
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut VecDeque<(u64, u64)>) -> T) -> T {
        work(&mut self.0.lock().expect("nobody panics while holding it"))
    }
}
