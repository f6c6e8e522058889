//! Reorders neurons so that a layer can skip more inputs.
//!
//! Kernels skip blocks of four inputs that are all zero. The neurons of an accumulator may be in any order
//! ([`permute`](crate::permute)): bringing together neurons that are zero in the same positions gives more
//! blocks to skip.
//!
//! ```text
//!   accumulators of some positions ──► Activity ──► find ──► permute
//! ```

mod activity;
mod search;

use std::error::Error;
use std::fmt;

use nnue_spec::NetDesc;

use crate::permute::PermuteError;
pub use activity::{Activity, BLOCK, Blocks};
pub use search::{SWEEPS, find};

/// Why another order cannot help.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderError {
    /// the neurons cannot be reordered
    Fixed {
        /// the name of the network
        network: String,
        /// the reason
        reason: PermuteError,
    },
    /// the number of groups is not a multiple of a block
    Blocks {
        /// the name of the network
        network: String,
        /// number of groups
        groups: usize,
    },
    /// no layer skips zero blocks
    Dense {
        /// the network in the usual notation
        notation: String,
    },
}

impl OrderError {
    fn fixed(net: &NetDesc<'_>, reason: PermuteError) -> Self {
        Self::Fixed {
            network: net.name.to_owned(),
            reason,
        }
    }
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed { network, reason } => write!(f, "`{network}`: {reason}"),
            Self::Blocks { network, groups } => {
                write!(
                    f,
                    "`{network}` has {groups} groups of neurons, which are no whole blocks of {BLOCK}"
                )
            }
            Self::Dense { notation } => write!(
                f,
                "`{notation}` has no layer that skips blocks of zeros, so that the order of its neurons costs nothing: such a layer has \
                 several outputs of 8-bit weights and reads the accumulators"
            ),
        }
    }
}

impl Error for OrderError {}
