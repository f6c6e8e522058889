//! Writes what was recognised in the language, with its weights and a report.

mod accumulated;
mod dense;
mod described;
mod report;
mod words;

use crate::graph::ValueId;
use crate::line::Line;

pub use accumulated::{Accumulated, Given, Golden, Order, declare as accumulated};
pub use dense::declare as dense;
pub use described::described;

/// A declaration, and what belongs to it.
#[derive(Clone, Debug)]
pub struct Declared {
    /// `pub struct Name = ..;`, without `nnue!` around it
    pub text: String,
    /// the tensors in the order of the declaration
    pub tensors: Vec<Weights>,
    /// what became of each node of the graph
    pub clauses: Vec<Clause>,
    /// values that both have, to compare them: how the tensors of the operation begin (`fc0`), or the name of the value (`a1`), and the value of the graph
    pub layers: Vec<(String, ValueId)>,
    /// of a network over a dense input, the operations that make named values and the `output`: their indices among those of the network
    pub operations: Vec<(String, usize)>,
}

/// A tensor of the declared network.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// its name: `conv0_weight`, `fc0_bias`, `bn0_mean`
    pub name: String,
    /// its axes, the outermost first
    pub shape: Vec<usize>,
    /// its numbers
    pub values: Vec<f32>,
}

/// What became of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// its name
    pub node: String,
    /// what it does, as its file says
    pub operation: String,
    /// where it stands in the Python source
    pub line: Option<Line>,
    /// what it is in the declaration
    pub clause: String,
}
