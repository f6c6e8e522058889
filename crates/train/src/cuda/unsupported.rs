//! What has no kernels.

use std::error::Error;
use std::fmt;

/// Why a network cannot be trained on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// what there are no kernels for
    pub what: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there are no kernels for {} on a GPU; train on the CPU",
            self.what
        )
    }
}

impl Error for Unsupported {}
