//! The import graph: what both kinds of files become.
//!
//! ```text
//!   model.onnx ──onnx──┐                           ┌──fold──► Folded: constants computed, dead nodes gone, every shape known
//!                      ├──► Graph: nodes in order ─┤
//!   model.pt2 ──torch──┘                           └──evaluate──► the numbers of every value
//! ```

use std::fmt;
use std::sync::Arc;

use crate::budget::Budget;
use crate::error::Unsupported;
use crate::line::Line;
use crate::name::shown;
use crate::op::Op;
use crate::tensor::{Element, Tensor};

/// The index of a value in [`Graph::values`].
pub type ValueId = usize;

/// Most nodes of a graph.
pub const MAX_NODES: usize = 1 << 17;

/// Where a graph comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// `ONNX`, `torch.export`
    pub format: String,
    /// the program that wrote the file, with its version
    pub producer: String,
    /// the version of the operations
    pub opset: String,
    /// the input is bits, as a model of this project says of itself
    pub bits: bool,
    /// products and additions are one operation, likewise
    pub fused: bool,
}

/// A graph of operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// where it comes from
    pub origin: Origin,
    /// what its values may cost; nothing is taken of it yet
    pub budget: Budget,
    /// the names of weights in the file that its graph does not name
    pub unread: Vec<String>,
    /// inputs, constants and results
    pub values: Vec<Value>,
    /// the operations, each after those whose results it reads
    pub nodes: Vec<Node>,
    /// what the program gives
    pub inputs: Vec<ValueId>,
    /// what the graph gives
    pub outputs: Vec<ValueId>,
}

/// A value of a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// its name; `%` and a number where the file has none
    pub name: String,
    /// of an input: what its elements are
    pub element: Option<Element>,
    /// of an input: the lengths of its axes
    pub shape: Option<Vec<Dim>>,
    /// of a constant: its numbers
    pub constant: Option<Arc<Tensor>>,
}

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// so many
    Fixed(usize),
    /// as many as the program gives; the name of the number
    Free(String),
}

/// An operation of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// its name
    pub name: String,
    /// what the file calls the operation: `Gemm`, `aten.linear.default`
    pub operation: String,
    /// what it does
    pub op: Op,
    /// the values that it reads; `None` for those that may be left out and are
    pub inputs: Vec<Option<ValueId>>,
    /// the values that it makes
    pub outputs: Vec<ValueId>,
    /// where it stands in the Python source, if the file says
    pub line: Option<Line>,
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(length) => write!(f, "{length}"),
            Self::Free(name) => write!(f, "{}", shown(name)),
        }
    }
}

impl Graph {
    /// The nodes whose operation is not known, with what is known about them.
    pub fn unknown(&self) -> Vec<Unsupported> {
        let unsupported = |node: &Node| match &node.op {
            Op::Unknown(why) => Some(node.unsupported(why)),
            _ => None,
        };
        self.nodes.iter().filter_map(unsupported).collect()
    }

    /// The values and nodes as text, a line each, for people: `nnue import onnx FILE --print`.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let name = |id: &ValueId| shown(&self.values[*id].name);
        for id in &self.inputs {
            let value = &self.values[*id];
            let shape = value
                .shape
                .iter()
                .flatten()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ");
            let element = value.element.map_or("?", Element::name);
            text += &format!("input {} [{shape}] {element}\n", name(id));
        }
        for value in self.values.iter().filter(|value| value.constant.is_some()) {
            let constant = value
                .constant
                .as_ref()
                .map_or(String::new(), |tensor| tensor.to_string());
            text += &format!("constant {} = {constant}\n", shown(&value.name));
        }
        for node in &self.nodes {
            let reads = node
                .inputs
                .iter()
                .map(|id| id.as_ref().map_or("-".to_owned(), name))
                .collect::<Vec<_>>();
            let makes = node.outputs.iter().map(name).collect::<Vec<_>>();
            text += &format!(
                "{} = {}({})",
                makes.join(", "),
                shown(&node.operation),
                reads.join(", ")
            );
            if let Some(line) = &node.line {
                text += &format!("    # {line}");
            }
            text += "\n";
        }
        let outputs = self.outputs.iter().map(name).collect::<Vec<_>>();
        text += &format!("output {}\n", outputs.join(", "));
        text
    }
}

impl Node {
    /// The node as one for which there is nothing here.
    pub fn unsupported(&self, why: &str) -> Unsupported {
        Unsupported {
            node: self.name.clone(),
            operation: self.operation.clone(),
            line: self.line.clone(),
            why: why.to_owned(),
        }
    }
}
