//! Writes a recognised network as a declaration, with its weights and a report.

mod accumulated;
mod dense;
mod report;
mod words;

use crate::error::ImportError;
use crate::fold::{fold, known_part};
use crate::graph::{Graph, ValueId};
use crate::line::Line;
use crate::recognise::recognise_part;

pub use accumulated::{Accumulated, Given, Golden, Order, declare as accumulated, row_source};
pub use dense::declare as dense;

/// A declaration with its tensors.
#[derive(Clone, Debug)]
pub struct Declared {
    /// `pub struct Name = ..;`, without the surrounding `nnue!`
    pub text: String,
    /// tensors in the order of the declaration
    pub tensors: Vec<Weights>,
    /// the clause of each node of the graph
    pub clauses: Vec<Clause>,
    /// values of the graph by name, for comparisons: the prefix of the operation's tensors (`fc0`) or the
    /// name of the value (`a1`)
    pub layers: Vec<(String, ValueId)>,
    /// for networks over a dense input: named values and `output`, with the indices of their operations
    pub operations: Vec<(String, usize)>,
}

/// All nodes of a graph without a counterpart, where `error` of [`fold`](fn@fold) lists only unknown
/// operations: nodes that depend on none of these are checked too. `features`: the inputs are rows of
/// features. Other errors are returned unchanged.
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
    /// elements
    pub values: Vec<f32>,
}

/// The clause of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// its name
    pub node: String,
    /// its operation, as the file names it
    pub operation: String,
    /// its line in the Python source
    pub line: Option<Line>,
    /// its part in the declaration
    pub clause: String,
}
