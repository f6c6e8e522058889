//! The weights of a network of subnets, in file order.
//!
//! ```text
//!   group after group, subnet after subnet:   weight[row][neuron]   bias[neuron]
//!   at the end:                               term[..] f32
//! ```

use alloc::vec::Vec;

/// The parameters of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// weights and biases of the subnets
    pub numbers: Numbers,
    /// the terms that can be added to a logit
    pub terms: Vec<f32>,
}

/// Weights and biases, in the type of the declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// `f32`
    Floats(Vec<f32>),
    /// `i16`
    Whole(Vec<i16>),
}

impl Numbers {
    /// Number of parameters.
    pub fn len(&self) -> usize {
        match self {
            Self::Floats(numbers) => numbers.len(),
            Self::Whole(numbers) => numbers.len(),
        }
    }

    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
