//! Errors of file access, in one line.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An I/O error of a file.
#[derive(Debug, Error)]
pub enum FileError {
    /// a file cannot be opened or read
    #[error("cannot read {}: {}", path.display(), plain(source))]
    Read {
        /// the file
        path: PathBuf,
        /// the error of the system
        source: io::Error,
    },
    /// a file cannot be written
    #[error("cannot write {}: {}", path.display(), plain(source))]
    Write {
        /// the file
        path: PathBuf,
        /// the error of the system
        source: io::Error,
    },
}

impl FileError {
    /// The error for a file that cannot be opened or read.
    pub fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Read {
            path: path.into(),
            source,
        }
    }

    /// The error for a file that cannot be written.
    pub fn write(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Write {
            path: path.into(),
            source,
        }
    }
}

/// Common errors in words, without the error number of the system.
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
