//! What can go wrong, each in one line.

use std::io;
use std::path::PathBuf;

use nnue_command::system::{CommandError, SystemError};
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
    /// a training or its data
    #[cfg(feature = "train")]
    #[error(transparent)]
    Train(nnue_train::command::Error),
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

#[cfg(feature = "train")]
impl From<nnue_train::command::Error> for Error {
    fn from(error: nnue_train::command::Error) -> Self {
        match error {
            nnue_train::command::Error::System(error) => Self::System(error),
            other => Self::Train(other),
        }
    }
}

impl CommandError for Error {
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::System(SystemError::Pipe))
    }
}
