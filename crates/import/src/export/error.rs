//! Why a network is not written.

use nnue_spec::NetDesc;
use thiserror::Error;

/// What of a network has no form in a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{network}` has {what}, which {why}")]
pub struct ExportError {
    /// the declared type
    pub network: String,
    /// what it has
    pub what: String,
    /// why that is not written
    pub why: &'static str,
}

/// That a network has something that is not written.
pub(super) fn refuse(net: &NetDesc<'_>, what: String, why: &'static str) -> ExportError {
    refuse_of(net.name, what, why)
}

/// As [`refuse`], of a network of this name.
pub(super) fn refuse_of(network: &str, what: String, why: &'static str) -> ExportError {
    ExportError {
        network: network.to_owned(),
        what,
        why,
    }
}
