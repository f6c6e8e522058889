//! Answers in files: several segments of one name, `book.cache.1`, `book.cache.2`, ..
//!
//! ```text
//!   this process      appends to one segment, which it has locked
//!   other processes   append to theirs
//!   all               read all segments; where each answer is, is in memory: 40 bytes an answer
//! ```
//!
//! A segment that is an eighth of the bound is full, and the next one is begun. If all together are more than the bound, the oldest goes that nobody
//! writes to.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::error::CacheError;
use super::segment::{HEAD, Kind, Segment};

/// Segments of which a bound is made up.
const SEGMENTS: u64 = 8;

/// Where an answer is.
#[derive(Clone, Copy)]
struct Place {
    segment: u32,
    at: u64,
    length: u16,
}

/// What is in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// files
    pub segments: usize,
    /// different positions
    pub answers: usize,
    /// bytes of all files
    pub bytes: u64,
}

/// The files of a cache.
pub struct Store {
    /// their name without the number
    path: PathBuf,
    kind: Kind,
    /// most bytes of all
    most: u64,
    /// whether answers survive the end of the power, and not only of the process
    sync: bool,
    segments: BTreeMap<u32, Segment>,
    places: HashMap<u128, Place>,
    /// the segment that this process appends to
    own: u32,
}

impl Store {
    /// Opens the files of this name, or makes the first one. `kind` says whose answers they are.
    ///
    /// A file that another process, since killed, has left with half an answer at its end is mended.
    ///
    /// # Errors
    ///
    /// If a file of this name and a number is none of a cache, or has answers of something else, or if the system refuses.
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

    /// Reads what other processes have appended, and forgets files that they have dropped.
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

    /// The bytes of the answer with this key.
    ///
    /// # Errors
    ///
    /// If the system refuses.
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

    /// Appends answers. When this returns, killing the process does not lose them.
    ///
    /// # Errors
    ///
    /// If they cannot be written: then none of them is kept.
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

    /// What is there.
    pub fn contents(&self) -> Contents {
        let bytes = self.segments.values().map(|segment| segment.end).sum();
        Contents {
            segments: self.segments.len(),
            answers: self.places.len(),
            bytes,
        }
    }

    /// The file of this number, if it is there and whole enough, and of this kind.
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

    /// The segment that this process goes on with: one that nobody writes to and that is not full, or a new one.
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
                // what was appended since it was read, and only then what is not whole
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

    /// Drops the oldest files until the rest is within the bound.
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

/// The numbers of all files of a cache of this name.
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

/// The file with this number of a cache.
pub(super) fn file(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    path.with_file_name(name)
}
