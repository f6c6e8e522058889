//! What can go wrong between a command and the system, each in one line.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use nnue_data::files::FileError;
use thiserror::Error;

use crate::note;

/// The system refuses.
#[derive(Debug, Error)]
pub(crate) enum SystemError {
    /// whoever reads standard output has closed it: not an error
    #[error("")]
    Pipe,
    /// standard output cannot be written
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// a file cannot be read or written
    #[error(transparent)]
    File(#[from] FileError),
}

impl SystemError {
    /// The file `path` cannot be opened or read.
    pub(crate) fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        FileError::read(path, source).into()
    }

    /// The file `path` cannot be written.
    pub(crate) fn write(path: impl Into<PathBuf>, source: io::Error) -> Self {
        FileError::write(path, source).into()
    }
}

impl From<io::Error> for SystemError {
    /// An error while writing to standard output.
    fn from(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            Self::Pipe
        } else {
            Self::Output(source)
        }
    }
}

/// An error of a command, which may be one of the system.
pub(crate) trait CommandError: std::error::Error + From<io::Error> {
    /// True if whoever reads standard output has closed it. The command has nothing more to do then, and did nothing wrong.
    fn is_closed_pipe(&self) -> bool;
}

impl CommandError for SystemError {
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Pipe)
    }
}

/// Runs a command, which writes to `out`, standard output. An error is a line on standard error.
pub(crate) fn run<E: CommandError>(
    command: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    match command(&mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // what was written before the error belongs to the user too
            drop(out);
            note::line(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}
