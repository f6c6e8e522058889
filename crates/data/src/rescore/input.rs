//! The bytes of an input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::{ReadError, Record, compressed};

use crate::files::Digest;
use crate::files::regular::{self, Accepted};
use crate::rescore::error::Error;
use crate::rescore::job::{Input, is_standard};
use crate::rescore::share::Share;
use crate::rescore::watch::Watch;

/// The records of an input, with errors for the damaged places between them.
pub(crate) type Records<'j> = Box<dyn Iterator<Item = Result<Record, ReadError>> + Send + 'j>;

/// The size of a file in bytes; `None` for standard input and pipes. An error if it cannot be read at all.
pub(crate) fn size(path: &Path) -> Result<Option<u64>, Error> {
    if is_standard(path) {
        return Ok(None);
    }
    let found = Accepted::FileOrPipe
        .check(path)
        .map_err(|source| Error::read(path, source))?;
    Ok(found.is_file().then_some(found.len()))
}

/// The digest of an input; `None` if it is not a file.
pub(crate) fn digest(path: &Path) -> Result<Option<Digest>, Error> {
    if is_standard(path) {
        return Ok(None);
    }
    Digest::of_path(path).map_err(|source| Error::read(path, source))
}

pub(crate) fn bytes<'j>(
    input: &'j Input,
    share: Option<Share>,
    watch: &'j dyn Watch,
) -> Result<Box<dyn Read + Send + 'j>, Error> {
    if is_standard(&input.path) {
        return Ok(Box::new(Counted {
            input: io::stdin(),
            watch,
        }));
    }
    let mut file = open_file(&input.path)?;
    let Some(share) = share else {
        return Ok(Box::new(Counted { input: file, watch }));
    };
    let mut part = || {
        compressed::refuse(&mut file)?;
        let bytes = share.bytes(&mut file, input.format)?;
        file.seek(SeekFrom::Start(bytes.start))?;
        Ok(bytes.end - bytes.start)
    };
    let size = part().map_err(|source| Error::read(&input.path, source))?;
    Ok(Box::new(Counted {
        input: file.take(size),
        watch,
    }))
}

pub(crate) fn open_file(path: &Path) -> Result<File, Error> {
    regular::read_or_pipe(path).map_err(|source| Error::read(path, source))
}

/// Reports the bytes that are read.
struct Counted<'j, R> {
    input: R,
    watch: &'j dyn Watch,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.watch.read(read as u64);
        Ok(read)
    }
}
