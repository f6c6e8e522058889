//! Why a network could not be opened.

use core::fmt;

use nnue_format::LoadError;

use super::Unsupported;

/// Why a network could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// the network cannot be evaluated without compiling it; the descriptor alone decides this, the
    /// file was not read
    Unsupported(Unsupported),
    /// the file cannot be read, or does not match the descriptor exactly
    Load(LoadError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) => reason.fmt(f),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Unsupported(_) => None,
            Self::Load(error) => error.source(),
        }
    }
}

impl From<Unsupported> for OpenError {
    fn from(reason: Unsupported) -> Self {
        Self::Unsupported(reason)
    }
}

impl From<LoadError> for OpenError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
