//! Files that are read up to a limit, with a bar that shows how far reading has come.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nnue_data::files::bounded;

use crate::error::Error;
use crate::progress::Progress;
use crate::system::SystemError;

pub(crate) use nnue_data::files::bounded::{MOST_OF_NETWORK, MOST_OF_SOURCE, contents};

/// Progress is shown while files of more bytes are read.
const LARGE: u64 = 64 << 20;

/// A file, opened, that ends with an error if it goes on after a number of bytes.
pub(crate) struct Bounded {
    file: bounded::Bounded,
    progress: Option<Progress>,
}

/// Opens the file at `path` to read at most `most` bytes.
pub(crate) fn open(path: &Path, most: u64) -> Result<Bounded, Error> {
    let file = bounded::open(path, most).map_err(SystemError::from)?;
    let large = file.size().filter(|&size| size > LARGE);
    Ok(Bounded {
        file,
        progress: large.map(|size| Progress::bytes("reading", size)),
    })
}

/// The contents of the file at `path`, of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    contents(open(path, most)?, most).map_err(|source| SystemError::read(path, source).into())
}

/// How many bytes the file at `path` has, at most `most`, and its last bytes, at most `tail`. It is not held in memory.
pub(crate) fn end(path: &Path, most: u64, tail: usize) -> Result<(u64, Vec<u8>), Error> {
    Ok(bounded::end(path, most, tail).map_err(SystemError::from)?)
}

impl Bounded {
    /// The file, to look at it first.
    pub(crate) fn file(&self) -> &File {
        self.file.file()
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        if let Some(progress) = &self.progress {
            progress.advance(bytes as u64);
        }
        Ok(bytes)
    }
}
