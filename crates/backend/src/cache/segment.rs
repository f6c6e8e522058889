//! One file of answers.
//!
//! ```text
//!     0  [u8; 8]  "nnuecach"
//!     8  u32      2, the version
//!    12  u32      how policies are written
//!    16  u128     the digest of the backend
//!    32  u64      how many positions of a history count; 0 for all that the backend reads
//!    40  records, one after the other:
//!          u16    n, the bytes of the answer
//!          u128   the key of the sample
//!          n      the answer
//!          u32    CRC-32 of all this
//! ```
//!
//! Integers are little-endian. A file is only ever appended to, by the one process that has locked it.
//! Readers stop at the first incomplete record: a writer may be at work there, or was killed there.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nnue_data::files::regular::Accepted;

use super::coding::{Coding, PolicyCodec};
use super::error::{CacheError, Difference};
use super::steps::Steps;

const MAGIC: [u8; 8] = *b"nnuecach";
const VERSION: u32 = 2;
pub(super) const HEAD: u64 = 40;
/// Size of a record without the answer.
const FRAME: usize = 2 + 16 + 4;

/// Common properties of all files of a cache: backend, history and format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// encoding of policies
    pub codec: PolicyCodec,
    /// digest of the backend
    pub digest: u128,
    /// number of positions of the history that count; 0: all that the backend reads
    pub history: u64,
}

impl Kind {
    /// The first difference to `found`, which is from a file.
    pub(super) fn difference(&self, found: &Self) -> Option<Difference> {
        let options = |kind: &Self| {
            [
                ("history", kind.history.to_string()),
                ("steps", kind.codec.steps.name().to_owned()),
                ("coding", kind.codec.coding.name().to_owned()),
            ]
        };
        if self.digest != found.digest {
            return Some(Difference::Backend {
                found: found.digest,
                expected: self.digest,
            });
        }
        let pairs = options(self).into_iter().zip(options(found));
        let mut differing = pairs.filter(|(expected, found)| expected != found);
        differing
            .next()
            .map(|((option, expected), (_, found))| Difference::Option {
                option,
                found,
                expected,
            })
    }

    fn head(&self) -> [u8; HEAD as usize] {
        let at = |found: Option<usize>| found.expect("it is in the list") as u32;
        let steps = at(Steps::ALL
            .iter()
            .position(|&steps| steps == self.codec.steps));
        let coding = at(Coding::ALL
            .iter()
            .position(|&coding| coding == self.codec.coding));
        let mut head = [0; HEAD as usize];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&(steps | coding << 8).to_le_bytes());
        head[16..32].copy_from_slice(&self.digest.to_le_bytes());
        head[32..].copy_from_slice(&self.history.to_le_bytes());
        head
    }

    fn of_head(head: &[u8; HEAD as usize], path: &Path) -> Result<Self, CacheError> {
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let path = || path.to_owned();
        let foreign = || CacheError::Foreign {
            path: path(),
            found: head[..16].to_vec(),
        };
        if head[..8] != MAGIC {
            return Err(foreign());
        }
        if word(8) != VERSION {
            return Err(CacheError::Version {
                path: path(),
                found: word(8),
                known: VERSION,
            });
        }
        let steps = Steps::ALL
            .get(word(12) as usize & 0xFF)
            .ok_or_else(foreign)?;
        let coding = Coding::ALL
            .get(word(12) as usize >> 8)
            .ok_or_else(foreign)?;
        let (head, history) = head.split_last_chunk().expect("40 bytes end with 8");
        let (_, digest) = head.split_last_chunk().expect("32 bytes end with 16");
        Ok(Self {
            codec: PolicyCodec {
                steps: *steps,
                coding: *coding,
            },
            digest: u128::from_le_bytes(*digest),
            history: u64::from_le_bytes(*history),
        })
    }
}

/// A file and its valid part.
pub(super) struct Segment {
    path: PathBuf,
    file: File,
    pub(super) kind: Kind,
    /// end of the last complete record
    pub(super) end: u64,
}

impl Segment {
    /// Creates a file and locks it; `None` if it exists.
    pub(super) fn create(path: &Path, kind: Kind) -> Result<Option<Self>, CacheError> {
        let told = |error| system(path, error);
        let mut file = match OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
        {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(told(error)),
        };
        file.lock().map_err(told)?;
        file.write_all(&kind.head()).map_err(told)?;
        Ok(Some(Self {
            path: path.to_owned(),
            file,
            kind,
            end: HEAD,
        }))
    }

    /// Opens a file. A file with an incomplete header has no answers: another process is creating it, or was
    /// killed.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, CacheError> {
        Self::open_as(path, OpenOptions::new().read(true).write(true))
    }

    /// Opens a file for reading.
    pub(super) fn open_to_read(path: &Path) -> Result<Option<Self>, CacheError> {
        Self::open_as(path, OpenOptions::new().read(true))
    }

    fn open_as(path: &Path, options: &OpenOptions) -> Result<Option<Self>, CacheError> {
        let told = |error| system(path, error);
        let mut file = match Accepted::File.open(path, options) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None), // dropped meanwhile
            Err(error) => return Err(told(error)),
        };
        let (mut head, mut found) = ([0; HEAD as usize], 0);
        while found < head.len() {
            match file.read(&mut head[found..]).map_err(told)? {
                0 => break,
                count => found += count,
            }
        }
        if found < head.len() {
            let known = found.min(MAGIC.len());
            let is_ours = head[..known] == MAGIC[..known];
            let foreign = || CacheError::Foreign {
                path: path.to_owned(),
                found: head[..found].to_vec(),
            };
            return if is_ours { Ok(None) } else { Err(foreign()) };
        }
        Ok(Some(Self {
            path: path.to_owned(),
            file,
            kind: Kind::of_head(&head, path)?,
            end: HEAD,
        }))
    }

    /// Locks the file for this process. Returns `false` if another process has it.
    pub(super) fn lock(&self) -> Result<bool, CacheError> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(system(&self.path, error)),
        }
    }

    pub(super) fn unlock(&self) -> Result<(), CacheError> {
        self.file
            .unlock()
            .map_err(|error| system(&self.path, error))
    }

    /// Cuts off a partial record of a killed writer. The file must be locked and scanned.
    pub(super) fn mend(&mut self) -> Result<(), CacheError> {
        self.file
            .set_len(self.end)
            .map_err(|error| system(&self.path, error))
    }

    /// Calls `each` with key, offset and length of every complete record since the last scan.
    pub(super) fn scan(&mut self, mut each: impl FnMut(u128, u64, u16)) -> Result<(), CacheError> {
        let mut at = self.end + 18;
        self.scan_answers(|key, answer| {
            each(key, at, answer.len() as u16);
            at += (FRAME + answer.len()) as u64;
        })
    }

    /// Calls `each` with key and answer of every complete record since the last scan.
    pub(super) fn scan_answers(
        &mut self,
        mut each: impl FnMut(u128, &[u8]),
    ) -> Result<(), CacheError> {
        let told = |error| system(&self.path, error);
        if self.file.metadata().map_err(told)?.len() <= self.end {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.end)).map_err(told)?;
        let (mut input, mut record) = (BufReader::with_capacity(1 << 16, &self.file), Vec::new());
        while read_record(&mut input, &mut record).map_err(told)? {
            let (key, answer) = parts(&record);
            each(key, answer);
            self.end += record.len() as u64;
        }
        Ok(())
    }

    /// Appends records, all or none, and calls `each` as [`scan`](Self::scan) does.
    pub(super) fn append(
        &mut self,
        records: &[(u128, Vec<u8>)],
        sync: bool,
        mut each: impl FnMut(u128, u64, u16),
    ) -> Result<(), CacheError> {
        let mut bytes = Vec::new();
        for (key, answer) in records {
            put_record(*key, answer, &mut bytes);
        }
        let write = || {
            (&self.file).seek(SeekFrom::Start(self.end))?;
            (&self.file).write_all(&bytes)?;
            if sync { self.file.sync_data() } else { Ok(()) }
        };
        if let Err(error) = write() {
            // keep nothing of a failed batch; if this fails too, readers stop there
            let _ = self.file.set_len(self.end);
            return Err(system(&self.path, error));
        }
        for (key, answer) in records {
            each(*key, self.end + 18, answer.len() as u16);
            self.end += (FRAME + answer.len()) as u64;
        }
        Ok(())
    }

    /// Reads an answer; `None` if its checksum fails, because the file was modified.
    pub(super) fn read(
        &self,
        key: u128,
        at: u64,
        length: u16,
    ) -> Result<Option<Vec<u8>>, CacheError> {
        let mut record = vec![0; FRAME + usize::from(length)];
        let mut read = || {
            (&self.file).seek(SeekFrom::Start(at - 18))?;
            (&self.file).read_exact(&mut record)
        };
        match read() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            result => result.map_err(|error| system(&self.path, error))?,
        }
        let (found, answer) = parts(&record);
        let is_whole = checksum(&record) && found == key && record[..2] == length.to_le_bytes();
        Ok(is_whole.then(|| answer.to_vec()))
    }

    /// Number of bytes after the last complete record, which may be in the making or from a killed writer.
    pub(super) fn unfinished(&self) -> Result<u64, CacheError> {
        let length = self
            .file
            .metadata()
            .map_err(|error| system(&self.path, error))?
            .len();
        Ok(length.saturating_sub(self.end))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn system(path: &Path, error: io::Error) -> CacheError {
    CacheError::System {
        path: path.to_owned(),
        error,
    }
}

fn put_record(key: u128, answer: &[u8], bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    bytes.extend((answer.len() as u16).to_le_bytes());
    bytes.extend(key.to_le_bytes());
    bytes.extend(answer);
    let crc = crc32fast::hash(&bytes[begin..]);
    bytes.extend(crc.to_le_bytes());
}

/// Reads the next complete record; returns `false` at the end or at an invalid record.
fn read_record(input: &mut impl Read, record: &mut Vec<u8>) -> io::Result<bool> {
    record.resize(2, 0);
    if !fill(input, record)? {
        return Ok(false);
    }
    let length = usize::from(u16::from_le_bytes([record[0], record[1]]));
    record.resize(FRAME + length, 0);
    Ok(fill(input, &mut record[2..])? && checksum(record))
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn checksum(record: &[u8]) -> bool {
    record
        .split_last_chunk()
        .is_some_and(|(rest, crc)| crc32fast::hash(rest) == u32::from_le_bytes(*crc))
}

/// Key and answer of a complete record.
fn parts(record: &[u8]) -> (u128, &[u8]) {
    let key = record[2..18].first_chunk().expect("sixteen bytes");
    (u128::from_le_bytes(*key), &record[18..record.len() - 4])
}
