//! Reads files up to a limit: refuses devices that never end, and sparse files larger than the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{FileError, regular};

/// The most bytes of a network.
pub const MOST_OF_NETWORK: u64 = 4 << 30;

/// The most bytes of a source of declarations or a settings file.
pub const MOST_OF_SOURCE: u64 = 16 << 20;

/// An open file. Reading it fails if it has more bytes than the limit.
#[derive(Debug)]
pub struct Bounded {
    file: File,
    size: Option<u64>,
    left: u64,
    most: u64,
}

/// Opens the file at `path` to read at most `most` bytes. Larger files and devices are refused at once. A
/// pipe is accepted: shells give one for `<(..)`.
///
/// # Errors
///
/// If it cannot be opened, is neither a file nor a pipe, or is too large.
pub fn open(path: &Path, most: u64) -> Result<Bounded, FileError> {
    let failed = |source| FileError::read(path, source);
    let file = regular::read_or_pipe(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    let size = found.is_file().then_some(found.len());
    if size.is_some_and(|size| size > most) {
        return Err(failed(too_large(most)));
    }
    Ok(Bounded {
        file,
        size,
        left: most,
        most,
    })
}

/// Reads the file at `path`, of at most `most` bytes.
///
/// # Errors
///
/// As [`open`], or if it cannot be read.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    contents(open(path, most)?, most).map_err(|source| FileError::read(path, source))
}

/// Reads the text file at `path`, of at most `most` bytes.
///
/// # Errors
///
/// As [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| FileError::read(path, io::ErrorKind::InvalidData.into()))
}

/// Reads the rest of `file`, at most `most` bytes.
///
/// # Errors
///
/// If it cannot be read, or has more.
pub fn contents(file: impl Read, most: u64) -> io::Result<Vec<u8>> {
    at_most(file, most)?.ok_or_else(|| too_large(most))
}

/// Reads the rest of `source`; `None` if it has more than `most` bytes.
///
/// # Errors
///
/// If it cannot be read.
pub fn at_most(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut contents = Vec::new();
    source
        .take(most.saturating_add(1))
        .read_to_end(&mut contents)?;
    Ok((contents.len() as u64 <= most).then_some(contents))
}

/// The error for input with more than `most` bytes.
fn too_large(most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has more than {most} bytes, the most that can be meant"),
    )
}

impl Bounded {
    /// The open file, for example to query its metadata.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The length of a regular file; `None` for a pipe.
    pub fn size(&self) -> Option<u64> {
        self.size
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
        Ok(bytes)
    }
}
