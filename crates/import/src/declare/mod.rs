//! Writes what was recognised in the language, with its weights and a report.

mod accumulated;
mod dense;
mod described;
mod report;
mod words;

use crate::error::ImportError;
use crate::fold::{fold, known_part};
use crate::graph::{Graph, ValueId};
use crate::line::Line;
use crate::recognise::recognise_part;

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

/// All nodes of a graph that have no counterpart, where `error` of [`fold`](fn@fold) names those of unknown operations: what depends on none of them is
/// looked at as well. `features`: the inputs are rows of features. Other errors stay what they are.
pub fn unsupported(graph: &Graph, error: ImportError, features: bool) -> ImportError {
    let ImportError::Unsupported(mut nodes) = error else {
        return error;
    };
    let known = fold(&known_part(graph)).and_then(|folded| {
        let recognised = recognise_part(&folded, features)?;
        if features {
            accumulated::check(&folded, &recognised)
        } else {
            dense::check(&folded, &recognised)
        }
    });
    if let Err(ImportError::Unsupported(more)) = known {
        nodes.extend(more);
    }
    ImportError::Unsupported(nodes)
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
