//! Errors of rescoring.

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
    /// the output cannot be made from this input
    #[error("{}: {reason}", path.display())]
    Input {
        /// the input
        path: PathBuf,
        /// what is wrong with it
        reason: String,
    },
    /// neither an input nor the job says how games ended
    #[error("{}: {format} does not say how games ended: name the outcome that its positions are to have", path.display())]
    NoOutcome {
        /// the input
        path: PathBuf,
        /// its format
        format: FileFormat,
    },
    /// neither a table nor the job says how games ended
    #[error("{}: no column `outcome` (1, 0, -1 for the side to move) or `result` (1-0, 1/2-1/2, 0-1): name the outcome that all positions are to have", path.display())]
    NoColumn {
        /// the input
        path: PathBuf,
    },
    /// the feature `arrow` of this crate is disabled
    #[error("this program was built without tables, as {0} is")]
    NotBuilt(TableFormat),
    /// the format of the output cannot express a record
    #[error("record {number}, for {}: {reason}", path.display())]
    Record {
        /// the number of the record among all that were read, counted from 1
        number: u64,
        /// the output
        path: PathBuf,
        /// why it cannot be expressed
        reason: WriteError,
    },
    /// earlier work is unfinished, and the job does not resume it
    #[error("{} says that {} was begun and not finished: resume it, or remove both files", state.display(), output.display())]
    Begun {
        /// the state of that work
        state: PathBuf,
        /// its output
        output: PathBuf,
    },
    /// the file beside the output is not a state
    #[error("{} is no state of `nnue rescore`: {reason}", path.display())]
    NoState {
        /// the file
        path: PathBuf,
        /// what is wrong
        reason: &'static str,
    },
    /// the name of the unfinished output is taken by a file that this job did not make
    #[error("{} is there already, and no unfinished output of this job: move it away, or name another output", path.display())]
    NotOurs {
        /// where the unfinished output would be
        path: PathBuf,
    },
    /// an input has changed since the work began
    #[error("{} is not the file that the work in {} was begun with: put that one back, or ask for the data to be changed", path.display(), state.display())]
    InputChanged {
        /// the input
        path: PathBuf,
        /// the state of that work
        state: PathBuf,
    },
    /// the state beside the output belongs to other work
    #[error("{} was begun with another network, other files or other options: name another output, or remove the file", path.display())]
    OtherWork {
        /// the state
        path: PathBuf,
    },
    /// the unfinished output is shorter than its state says, or missing
    #[error("{} should have {expected} bytes, as its state says, and has {found}", path.display())]
    Shorter {
        /// the unfinished output
        path: PathBuf,
        /// complete bytes, according to the state
        expected: u64,
        /// the length of the file
        found: u64,
    },
    /// the unfinished output was changed after an earlier run
    #[error("{} was changed since it was begun: {source}", path.display())]
    Changed {
        /// the unfinished output
        path: PathBuf,
        /// what is wrong with it
        source: std::io::Error,
    },
    /// the inputs have fewer positions than were read before
    #[error("the inputs end after {found} positions, of which {expected} had been read before")]
    InputsEnd {
        /// the number that was read before
        expected: u64,
        /// the number that is there now
        found: u64,
    },
    /// an input cannot be read in parts
    #[error("part {share}: {reason}")]
    Share {
        /// the part
        share: Share,
        /// the reason
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
