//! Both ends of a network file, decompressed.

use std::io::{self, Read};
use std::path::Path;

use nnue_format::signature::HEAD;
use nnue_tools::compression::{Bounds, Decompressed};

use super::search::Tail;
use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_NETWORK};
use crate::system::SystemError;

/// The most bytes after decompression, which take seconds.
const MOST: u64 = 1 << 30;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// What is known of a file without its contents.
pub(super) struct Ends {
    pub(super) size: u64,
    /// the first bytes, at most [`HEAD`]
    pub(super) head: Vec<u8>,
    /// the last bytes, at most [`Tail::MOST`]
    pub(super) tail: Vec<u8>,
}

impl Ends {
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        let file = bounded::open(path, MOST_OF_NETWORK)?;
        let bounds = Bounds {
            lead: 0,
            most: MOST,
        };
        let ends = Decompressed::open(file, bounds).and_then(Self::read);
        ends.map_err(|source| SystemError::read(path, source).into())
    }

    fn read(mut file: impl Read) -> io::Result<Self> {
        let (mut size, mut head, mut tail) = (0, Vec::new(), Vec::new());
        let mut buffer = vec![0; CHUNK];
        loop {
            let bytes = match file.read(&mut buffer) {
                Ok(0) => return Ok(Self { size, head, tail }),
                Ok(bytes) => &buffer[..bytes],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            size += bytes.len() as u64;
            head.extend(&bytes[..bytes.len().min(HEAD - head.len())]);
            tail.extend(bytes);
            tail.drain(..tail.len().saturating_sub(Tail::MOST));
        }
    }
}
