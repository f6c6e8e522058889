//! Epochs: the data of a run, again and again, each time in another order.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use nnue_data::ReadError;
use nnue_data::files::FileError;

use crate::run::Error;

/// Records read during training, with the errors of their files.
pub(crate) type Records<T> = Box<dyn Iterator<Item = Result<T, Failure>> + Send>;

/// A read error and its file.
#[derive(Debug)]
pub(crate) struct Failure {
    path: PathBuf,
    error: ReadError,
}

impl Failure {
    /// Makes failures of a file.
    pub(crate) fn of(path: &Path) -> impl Fn(ReadError) -> Self + Send + 'static {
        let path = path.to_owned();
        move |error| Self {
            path: path.clone(),
            error,
        }
    }
}

impl From<Failure> for Error {
    fn from(Failure { path, error }: Failure) -> Self {
        match error {
            ReadError::Io(source) => FileError::read(path, source).into(),
            fault => Self::Damaged { path, fault },
        }
    }
}

/// Data that can be read epoch after epoch. The same epoch has the same records each time.
pub(crate) trait Source: Clone + Send + 'static {
    type Record: Send + 'static;

    /// The records of an epoch that the network is trained on.
    fn epoch(&self, epoch: u64) -> Records<Self::Record>;
}

/// A different seed for each number.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).u64(..)
}

/// Shuffles records in a buffer of `room`.
pub(crate) fn shuffled<T: Send + 'static>(
    records: Records<T>,
    room: usize,
    seed: u64,
) -> Records<T> {
    if room <= 1 {
        return records;
    }
    Box::new(Shuffled {
        records,
        room,
        buffer: Vec::new(),
        failure: None,
        random: Rng::with_seed(seed),
    })
}

struct Shuffled<T> {
    records: Records<T>,
    room: usize,
    /// shuffled; the next record is the last
    buffer: Vec<T>,
    /// the error that ended the records, until it is reported
    failure: Option<Failure>,
    random: Rng,
}

impl<T> Iterator for Shuffled<T> {
    type Item = Result<T, Failure>;

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

pub(crate) struct Epochs<S: Source> {
    sources: S,
    epoch: u64,
    current: Records<S::Record>,
    /// records returned since the first epoch began
    given: u64,
    starts: Starts,
}

/// First records of epochs, as (epoch, record) pairs. Reading runs ahead of training.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts(Arc<Mutex<VecDeque<(u64, u64)>>>);

impl<S: Source> Epochs<S> {
    /// Starts with the given epoch.
    pub(crate) fn new(sources: S, epoch: u64) -> (Self, Starts) {
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

impl<S: Source> Iterator for Epochs<S> {
    type Item = Result<S::Record, Failure>;

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
