//! What can be wrong with a file of weights.

use std::io;

use thiserror::Error;

/// The first field of a file.
pub(super) const MAGIC: u32 = 0x1C0;

/// Why a file is no network that can be evaluated. Places are bytes of the message, uncompressed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// the file cannot be read
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// its gzip stream is cut or corrupt
    #[error("the file is no whole gzip stream: {0}")]
    Gzip(io::Error),
    /// more than any network has
    #[error("more than {limit} bytes, {}", if *.is_compressed { "uncompressed" } else { "and it is not compressed" })]
    TooLong {
        /// the most that is read
        limit: u64,
        /// whether it is a gzip stream
        is_compressed: bool,
    },
    /// something follows the gzip stream
    #[error("{0} bytes follow the end of the gzip stream")]
    Trailing(u64),
    /// no protocol buffer
    #[error("byte {at}: expected {expected}, found {found}")]
    Message {
        /// where
        at: usize,
        /// what should be there
        expected: &'static str,
        /// what is there
        found: String,
    },
    /// the message is not one of weights
    #[error(
        "magic number {found}, and {:#x} in weights of Leela Chess Zero",
        MAGIC
    )]
    Magic {
        /// what is in its place
        found: String,
    },
    /// a kind of network that cannot be evaluated here
    #[error("the {what} is number {found}{}; supported are {supported}", known(.name))]
    Unsupported {
        /// what of it
        what: &'static str,
        /// its number
        found: u64,
        /// what the number means, if it is known
        name: Option<&'static str>,
        /// the numbers that are supported, and what they mean
        supported: &'static str,
    },
    /// weights that the kind of network does not use
    #[error(
        "`{name}` is in the file, but {reason}: what is not evaluated is refused, as the values would be wrong"
    )]
    Unused {
        /// which weights
        name: String,
        /// what the kind of network says of them
        reason: &'static str,
    },
    /// a field that is not read, and may have weights
    #[error("byte {at}: field {number}{} of {message} is not evaluated here", known(.name))]
    UnknownField {
        /// where
        at: usize,
        /// its number
        number: u64,
        /// of what
        message: &'static str,
        /// its name, if it is known
        name: Option<&'static str>,
    },
    /// a field that can be there once
    #[error("byte {at}: field {number} of {message} is there twice, expected once")]
    Twice {
        /// where it is again
        at: usize,
        /// its number
        number: u64,
        /// of what
        message: &'static str,
    },
    /// weights that the kind of network needs are not there
    #[error("`{0}` is missing")]
    Missing(String),
    /// there are weights for something else
    #[error("`{name}` has {found} numbers, expected {expected}")]
    Count {
        /// which weights
        name: String,
        /// how many there are
        found: usize,
        /// how many there should be
        expected: String,
    },
    /// a number that is none
    #[error("`{name}`, number {index}: {found}, expected a finite number{}", .more)]
    NotFinite {
        /// which weights
        name: String,
        /// which of them
        index: usize,
        /// what it is
        found: f32,
        /// what else is expected
        more: &'static str,
    },
}

fn known(name: &Option<&'static str>) -> String {
    name.map(|name| format!(" ({name})")).unwrap_or_default()
}
