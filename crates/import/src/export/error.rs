//! The error of the export.

use nnue_spec::NetDesc;
use thiserror::Error;

/// A part of a network that cannot be exported.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{network}` has {what}, which {why}")]
pub struct ExportError {
    /// the declared type
    pub network: String,
    /// the part
    pub what: String,
    /// why it cannot be exported
    pub why: &'static str,
}

pub(super) fn refuse(net: &NetDesc<'_>, what: String, why: &'static str) -> ExportError {
    refuse_of(net.name, what, why)
}

/// As [`refuse`], for a network name.
pub(super) fn refuse_of(network: &str, what: String, why: &'static str) -> ExportError {
    ExportError {
        network: network.to_owned(),
        what,
        why,
    }
}
