//! Reads files up to a size limit, with a progress bar.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nnue_data::files::bounded;

use crate::error::Error;
use crate::progress::Progress;
use crate::system::SystemError;

pub(crate) use nnue_data::files::bounded::{MOST_OF_NETWORK, MOST_OF_SOURCE, contents};

/// Progress is shown for files larger than this.
const LARGE: u64 = 64 << 20;

/// An open file; reading past the limit is an error.
pub(crate) struct Bounded {
    file: bounded::Bounded,
    progress: Option<Progress>,
}

pub(crate) fn open(path: &Path, most: u64) -> Result<Bounded, Error> {
    let file = bounded::open(path, most).map_err(SystemError::from)?;
    let large = file.size().filter(|&size| size > LARGE);
    Ok(Bounded {
        file,
        progress: large.map(|size| Progress::bytes("reading", size)),
    })
}

pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    contents(open(path, most)?, most).map_err(|source| SystemError::read(path, source).into())
}

impl Bounded {
    /// The file, for a look at it before reading.
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
