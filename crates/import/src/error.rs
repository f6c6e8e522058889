//! Errors of the import, each in one line.

use std::fmt;

use thiserror::Error;

use crate::line::Line;
use crate::name::shown;

/// Why a file is not imported.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ImportError {
    /// a file of another kind
    #[error("{found}; {advice}")]
    Kind {
        /// the kind that was found
        found: String,
        /// what to do instead
        advice: String,
    },
    /// the file is truncated or damaged, or violates its format
    #[error("{0}")]
    Damaged(String),
    /// an unsupported version of the format
    #[error("{what} {found} is not read: {expected}")]
    Version {
        /// what has the version
        what: &'static str,
        /// the version in the file
        found: String,
        /// the supported versions
        expected: String,
    },
    /// more than a limit allows
    #[error("the file has more than {most} {what}, the limit")]
    Limit {
        /// what exceeds the limit
        what: &'static str,
        /// the limit
        most: usize,
    },
    /// more memory than the size of the file permits
    #[error(
        "the values of the graph need at least {needed} bytes, and {most} are the limit for {file} bytes of file: export the model with fewer rows at a time, or with its weights in the file"
    )]
    Memory {
        /// bytes needed so far
        needed: usize,
        /// the limit
        most: usize,
        /// bytes of the file and of external data
        file: usize,
    },
    /// more computation than an evaluation permits
    #[error(
        "the graph takes at least {needed} steps to compute, and {most} are the limit: export the model with fewer rows at a time"
    )]
    Work {
        /// steps needed so far
        needed: usize,
        /// the limit
        most: usize,
    },
    /// weights in an external file that cannot be read
    #[error("tensor `{tensor}` is in the file `{path}`: {why}")]
    External {
        /// name of the tensor
        tensor: String,
        /// path of the external file
        path: String,
        /// why it cannot be read
        why: String,
    },
    /// a node reads a value that does not exist
    #[error("{reader} reads `{value}`, which no node, input or initializer makes")]
    Missing {
        /// the node or output that reads it
        reader: String,
        /// name of the value
        value: String,
    },
    /// the graph has a cycle
    #[error("nodes read each other in a circle: {0}")]
    Cycle(String),
    /// shapes that do not match
    #[error("{0}")]
    Shape(String),
    /// an infinite or NaN weight
    #[error(
        "`{tensor}` has the number {value} at {element}: floats of a network are finite, the training diverged"
    )]
    NotFinite {
        /// name of the tensor
        tensor: String,
        /// index of the element
        element: usize,
        /// its value
        value: f32,
    },
    /// all nodes without a counterpart
    #[error("{}", list(.0))]
    Unsupported(Vec<Unsupported>),
    /// weights that no output uses
    #[error("{}", unread(.0))]
    Unread(Vec<String>),
    /// the graph of a model differs from the declaration in its metadata
    #[error(
        "the model says in its metadata, as `nnue.declaration`, which network it is, and its graph is another one: {0}; if another program changed it on purpose, remove that property"
    )]
    Exported(String),
    /// the given inputs do not match the graph
    #[error("{0}")]
    Inputs(String),
}

/// A node without a counterpart in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// its name
    pub node: String,
    /// its operation, as the file names it
    pub operation: String,
    /// its line in the Python source
    pub line: Option<Line>,
    /// what is missing, and the nearest that is supported
    pub why: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", shown(&self.node), shown(&self.operation))?;
        if let Some(line) = &self.line {
            write!(f, " at {line}")?;
        }
        write!(f, ": {}", self.why)
    }
}

/// Most tensors that a message names; of the others it gives the number.
const NAMED: usize = 8;

fn unread(tensors: &[String]) -> String {
    let shown = tensors[..tensors.len().min(NAMED)].join(", ");
    let more = match tensors.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let needs = if tensors.len() == 1 {
        "a tensor of the file is"
    } else {
        "tensors of the file are"
    };
    format!("{needs} read by nothing that leads to an output: {shown}{more}")
}

fn list(nodes: &[Unsupported]) -> String {
    let shown: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    let count = match nodes.len() {
        1 => "a node has".to_owned(),
        count => format!("{count} nodes have"),
    };
    format!("{count} no counterpart: {}", shown.join("; "))
}
