//! Files and streams that are read up to a limit: a device that never ends, or a sparse file that is larger than the memory, is refused.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::progress::Progress;

use crate::error::Error;
use crate::system::SystemError;

/// No network has more bytes.
pub(crate) const MOST_OF_NETWORK: u64 = 4 << 30;

/// Bytes that are read at a time where nothing is kept of them.
const CHUNK: usize = 1 << 16;

/// Progress is shown while files of more bytes are read.
const LARGE: u64 = 64 << 20;

/// A file, opened, that ends with an error if it goes on after a number of bytes.
pub(crate) struct Bounded {
    file: File,
    left: u64,
    most: u64,
    progress: Option<Progress>,
}

/// Opens the file at `path` to read at most `most` bytes. One that is known to have more is refused at once.
pub(crate) fn open(path: &Path, most: u64) -> Result<Bounded, Error> {
    let failed = |source| Error::from(SystemError::read(path, source));
    let file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    if found.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let size = found.len();
    if found.is_file() && size > most {
        return Err(failed(too_large(most)));
    }
    let progress = (found.is_file() && size > LARGE).then(|| Progress::bytes("reading", size));
    Ok(Bounded {
        file,
        left: most,
        most,
        progress,
    })
}

/// The contents of the file at `path`, of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    contents(open(path, most)?, most).map_err(|source| SystemError::read(path, source).into())
}

/// What is left of `file`, at most `most` bytes.
pub(crate) fn contents(file: Bounded, most: u64) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    file.take(most + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > most {
        Err(too_large(most))
    } else {
        Ok(contents)
    }
}

/// How many bytes the file at `path` has, at most `most`, and its last bytes, at most `tail`. It is not held in memory.
pub(crate) fn end(path: &Path, most: u64, tail: usize) -> Result<(u64, Vec<u8>), Error> {
    let failed = |source| Error::from(SystemError::read(path, source));
    let mut file = open(path, most)?;
    // Where the file can be, it is read from just before its end.
    let skipped = file
        .file
        .metadata()
        .map_or(0, |found| found.len().saturating_sub(tail as u64));
    let mut size = if skipped > 0 {
        file.file.seek(SeekFrom::Start(skipped)).map_err(failed)?
    } else {
        0
    };
    let (mut end, mut buffer) = (Vec::new(), vec![0; CHUNK]);
    loop {
        let bytes = file.read(&mut buffer).map_err(failed)?;
        if bytes == 0 {
            return Ok((size, end));
        }
        size += bytes as u64;
        end.extend_from_slice(&buffer[..bytes]);
        end.drain(..end.len().saturating_sub(tail));
    }
}

/// The error for what goes on after `most` bytes.
pub(crate) fn too_large(most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has more than {most} bytes, the most that can be meant"),
    )
}

impl Bounded {
    /// The file, to look at it first.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One byte more than allowed shows whether the source goes on.
        let most = usize::try_from(self.left.saturating_add(1))
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let bytes = self.file.read(&mut buffer[..most])?;
        self.left = self
            .left
            .checked_sub(bytes as u64)
            .ok_or_else(|| too_large(self.most))?;
        if let Some(progress) = &self.progress {
            progress.advance(bytes as u64);
        }
        Ok(bytes)
    }
}
