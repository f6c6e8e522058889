//! What can go wrong between a program and a file, in one line.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The system refuses.
#[derive(Debug, Error)]
pub enum FileError {
    /// a file cannot be opened or read
    #[error("cannot read {}: {}", path.display(), plain(source))]
    Read {
        /// the file
        path: PathBuf,
        /// what the system says
        source: io::Error,
    },
    /// a file cannot be written
    #[error("cannot write {}: {}", path.display(), plain(source))]
    Write {
        /// the file
        path: PathBuf,
        /// what the system says
        source: io::Error,
    },
}

impl FileError {
    /// The file `path` cannot be opened or read.
    pub fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Read {
            path: path.into(),
            source,
        }
    }

    /// The file `path` cannot be written.
    pub fn write(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Write {
            path: path.into(),
            source,
        }
    }
}

/// The usual errors in words, without the number that the system gives them.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::InvalidData => "it is not text".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        _ => error.to_string(),
    }
}
