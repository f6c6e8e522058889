//! What can go wrong: in one line, or as a compiler shows it.

use std::io;
use std::path::PathBuf;

use nnue_command::system::{CommandError, SystemError};
use nnue_data::{Format, ReadError, WriteError};
use thiserror::Error;

/// An error of the command.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// the system refuses
    #[error(transparent)]
    System(#[from] SystemError),
    /// a file is damaged
    #[error("{}: {fault}; {kept}", path.display())]
    Damaged {
        /// the file
        path: PathBuf,
        /// what is wrong, and where
        fault: ReadError,
        /// what became of what was before it
        kept: String,
    },
    /// a format cannot say what a record says
    #[error("record {number} cannot be written to {} ({format}): {reason}", path.display())]
    Record {
        /// which of all records, counted from 1
        number: u64,
        /// the output
        path: PathBuf,
        /// its format
        format: Format,
        /// what has no room
        reason: WriteError,
    },
    /// a run that is resumed was begun with other data
    #[error("{} is not the file that the run was begun with: put that one back, or add --changed-data to go on with this one", path.display())]
    DataChanged {
        /// the file
        path: PathBuf,
    },
    /// a run cannot be begun or go on
    #[error("{0}")]
    Run(String),
    /// an argument means nothing
    #[error("{0}")]
    Argument(String),
}

impl From<io::Error> for Error {
    /// An error while writing to standard output.
    fn from(source: io::Error) -> Self {
        Self::System(source.into())
    }
}

impl CommandError for Error {
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::System(SystemError::Pipe))
    }
}
