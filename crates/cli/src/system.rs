//! System errors of commands, each one line long.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use nnue_data::files::FileError;
use thiserror::Error;

use crate::note;

#[derive(Debug, Error)]
pub(crate) enum SystemError {
    /// the reader closed standard output, which is not an error
    #[error("")]
    Pipe,
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    #[error(transparent)]
    File(#[from] FileError),
}

impl SystemError {
    pub(crate) fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        FileError::read(path, source).into()
    }

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

/// An error of a command, which may be a system error.
pub(crate) trait CommandError: std::error::Error + From<io::Error> {
    /// Whether the reader closed standard output. The command then ends without an error.
    fn is_closed_pipe(&self) -> bool;
}

impl CommandError for SystemError {
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Pipe)
    }
}

/// Runs a command with standard output as `out`. Prints an error as a line on standard error.
pub(crate) fn run<E: CommandError>(
    command: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    match command(&mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // keep the output written before the error
            drop(out);
            note::line(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}
