//! Shuffles more records than memory holds.
//!
//! ```text
//!   records ──► memory full: shuffled, written as a run ──► run 1  run 2  run 3 ..
//!                                                              └──────┴──────┴──► drawn from a run with the probability
//!                                                                                 that it has of all that is left
//! ```
//!
//! Every record that is left is drawn with the same probability, so every order is equally likely. A buffer
//! would only mix neighbours.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use fastrand::Rng;
use thiserror::Error;

use crate::files::own;
use crate::stored::{self, SIZE, Stored};
use crate::{Place, ReadError, Record, Unit};

/// Bytes of the buffer of a run.
const BUFFER: usize = 1 << 16;

/// The most runs: each is an open file, and some systems allow a process only 256.
const MOST_RUNS: usize = 200;

/// Too many records for the memory: there would be too many files, each with few records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{memory} bytes of memory are enough for {records} records, {MOST_RUNS} files of them included: give more for more records ({SIZE} bytes each)"
)]
pub struct MemoryTooSmall {
    /// the memory limit in bytes
    pub memory: usize,
    /// the most records for this limit
    pub records: u64,
}

/// Collects the records to shuffle.
#[derive(Debug)]
pub struct Shuffler {
    memory: Vec<Stored>,
    /// the memory limit
    bytes: usize,
    /// records that fit in memory
    room: usize,
    folder: PathBuf,
    runs: Vec<Run>,
    random: Rng,
}

/// Shuffled records in an unlinked file: it disappears when it is closed, even if the program is killed.
#[derive(Debug)]
struct Run {
    file: BufReader<File>,
    left: u64,
}

impl Shuffler {
    /// Uses about `memory` bytes, at least those of one record. Runs are files in `folder`, of 36 bytes a
    /// record, and open while they are needed. The same seed and memory give the same order of the same
    /// records.
    pub fn new(folder: impl Into<PathBuf>, memory: usize, seed: u64) -> Self {
        let room = (memory / SIZE).max(1);
        Self {
            memory: Vec::new(),
            bytes: memory,
            room,
            folder: folder.into(),
            runs: Vec::new(),
            random: Rng::with_seed(seed),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// If memory is full and the run cannot be written. The source of the error is a [`MemoryTooSmall`] if
    /// there would be more than 200 runs.
    pub fn push(&mut self, record: &Record) -> io::Result<()> {
        if self.memory.len() == self.room {
            self.write_run()?;
        }
        if self.memory.len() == self.memory.capacity() {
            // doubles the capacity, but never beyond the limit
            let more = self
                .memory
                .len()
                .max(1024)
                .min(self.room - self.memory.len());
            self.memory.reserve_exact(more);
        }
        self.memory.push(stored::store(record));
        Ok(())
    }

    /// The records in random order.
    pub fn finish(mut self) -> Shuffled {
        self.random.shuffle(&mut self.memory);
        Shuffled {
            memory: self.memory,
            runs: self.runs,
            random: self.random,
            count: 0,
        }
    }

    fn write_run(&mut self) -> io::Result<()> {
        if self.runs.len() == MOST_RUNS {
            return Err(io::Error::other(MemoryTooSmall {
                memory: self.bytes,
                records: (MOST_RUNS as u64 + 1).saturating_mul(self.room as u64),
            }));
        }
        self.random.shuffle(&mut self.memory);
        let (path, file) = own::create(&self.folder, "shuffle")?;
        fs::remove_file(&path)?;
        let mut writer = BufWriter::with_capacity(BUFFER, file);
        for record in &self.memory {
            writer.write_all(record)?;
        }
        let mut file = writer.into_inner()?;
        file.rewind()?;
        self.runs.push(Run {
            file: BufReader::with_capacity(BUFFER, file),
            left: self.memory.len() as u64,
        });
        self.memory.clear();
        Ok(())
    }
}

/// Records in random order.
#[derive(Debug)]
pub struct Shuffled {
    /// records that were never written to a run
    memory: Vec<Stored>,
    runs: Vec<Run>,
    random: Rng,
    /// records returned so far
    count: u64,
}

impl Shuffled {
    /// The number of records that are left.
    pub fn remaining(&self) -> u64 {
        self.memory.len() as u64 + self.runs.iter().map(|run| run.left).sum::<u64>()
    }

    fn draw(&mut self, number: u64) -> io::Result<Stored> {
        let mut number = number;
        for run in &mut self.runs {
            if number < run.left {
                run.left -= 1;
                let mut bytes = [0; SIZE];
                run.file.read_exact(&mut bytes)?;
                return Ok(bytes);
            }
            number -= run.left;
        }
        Ok(self
            .memory
            .pop()
            .expect("a number below that of the records that are left"))
    }
}

impl Iterator for Shuffled {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let left = self.remaining();
        if left == 0 {
            return None;
        }
        let number = self.random.u64(..left);
        let place = Place {
            unit: Unit::Record,
            number: self.count + 1,
            offset: self.count * SIZE as u64,
        };
        self.count += 1;
        let record = self.draw(number).map_err(ReadError::from);
        Some(record.and_then(|bytes| {
            stored::load(&bytes).map_err(|fault| ReadError::Damaged { place, fault })
        }))
    }
}
