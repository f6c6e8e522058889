//! What a file is that a command cannot use.

#[cfg(any(feature = "graphs", feature = "train"))]
use std::path::Path;

use nnue_format::published::is_published_version;
use nnue_format::signature::identify;

#[cfg(any(feature = "graphs", feature = "train"))]
use crate::error::Error;

/// What kind of file begins with `head`, and what reads it.
pub(crate) fn named(head: &[u8]) -> Option<&'static str> {
    let version = head.first_chunk().map(|word| u32::from_le_bytes(*word));
    if version.is_some_and(is_published_version) {
        return Some("a Stockfish network: `nnue inspect` reads it");
    }
    identify(head)
}

/// The error for a file of another kind.
#[cfg(any(feature = "graphs", feature = "train"))]
pub(crate) fn refused(path: &Path, kind: &str) -> Error {
    Error::Network {
        path: path.to_owned(),
        message: format!("this is {kind}"),
    }
}
