//! Errors of caches.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Bytes that are not a valid policy or answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("damaged: {0}")]
pub struct Damaged(pub(super) &'static str);

/// Why the files of a cache cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// an I/O error
    #[error("{}: {error}", .path.display())]
    System {
        /// the file
        path: PathBuf,
        /// the error
        error: io::Error,
    },
    /// not a cache file
    #[error("{}: this is no file of a cache: it begins with {found:02x?}", .path.display())]
    Foreign {
        /// the file
        path: PathBuf,
        /// its first bytes
        found: Vec<u8>,
    },
    /// another version of the format
    #[error("{}: version {found} of the format, this program knows {known}{}", .path.display(), advice(*.found))]
    Version {
        /// the file
        path: PathBuf,
        /// its version
        found: u32,
        /// the supported version
        known: u32,
    },
    /// the file has answers of another backend
    #[error("{}: {difference}; name another file, or ask as it was asked", .path.display())]
    Other {
        /// the file
        path: PathBuf,
        /// the difference
        difference: Difference,
    },
}

/// A difference between a file and a cache.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Difference {
    /// the backend: its network or its options
    #[error(
        "answers of {found:032x}, this backend is {expected:032x}: another network, or other options of it"
    )]
    Backend {
        /// digest in the file
        found: u128,
        /// digest of the backend
        expected: u128,
    },
    /// an option of the cache
    #[error("its answers are kept with {option}={found}, this cache has {option}={expected}")]
    Option {
        /// the option
        option: &'static str,
        /// its value in the file
        found: String,
        /// its value in this cache
        expected: String,
    },
}

const fn advice(version: u32) -> &'static str {
    match version {
        1 => {
            "; version 1 does not say for which `history` its answers are: name another file, or remove this one"
        }
        _ => "",
    }
}
