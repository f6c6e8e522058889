//! Operations without kernels.

use std::error::Error;
use std::fmt;

/// A network that cannot be trained on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// the operation without a kernel
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
