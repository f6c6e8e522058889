//! Answers in files: segments with a common name, `book.cache.1`, `book.cache.2`, ..
//!
//! ```text
//!   this process      appends to one segment, which it has locked
//!   other processes   append to theirs
//!   all               read all segments; where each answer is, is in memory: 40 bytes an answer
//! ```
//!
//! A segment is full at an eighth of the size limit; then a new one is started. If all segments together
//! exceed the limit, the oldest one without a writer is deleted.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::error::CacheError;
use super::segment::{HEAD, Kind, Segment};

/// Number of full segments within the size limit.
const SEGMENTS: u64 = 8;

#[derive(Clone, Copy)]
struct Place {
    segment: u32,
    at: u64,
    length: u16,
}

/// Size of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// number of files
    pub segments: usize,
    /// number of distinct positions
    pub answers: usize,
    /// size of all files in bytes
    pub bytes: u64,
}

/// The files of a cache.
pub struct Store {
    /// common path, without the number
    path: PathBuf,
    kind: Kind,
    /// size limit of all files, in bytes
    most: u64,
    /// sync to disk, so that answers survive a power failure and not only a crash
    sync: bool,
    segments: BTreeMap<u32, Segment>,
    places: HashMap<u128, Place>,
    /// number of the segment that this process appends to
    own: u32,
}

impl Store {
    /// Opens the files with this name, or creates the first one. `kind` identifies the backend and the
    /// format.
    ///
    /// A partial record at the end of a file, left by a process that was killed, is removed.
    ///
    /// # Errors
    ///
    /// If a file with this name and a number is not a cache file or is of another kind, and I/O errors.
    pub fn open(path: &Path, kind: Kind, most: u64, sync: bool) -> Result<Self, CacheError> {
        let (segments, places) = (BTreeMap::new(), HashMap::new());
        let mut store = Self {
            path: path.to_owned(),
            kind,
            most,
            sync,
            segments,
            places,
            own: 0,
        };
        store.refresh()?;
        store.own = store.begin()?;
        Ok(store)
    }

    /// Reads the new records of other processes, and forgets files that they deleted.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn refresh(&mut self) -> Result<(), CacheError> {
        let numbers = numbers(&self.path)?;
        let gone: Vec<u32> = self
            .segments
            .keys()
            .copied()
            .filter(|number| !numbers.contains(number))
            .collect();
        gone.into_iter().for_each(|number| self.forget(number));
        for number in numbers {
            if !self.segments.contains_key(&number) {
                let Some(segment) = self.known(number)? else {
                    continue;
                };
                self.segments.insert(number, segment);
            }
            let segment = self.segments.get_mut(&number).expect("it was put there");
            let places = &mut self.places;
            segment.scan(|key, at, length| {
                places.insert(
                    key,
                    Place {
                        segment: number,
                        at,
                        length,
                    },
                );
            })?;
        }
        Ok(())
    }

    /// The encoded answer for a key.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(crate) fn get(&mut self, key: u128) -> Result<Option<Vec<u8>>, CacheError> {
        let Some(&Place {
            segment,
            at,
            length,
        }) = self.places.get(&key)
        else {
            return Ok(None);
        };
        let Some(file) = self.segments.get(&segment) else {
            return Ok(None);
        };
        let found = file.read(key, at, length)?;
        if found.is_none() {
            self.places.remove(&key); // somebody has changed the file: never believe it again
        }
        Ok(found)
    }

    /// Appends answers. After it returns, they survive a crash of the process.
    ///
    /// # Errors
    ///
    /// I/O errors; none of the answers is kept then.
    pub(crate) fn put(&mut self, answers: &[(u128, Vec<u8>)]) -> Result<(), CacheError> {
        if answers.is_empty() {
            return Ok(());
        }
        if self
            .segments
            .get(&self.own)
            .is_none_or(|own| own.end >= self.most / SEGMENTS)
        {
            let next = self.begin()?;
            let full = std::mem::replace(&mut self.own, next);
            if let Some(full) = self.segments.get(&full) {
                full.unlock()?;
            }
        }
        let (number, places) = (self.own, &mut self.places);
        let own = self.segments.get_mut(&number).expect("it was begun");
        own.append(answers, self.sync, |key, at, length| {
            places.insert(
                key,
                Place {
                    segment: number,
                    at,
                    length,
                },
            );
        })?;
        self.drop_oldest()
    }

    /// The size of the store.
    pub fn contents(&self) -> Contents {
        let bytes = self.segments.values().map(|segment| segment.end).sum();
        Contents {
            segments: self.segments.len(),
            answers: self.places.len(),
            bytes,
        }
    }

    /// The segment with this number, if it exists, has a complete header, and is of this kind.
    fn known(&self, number: u32) -> Result<Option<Segment>, CacheError> {
        let Some(segment) = Segment::open(&file(&self.path, number))? else {
            return Ok(None);
        };
        match self.kind.difference(&segment.kind) {
            None => Ok(Some(segment)),
            Some(difference) => Err(CacheError::Other {
                path: segment.path().to_owned(),
                difference,
            }),
        }
    }

    /// The segment for this process to append to: one that is neither locked nor full, or a new one.
    fn begin(&mut self) -> Result<u32, CacheError> {
        let full = self.most / SEGMENTS;
        let candidates: Vec<u32> = self
            .segments
            .keys()
            .copied()
            .filter(|number| *number != self.own)
            .collect();
        for number in candidates {
            let places = &mut self.places;
            let segment = self.segments.get_mut(&number).expect("it is in the list");
            if segment.end < full && segment.lock()? {
                if !segment.path().exists() {
                    continue; // dropped by the process that had it
                }
                // first read new records, then cut off a partial one
                segment.scan(|key, at, length| {
                    places.insert(
                        key,
                        Place {
                            segment: number,
                            at,
                            length,
                        },
                    );
                })?;
                segment.mend()?;
                return Ok(number);
            }
        }
        let mut number = numbers(&self.path)?.last().copied().unwrap_or(0);
        loop {
            number += 1;
            if let Some(segment) = Segment::create(&file(&self.path, number), self.kind)? {
                self.segments.insert(number, segment);
                return Ok(number);
            }
        }
    }

    /// Deletes the oldest files until the rest is within the limit.
    fn drop_oldest(&mut self) -> Result<(), CacheError> {
        while self.contents().bytes > self.most {
            let mut oldest = None;
            for (&number, segment) in self
                .segments
                .iter()
                .filter(|(number, _)| **number != self.own)
            {
                if segment.end > HEAD && segment.lock()? {
                    oldest = Some(number);
                    break;
                }
            }
            let Some(number) = oldest else { break };
            let path = file(&self.path, number);
            std::fs::remove_file(&path).map_err(|error| CacheError::System { path, error })?;
            self.forget(number);
        }
        Ok(())
    }

    fn forget(&mut self, number: u32) {
        self.segments.remove(&number);
        self.places.retain(|_, place| place.segment != number);
    }
}

/// The numbers of all files with this name.
pub(super) fn numbers(path: &Path) -> Result<Vec<u32>, CacheError> {
    let told = |error| CacheError::System {
        path: path.to_owned(),
        error,
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let found = entry.map_err(told)?.file_name();
        let number = found
            .to_str()
            .and_then(|found| found.strip_prefix(&name)?.strip_prefix('.')?.parse().ok());
        numbers.extend(
            number
                .filter(|number: &u32| file(path, *number).file_name() == Some(found.as_os_str())),
        );
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The path of a file, given its number.
pub(super) fn file(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    path.with_file_name(name)
}
