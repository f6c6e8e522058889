//! The errors of the command, each one line long.

use std::io;
use std::path::PathBuf;

use crate::system::{CommandError, SystemError};
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("{}: {message}", path.display())]
    Network { path: PathBuf, message: String },
    #[error("{place}: {message}")]
    Input { place: String, message: String },
    #[error("{0}")]
    Argument(String),
    /// levels differ, or incremental and fresh accumulators
    #[error("{0}")]
    Mismatch(String),
    #[cfg(feature = "backends")]
    #[error(transparent)]
    Backend(#[from] nnue_backend::Error),
    #[cfg(feature = "train")]
    #[error(transparent)]
    Train(#[from] nnue_train::run::Error),
    /// a damaged file of training data
    #[cfg(feature = "train")]
    #[error("{}: {fault}; {kept}", path.display())]
    Damaged {
        path: PathBuf,
        fault: nnue_data::ReadError,
        /// what became of the positions before it
        kept: String,
    },
    /// a record that the format cannot represent
    #[cfg(feature = "train")]
    #[error("record {number} cannot be written to {} ({format}): {reason}{}", path.display(), advice(reason))]
    Record {
        number: u64,
        path: PathBuf,
        format: nnue_data::Format,
        reason: nnue_data::WriteError,
    },
    #[error("{0}")]
    Declaration(String),
}

impl Error {
    /// A command missing from this build: the libraries of graphs add a quarter of a minute to the README's
    /// first command.
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

/// What can be done about a record that a format cannot represent.
#[cfg(feature = "train")]
fn advice(reason: &nnue_data::WriteError) -> &'static str {
    match reason {
        nnue_data::WriteError::Chess960 { .. } => "; --drop-castling writes it without",
        _ => "",
    }
}
