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
        /// the file, from the root of the file system
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
    /// The error for a file that cannot be opened or read. A relative path becomes the one that was looked at.
    pub fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        let path = std::path::absolute(&path).unwrap_or(path);
        Self::Read { path, source }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_cannot_be_read_are_named_by_their_whole_path() {
        let folder = std::env::current_dir().expect("tests have a folder");
        let error = FileError::read("nets/missing.nnue", io::ErrorKind::NotFound.into());
        let path = folder.join("nets/missing.nnue");
        assert_eq!(
            error.to_string(),
            format!("cannot read {}: no such file", path.display())
        );
        let error = FileError::read("", io::ErrorKind::NotFound.into());
        assert_eq!(error.to_string(), "cannot read : no such file");
    }
}
