//! Errors of runs: one line each, or an excerpt of the run's file with the wrong token underlined.

use std::path::PathBuf;

use nnue_data::ReadError;
use nnue_data::files::FileError;
use nnue_data::rows::RecordError;
use nnue_runtime::NotFollowed;
use thiserror::Error;

/// A run that cannot start or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of training data is damaged.
    #[error("{}: {fault}; the last checkpoint is unchanged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault and its place.
        fault: ReadError,
    },
    /// A resumed run was started with other data.
    #[error("{} has changed since the run began: restore it, or continue with --changed-data", path.display())]
    DataChanged {
        /// The file.
        path: PathBuf,
    },
    /// A record in memory is refused.
    #[error("{}record {index}: {fault}", if *is_validation { "validation " } else { "" })]
    Record {
        /// Its index in the list of records.
        index: usize,
        /// Whether it is of the list for validation.
        is_validation: bool,
        /// Why it is refused.
        fault: RecordError,
    },
    /// The observer has stopped the run. Its last checkpoint, of this batch but with a dense input, is kept.
    #[error("the run was stopped")]
    Stopped,
    /// The level that `NNUE_LEVEL` names does not exist, or the processor does not have it.
    #[error(transparent)]
    Level(#[from] NotFollowed),
    /// Any other error: a wrong key in the run's file, a network that cannot be trained, a loss that is not
    /// finite.
    #[error("{0}")]
    Run(String),
}
