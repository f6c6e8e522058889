//! Why a file is not imported, each in one line.

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
        /// what it is
        found: String,
        /// what to do instead
        advice: String,
    },
    /// the file is cut off or damaged, or breaks the rules of its format
    #[error("{0}")]
    Damaged(String),
    /// a version of the format that is not read
    #[error("{what} {found} is not read: {expected}")]
    Version {
        /// what has the version
        what: &'static str,
        /// the version in the file
        found: String,
        /// the versions that are read
        expected: String,
    },
    /// more than a network has
    #[error("the file has more than {most} {what}, the limit")]
    Limit {
        /// what there is too much of
        what: &'static str,
        /// the limit
        most: usize,
    },
    /// more memory than the file may ask for
    #[error(
        "the values of the graph need at least {needed} bytes, and {most} are the limit for {file} bytes of file: export the model with fewer rows at a time, or with its weights in the file"
    )]
    Memory {
        /// bytes that are needed so far
        needed: usize,
        /// the limit
        most: usize,
        /// bytes of the file, and of files beside it
        file: usize,
    },
    /// more steps than an evaluation may take
    #[error(
        "the graph takes at least {needed} steps to compute, and {most} are the limit: export the model with fewer rows at a time"
    )]
    Work {
        /// steps that are needed so far
        needed: usize,
        /// the limit
        most: usize,
    },
    /// weights in another file that is not read
    #[error("tensor `{tensor}` is in the file `{path}`: {why}")]
    External {
        /// name of the tensor
        tensor: String,
        /// the path in the file
        path: String,
        /// why it is not read
        why: String,
    },
    /// a node reads a value that nothing makes
    #[error("{reader} reads `{value}`, which no node, input or initializer makes")]
    Missing {
        /// the node, or the output
        reader: String,
        /// name of the value
        value: String,
    },
    /// nodes read each other in a circle
    #[error("nodes read each other in a circle: {0}")]
    Cycle(String),
    /// lengths that do not fit together
    #[error("{0}")]
    Shape(String),
    /// a weight that is infinite or NaN
    #[error(
        "`{tensor}` has the number {value} at {element}: floats of a network are finite, the training diverged"
    )]
    NotFinite {
        /// name of the tensor
        tensor: String,
        /// index of the number
        element: usize,
        /// the number
        value: f32,
    },
    /// nodes for which there is nothing here, all of them
    #[error("{}", list(.0))]
    Unsupported(Vec<Unsupported>),
    /// weights that no output needs
    #[error("{}", unread(.0))]
    Unread(Vec<String>),
    /// the graph of a model is not that of the declaration in its metadata
    #[error(
        "the model says in its metadata, as `nnue.declaration`, which network it is, and its graph is another one: {0}; if another program changed it on purpose, remove that property"
    )]
    Exported(String),
    /// the inputs that are given are not those of the graph
    #[error("{0}")]
    Inputs(String),
}

/// A node for which there is nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// its name
    pub node: String,
    /// what it does, as its file says
    pub operation: String,
    /// where it stands in the Python source
    pub line: Option<Line>,
    /// what is missing, and what comes nearest
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

/// Tensors of a file that are named; of more, how many there are.
const NAMED: usize = 8;

/// Tensors that no output needs, in one line.
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

/// All nodes in one line.
fn list(nodes: &[Unsupported]) -> String {
    let shown: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    let count = match nodes.len() {
        1 => "a node has".to_owned(),
        count => format!("{count} nodes have"),
    };
    format!("{count} no counterpart: {}", shown.join("; "))
}
