//! A network for plotting, and plotting errors.

use std::fmt;

#[cfg(feature = "networks")]
use nnue_spec::TensorRole;
use nnue_spec::{NetDesc, TensorRef};

/// A descriptor with its weights.
#[derive(Clone, Copy, Debug)]
pub struct Network<'n> {
    /// the descriptor
    pub desc: &'n NetDesc<'n>,
    /// the weights, in the order of the descriptor
    pub tensors: &'n [TensorRef<'n>],
}

/// Why something cannot be plotted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlotError {
    /// the rows of the feature set are not pieces on squares
    NoBoards {
        /// the name of the network
        network: String,
        /// the name of the set
        set: String,
    },
    /// there is no such neuron, PSQT output or standing
    Missing {
        /// the kind that is missing
        what: &'static str,
        /// the requested index
        index: usize,
        /// number of valid indices
        count: usize,
    },
    /// the perspectives share their weights
    NotSeparate {
        /// the name of the network
        network: String,
    },
    /// the tensors do not match the descriptor
    Tensors {
        /// the name of the network
        network: String,
    },
    /// the network has custom activations or layers
    Program {
        /// the network
        network: String,
    },
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBoards { network, set } => {
                write!(
                    f,
                    "`{network}` begins with the feature set `{set}`, whose rows are not pieces on squares: its weights are no boards"
                )
            }
            Self::Missing { what, count: 0, .. } => write!(f, "the network has no {what}"),
            Self::Missing { what, index, count } => {
                write!(
                    f,
                    "there is no {what} {index}: the network has {count}, numbered from 0 to {}",
                    count - 1
                )
            }
            Self::NotSeparate { network } => {
                write!(
                    f,
                    "both perspectives of `{network}` have the same weights: there are no second ones"
                )
            }
            Self::Tensors { network } => write!(f, "these tensors are not those of `{network}`"),
            Self::Program { network } => {
                write!(
                    f,
                    "code of a program takes part in `{network}`: only that program knows what its neurons do"
                )
            }
        }
    }
}

impl std::error::Error for PlotError {}

impl<'n> Network<'n> {
    /// Checks that the weights match the descriptor.
    ///
    /// # Errors
    ///
    /// If number, types or lengths of the tensors do not match.
    pub fn new(desc: &'n NetDesc<'n>, tensors: &'n [TensorRef<'n>]) -> Result<Self, PlotError> {
        let fit = |(tensor, desc): (&TensorRef<'_>, &nnue_spec::TensorDesc<'_>)| {
            tensor.element() == desc.element && tensor.len() == desc.len()
        };
        if tensors.len() != desc.tensors.len() || !tensors.iter().zip(desc.tensors).all(fit) {
            return Err(PlotError::Tensors {
                network: desc.name.to_owned(),
            });
        }
        Ok(Self { desc, tensors })
    }

    /// The tensor of a role, if there is one.
    #[cfg(feature = "networks")]
    pub(crate) fn tensor(&self, role: TensorRole) -> Option<TensorRef<'n>> {
        let index = self
            .desc
            .tensors
            .iter()
            .position(|tensor| tensor.role == role)?;
        Some(self.tensors[index])
    }
}
