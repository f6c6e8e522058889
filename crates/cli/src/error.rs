//! What can go wrong, each in one line.

use std::io;
use std::path::PathBuf;

use crate::system::{CommandError, SystemError};
use thiserror::Error;

/// An error of the command.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// the system refuses
    #[error(transparent)]
    System(#[from] SystemError),
    /// the network file cannot be loaded
    #[error("{}: {message}", path.display())]
    Network { path: PathBuf, message: String },
    /// a line of input is wrong
    #[error("{place}: {message}")]
    Input { place: String, message: String },
    /// an argument means nothing
    #[error("{0}")]
    Argument(String),
    /// levels, or incremental and fresh accumulators, differ
    #[error("{0}")]
    Mismatch(String),
    /// a backend cannot work
    #[cfg(feature = "backends")]
    #[error(transparent)]
    Backend(#[from] nnue_backend::Error),
    /// a training
    #[cfg(feature = "train")]
    #[error(transparent)]
    Train(#[from] nnue_train::run::Error),
    /// a file of training data is damaged
    #[cfg(feature = "train")]
    #[error("{}: {fault}; {kept}", path.display())]
    Damaged {
        path: PathBuf,
        fault: nnue_data::ReadError,
        /// what became of the positions before it
        kept: String,
    },
    /// a format has no room for what a record says
    #[cfg(feature = "train")]
    #[error("record {number} cannot be written to {} ({format}): {reason}", path.display())]
    Record {
        /// counted from 1
        number: u64,
        path: PathBuf,
        format: nnue_data::Format,
        reason: nnue_data::WriteError,
    },
    /// the declaration does not compile
    #[error("{0}")]
    Declaration(String),
}

impl Error {
    /// A command that this build lacks. The README's first command is built without it: its libraries take a quarter of a minute.
    #[cfg(not(feature = "graphs"))]
    pub(crate) fn without_graphs() -> Self {
        Self::Argument(
            "this `nnue` was built without graphs of PyTorch and ONNX: build it with `--features graphs`, as in `cargo run --release -p nnue-cli --features graphs -- import --help`"
                .into(),
        )
    }
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
