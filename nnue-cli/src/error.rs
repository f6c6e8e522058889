//! What can go wrong, each in one line.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error of the command.
#[derive(Debug)]
pub(crate) enum Error {
    /// the reader of our output has gone away: no error at all
    Pipe,
    /// standard output cannot be written
    Output(io::Error),
    /// a file cannot be opened or read
    File { path: PathBuf, source: io::Error },
    /// a file cannot be written
    Write { path: PathBuf, source: io::Error },
    /// the network file cannot be loaded
    Network { path: PathBuf, message: String },
    /// an argument means nothing
    Argument(String),
    /// a line of input is wrong
    Input { place: String, message: String },
    /// levels, or incremental and fresh accumulators, differ
    Mismatch(String),
    /// the declaration does not compile
    Declaration(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pipe => Ok(()),
            Self::Output(source) => write!(f, "cannot write to standard output: {source}"),
            Self::File { path, source } => write!(f, "cannot read {}: {}", path.display(), plain(source)),
            Self::Write { path, source } => write!(f, "cannot write {}: {}", path.display(), plain(source)),
            Self::Network { path, message } => write!(f, "{}: {message}", path.display()),
            Self::Input { place, message } => write!(f, "{place}: {message}"),
            Self::Argument(message) | Self::Mismatch(message) | Self::Declaration(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    /// An error while writing to standard output.
    fn from(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe { Self::Pipe } else { Self::Output(source) }
    }
}

/// The usual errors in words, without the number that the system gives them.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::InvalidData => "it is not text".into(),
        _ => error.to_string(),
    }
}
