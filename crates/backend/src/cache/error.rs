//! What can be wrong with bytes and files of a cache.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Bytes that are no policy, or no answer, of this coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("damaged: {0}")]
pub struct Damaged(pub(super) &'static str);

/// Why the files of a cache cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// the system refuses
    #[error("{}: {error}", .path.display())]
    System {
        /// the file
        path: PathBuf,
        /// why
        error: io::Error,
    },
    /// the file is none of a cache
    #[error("{}: this is no file of a cache: it begins with {found:02x?}", .path.display())]
    Foreign {
        /// the file
        path: PathBuf,
        /// its first bytes
        found: Vec<u8>,
    },
    /// the file is of another version of the format
    #[error("{}: version {found} of the format, this program knows {known}{}", .path.display(), advice(*.found))]
    Version {
        /// the file
        path: PathBuf,
        /// its version
        found: u32,
        /// the version of this program
        known: u32,
    },
    /// the file holds answers of something else
    #[error("{}: {difference}; name another file, or ask as it was asked", .path.display())]
    Other {
        /// the file
        path: PathBuf,
        /// what differs
        difference: Difference,
    },
}

/// What differs between a file and the cache that would use it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Difference {
    /// the backend inside: its network, or its options
    #[error(
        "answers of {found:032x}, this backend is {expected:032x}: another network, or other options of it"
    )]
    Backend {
        /// whose answers the file has
        found: u128,
        /// whose are wanted
        expected: u128,
    },
    /// an option of the cache
    #[error("its answers are kept with {option}={found}, this cache has {option}={expected}")]
    Option {
        /// the option
        option: &'static str,
        /// its value in the file
        found: String,
        /// its value here
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
