//! The import graph, common to both formats.
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

/// Index in [`Graph::values`].
pub type ValueId = usize;

/// Most nodes of a graph.
pub const MAX_NODES: usize = 1 << 17;

/// The file that a graph was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// `ONNX`, `torch.export`
    pub format: String,
    /// program and version that wrote the file
    pub producer: String,
    /// version of the operator set
    pub opset: String,
    /// the input consists of bits, according to the metadata of a model of this project
    pub bits: bool,
    /// products and additions are fused, according to the same metadata
    pub fused: bool,
}

/// A graph of operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// format and producer
    pub origin: Origin,
    /// limit for the memory of its values; nothing is used yet
    pub budget: Budget,
    /// names of weights in the file that the graph does not refer to
    pub unread: Vec<String>,
    /// inputs, constants and results
    pub values: Vec<Value>,
    /// operations in topological order
    pub nodes: Vec<Node>,
    /// input values
    pub inputs: Vec<ValueId>,
    /// output values
    pub outputs: Vec<ValueId>,
}

/// A value of a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// its name; `%` and an index where the file has none
    pub name: String,
    /// inputs: the element type
    pub element: Option<Element>,
    /// inputs: the lengths of the axes
    pub shape: Option<Vec<Dim>>,
    /// constants: the elements
    pub constant: Option<Arc<Tensor>>,
}

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// a fixed length
    Fixed(usize),
    /// a length that the caller chooses, by name
    Free(String),
}

/// An operation of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// its name
    pub name: String,
    /// the operation as the file names it: `Gemm`, `aten.linear.default`
    pub operation: String,
    /// the operation
    pub op: Op,
    /// operands; `None` for omitted ones
    pub inputs: Vec<Option<ValueId>>,
    /// results
    pub outputs: Vec<ValueId>,
    /// its line in the Python source, if the file says
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
    /// The nodes whose operation is unknown.
    pub fn unknown(&self) -> Vec<Unsupported> {
        let unsupported = |node: &Node| match &node.op {
            Op::Unknown(why) => Some(node.unsupported(why)),
            _ => None,
        };
        self.nodes.iter().filter_map(unsupported).collect()
    }

    /// Values and nodes as text, one per line, for `nnue import onnx FILE --print`.
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
    /// The node as an error.
    pub fn unsupported(&self, why: &str) -> Unsupported {
        Unsupported {
            node: self.name.clone(),
            operation: self.operation.clone(),
            line: self.line.clone(),
            why: why.to_owned(),
        }
    }
}
