//! Errors of weight files.

use std::io;

use thiserror::Error;

/// The first field of a file.
pub(super) const MAGIC: u32 = 0x1C0;

/// Why a file cannot be used as a network. Positions are byte offsets in the uncompressed message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// the file cannot be read
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// truncated or corrupt gzip stream
    #[error("the file is no whole gzip stream: {0}")]
    Gzip(io::Error),
    /// larger than any network
    #[error("more than {limit} bytes, {}", if *.is_compressed { "uncompressed" } else { "and it is not compressed" })]
    TooLong {
        /// the limit in bytes
        limit: u64,
        /// whether it is a gzip stream
        is_compressed: bool,
    },
    /// bytes after the gzip stream
    #[error("{0} bytes follow the end of the gzip stream")]
    Trailing(u64),
    /// not a valid protocol buffer
    #[error("byte {at}: expected {expected}, found {found}")]
    Message {
        /// position
        at: usize,
        /// what was expected
        expected: &'static str,
        /// what was found
        found: String,
    },
    /// not a message of weights
    #[error(
        "magic number {found}, and {:#x} in weights of Leela Chess Zero",
        MAGIC
    )]
    Magic {
        /// what was found instead
        found: String,
    },
    /// a file of another kind
    #[error("{}this is {kind}", if *.is_unpacked { "the gzip stream has another file: " } else { "" })]
    OtherFile {
        /// the kind of the file, and the command that reads it
        kind: &'static str,
        /// whether it was in a gzip stream
        is_unpacked: bool,
    },
    /// an unsupported kind of network
    #[error("the {what} is number {found}{}; supported are {supported}", known(.name))]
    Unsupported {
        /// the unsupported property
        what: &'static str,
        /// its number in the file
        found: u64,
        /// its name, if known
        name: Option<&'static str>,
        /// supported numbers and their names
        supported: &'static str,
    },
    /// weights that this kind of network does not use
    #[error(
        "`{name}` is in the file, but {reason}: what is not evaluated is refused, as the values would be wrong"
    )]
    Unused {
        /// name of the weights
        name: String,
        /// the reason
        reason: &'static str,
    },
    /// an unknown field that may contain weights
    #[error("byte {at}: field {number}{} of {message} is not evaluated here", known(.name))]
    UnknownField {
        /// position
        at: usize,
        /// field number
        number: u64,
        /// message type
        message: &'static str,
        /// field name, if known
        name: Option<&'static str>,
    },
    /// a repeated field that must be unique
    #[error("byte {at}: field {number} of {message} is there twice, expected once")]
    Twice {
        /// position of the second one
        at: usize,
        /// field number
        number: u64,
        /// message type
        message: &'static str,
    },
    /// required weights are missing
    #[error("`{0}` is missing")]
    Missing(String),
    /// wrong number of weights
    #[error("`{name}` has {found} numbers, expected {expected}")]
    Count {
        /// name of the weights
        name: String,
        /// the number found
        found: usize,
        /// the expected number
        expected: String,
    },
    /// an infinite or NaN weight
    #[error("`{name}`, number {index}: {found}, expected a finite number{}", .more)]
    NotFinite {
        /// name of the weights
        name: String,
        /// index
        index: usize,
        /// value
        found: f32,
        /// further expectation
        more: &'static str,
    },
}

fn known(name: &Option<&'static str>) -> String {
    name.map(|name| format!(" ({name})")).unwrap_or_default()
}
