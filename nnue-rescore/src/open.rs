//! An input as a sequence of records.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nnue_data::text::fens;
use nnue_data::{Outcome, ReadError, Reader, Record};

use crate::error::Error;
use crate::format::FileFormat;
use crate::job::{Input, is_standard};
use crate::watch::Watch;

/// The records of an input, and damaged places between them.
pub(crate) type Records<'j> = Box<dyn Iterator<Item = Result<Record, ReadError>> + Send + 'j>;

/// How many bytes a file has; `None` of standard input and of pipes. An error if it cannot be read at all.
pub(crate) fn size(path: &Path) -> Result<Option<u64>, Error> {
    if is_standard(path) {
        return Ok(None);
    }
    let found = std::fs::metadata(path).map_err(|source| Error::read(path, source))?;
    if found.is_dir() {
        return Err(Error::read(path, io::ErrorKind::IsADirectory.into()));
    }
    Ok(found.is_file().then_some(found.len()))
}

/// Opens an input. Positions of files that do not say how games ended get `outcome`.
pub(crate) fn open<'j>(input: &'j Input, outcome: Option<Outcome>, watch: &'j dyn Watch) -> Result<Records<'j>, Error> {
    let no_outcome = || Error::NoOutcome { path: input.path.clone(), format: input.format };
    let bytes: Box<dyn Read + Send> = if is_standard(&input.path) {
        Box::new(Counted { input: io::stdin(), watch })
    } else {
        Box::new(Counted { input: open_file(&input.path)?, watch })
    };
    Ok(match input.format {
        FileFormat::Data(format) => Box::new(Reader::new(format, bytes)),
        FileFormat::Fens => {
            let records = fens::Reader::new(bytes, outcome.ok_or_else(no_outcome)?);
            Box::new(records.map(|read| read.map(unrated)))
        }
    })
}

fn open_file(path: &Path) -> Result<File, Error> {
    File::open(path).map_err(|source| Error::read(path, source))
}

/// A position of a file without scores is not one whose score was left out: it gets one like all others.
const fn unrated(record: Record) -> Record {
    Record { score: 0, ..record }
}

/// Reads bytes and says so.
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
