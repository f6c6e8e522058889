//! Compressed files: gzip and zstd, known by their first bytes, one stream after the other.
//!
//! ```
//! use nnue_data::{Format, Reader, compressed};
//!
//! let text = &b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0\n"[..]; // or this, compressed
//! let (bytes, fate) = compressed::open(text);
//! let records = fate.follow(Reader::new(Format::Text, bytes));
//! assert_eq!(records.count(), 1);
//! ```
//!
//! A fault of the compression is reported once, after all records before it, with its place in the compressed
//! file; then the records end. Memory is bounded: a zstd stream with a window of more than 128 MiB is refused.

use std::fmt;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::{Fault, Place, ReadError, Unit};

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The first bytes of zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The largest window of zstd, as a power of two: that of `zstd -d`.
const WINDOW: u32 = 27;

/// The bytes of a file, decompressed if they are compressed, and the [`Fate`] of the compression.
pub fn open<R: Read>(input: R) -> (Bytes<R>, Fate) {
    let fate = Fate::default();
    let bytes = Bytes {
        state: State::Closed(input),
        fate: fate.clone(),
    };
    (bytes, fate)
}

/// An error if a file is compressed: a part of it cannot be read without what comes before.
#[cfg(feature = "rescore")]
pub(crate) fn refuse(input: &mut impl Read) -> io::Result<()> {
    let mut first = Vec::with_capacity(ZSTD.len());
    input.take(ZSTD.len() as u64).read_to_end(&mut first)?;
    if first.starts_with(&GZIP) || first.starts_with(&ZSTD) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "it is compressed, so that it has no parts: decompress it first",
        ));
    }
    Ok(())
}

/// The decompressed bytes of a file. They end at the first fault of the compression.
#[derive(Debug)]
pub struct Bytes<R> {
    state: State<R>,
    fate: Fate,
}

/// Input whose first bytes have been looked at.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

enum State<R> {
    /// nothing has been read
    Closed(R),
    Plain(Peeked<R>),
    Gzip(Box<MultiGzDecoder<BufReader<Counted<R>>>>),
    Zstd(Box<ZstdDecoder<'static, BufReader<Counted<R>>>>),
    Ended,
}

impl<R> fmt::Debug for State<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed(_) => "Closed",
            Self::Plain(_) => "Plain",
            Self::Gzip(_) => "Gzip",
            Self::Zstd(_) => "Zstd",
            Self::Ended => "Ended",
        })
    }
}

/// Counts compressed bytes, and keeps errors of the system apart from faults of the compression.
struct Counted<R> {
    input: Peeked<R>,
    fate: Fate,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes);
        self.fate.with(|found| match &read {
            Ok(read) => found.read += *read as u64,
            Err(error) => found.is_of_system |= error.kind() != io::ErrorKind::Interrupted,
        });
        read
    }
}

impl<R: Read> State<R> {
    /// Looks at the first bytes.
    fn open(mut input: R, fate: &Fate) -> io::Result<Self> {
        let mut first = Vec::with_capacity(ZSTD.len());
        input
            .by_ref()
            .take(ZSTD.len() as u64)
            .read_to_end(&mut first)?;
        let (is_gzip, is_zstd) = (first.starts_with(&GZIP), first.starts_with(&ZSTD));
        let input = Cursor::new(first).chain(input);
        if !is_gzip && !is_zstd {
            return Ok(Self::Plain(input));
        }
        let fate = fate.clone();
        let counted = BufReader::with_capacity(1 << 16, Counted { input, fate });
        if is_gzip {
            return Ok(Self::Gzip(Box::new(MultiGzDecoder::new(counted))));
        }
        let mut decoder = ZstdDecoder::with_buffer(counted)?;
        decoder.window_log_max(WINDOW)?;
        Ok(Self::Zstd(Box::new(decoder)))
    }

    const fn method(&self) -> &'static str {
        match self {
            Self::Gzip(_) => "gzip",
            _ => "zstd",
        }
    }
}

impl<R: Read> Read for Bytes<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if matches!(self.state, State::Closed(_))
            && let State::Closed(input) = std::mem::replace(&mut self.state, State::Ended)
        {
            self.state = State::open(input, &self.fate)?;
        }
        let read = match &mut self.state {
            State::Plain(input) => return input.read(bytes),
            State::Gzip(decoder) => decoder.read(bytes),
            State::Zstd(decoder) => decoder.read(bytes),
            State::Closed(_) | State::Ended => Ok(0),
        };
        match read {
            Err(error) if self.fate.is_damage(&error) => {
                self.fate.tell(self.state.method(), &error);
                self.state = State::Ended;
                Ok(0)
            }
            read => read,
        }
    }
}

/// What became of the compression of a file.
#[derive(Clone, Debug, Default)]
pub struct Fate(Arc<Mutex<Found>>);

#[derive(Debug, Default)]
struct Found {
    /// compressed bytes that were read
    read: u64,
    /// whether the file could not be read
    is_of_system: bool,
    fault: Option<Fault>,
}

impl Fate {
    /// `records` of the decompressed bytes, followed by the fault of the compression, if there is one.
    pub const fn follow<I>(self, records: I) -> Followed<I> {
        Followed {
            records,
            fate: self,
            ended: false,
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Found) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_damage(&self, error: &io::Error) -> bool {
        error.kind() != io::ErrorKind::Interrupted && !self.with(|found| found.is_of_system)
    }

    fn tell(&self, method: &'static str, error: &io::Error) {
        let why = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it ends too early".into(),
            _ => error.to_string(),
        };
        self.with(|found| found.fault = Some(Fault::Compressed { method, why }));
    }

    /// Takes the fault, so that it is reported once.
    fn take(&self) -> Option<ReadError> {
        let (fault, offset) = self.with(|found| (found.fault.take(), found.read));
        let place = Place {
            unit: Unit::Compressed,
            number: 1,
            offset,
        };
        fault.map(|fault| ReadError::Damaged { place, fault })
    }
}

/// Records of decompressed bytes.
#[derive(Debug)]
pub struct Followed<I> {
    records: I,
    fate: Fate,
    ended: bool,
}

impl<I> Followed<I> {
    /// What reads the decompressed bytes.
    pub const fn get_ref(&self) -> &I {
        &self.records
    }
}

impl<T, I: Iterator<Item = Result<T, ReadError>>> Iterator for Followed<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.ended {
            return None;
        }
        let next = self.records.next();
        if matches!(next, Some(Ok(_))) {
            return next;
        }
        // what the reader misses at the end of its bytes follows from the fault
        let fault = self.fate.take();
        self.ended = fault.is_some() || next.is_none();
        fault.map(Err).or(next)
    }
}
