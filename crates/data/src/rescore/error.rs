//! What can go wrong.

use std::path::PathBuf;

use crate::WriteError;
use crate::files::FileError;
use thiserror::Error;

use crate::rescore::format::{FileFormat, TableFormat};
use crate::rescore::share::Share;

/// Why positions were not rescored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// a file cannot be read or written
    #[error(transparent)]
    File(#[from] FileError),
    /// standard output cannot be written
    #[error("cannot write to standard output: {0}")]
    StandardOutput(std::io::Error),
    /// the output cannot be made of this input
    #[error("{}: {reason}", path.display())]
    Input {
        /// the input
        path: PathBuf,
        /// what is wrong with it
        reason: String,
    },
    /// an input does not say how games ended, and the job does not either
    #[error("{}: {format} does not say how games ended: name the outcome that its positions are to have", path.display())]
    NoOutcome {
        /// the input
        path: PathBuf,
        /// its format
        format: FileFormat,
    },
    /// a table does not say how games ended, and the job does not either
    #[error("{}: no column `outcome` (1, 0, -1 for the side to move) or `result` (1-0, 1/2-1/2, 0-1): name the outcome that all positions are to have", path.display())]
    NoColumn {
        /// the input
        path: PathBuf,
    },
    /// the feature `arrow` of this crate is not chosen
    #[error("this program was built without tables, as {0} is")]
    NotBuilt(TableFormat),
    /// the format of the output has no room for a record
    #[error("record {number}, for {}: {reason}", path.display())]
    Record {
        /// which of all records that were read, counted from 1
        number: u64,
        /// the output
        path: PathBuf,
        /// what has no room
        reason: WriteError,
    },
    /// work was begun that the job does not resume
    #[error("{} says that {} was begun and not finished: resume it, or remove both files", state.display(), output.display())]
    Begun {
        /// the state of that work
        state: PathBuf,
        /// its output
        output: PathBuf,
    },
    /// the state beside the output is none
    #[error("{} is no state of `nnue rescore`: {reason}", path.display())]
    NoState {
        /// the file
        path: PathBuf,
        /// what is wrong
        reason: &'static str,
    },
    /// something has the name of the unfinished output that this job did not make
    #[error("{} is there already, and no unfinished output of this job: move it away, or name another output", path.display())]
    NotOurs {
        /// where the unfinished output would be
        path: PathBuf,
    },
    /// an input is not what it was when the work was begun
    #[error("{} is not the file that the work in {} was begun with: put that one back, or ask for the data to be changed", path.display(), state.display())]
    InputChanged {
        /// the input
        path: PathBuf,
        /// the state of that work
        state: PathBuf,
    },
    /// the state beside the output is of other work
    #[error("{} was begun with another network, other files or other options: name another output, or remove the file", path.display())]
    OtherWork {
        /// the state
        path: PathBuf,
    },
    /// the unfinished output is shorter than its state says, or not there
    #[error("{} should have {expected} bytes, as its state says, and has {found}", path.display())]
    Shorter {
        /// the unfinished output
        path: PathBuf,
        /// bytes that are whole, as the state says
        expected: u64,
        /// bytes that are there
        found: u64,
    },
    /// the unfinished output is not what a run before has left
    #[error("{} was changed since it was begun: {source}", path.display())]
    Changed {
        /// the unfinished output
        path: PathBuf,
        /// what is wrong with it
        source: std::io::Error,
    },
    /// the inputs have fewer positions than had been read before
    #[error("the inputs end after {found} positions, of which {expected} had been read before")]
    InputsEnd {
        /// as the state says
        expected: u64,
        /// as they are now
        found: u64,
    },
    /// an input of which only a part is to be read cannot be shared
    #[error("part {share}: {reason}")]
    Share {
        /// the part
        share: Share,
        /// why
        reason: String,
    },
    /// standard input cannot be read twice
    #[error("standard input cannot be read from its beginning again: name a file to resume")]
    StandardInput,
}

impl Error {
    pub(crate) fn read(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        FileError::read(path, source).into()
    }

    pub(crate) fn write(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        FileError::write(path, source).into()
    }
}
