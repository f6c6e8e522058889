//! Networks of PyTorch and ONNX, as graphs.
//!
//! * [`onnx`] and [`torch`] read files: the wire format, weights, names, lines of the Python source. Both
//!   make a [`Graph`] of [`Op`]s in topological order.
//! * [`evaluate`](mod@evaluate) is a plain interpreter that computes every value of a graph.
//! * [`declare`] recognises the operations of the language in a graph and writes a declaration with its
//!   weights.
//! * [`npz`] reads inputs and outputs that were recorded in Python.
//! * [`export`] writes declared networks as ONNX models, in integers.
//! * [`fold`](mod@fold) computes constants and removes nodes that no output needs.
//!
//! Files are untrusted: any defect is an [`ImportError`] of one line, whatever the bytes. Nothing in a file
//! is executed.
#![forbid(unsafe_code)]

mod budget;
pub mod declare;
mod error;
pub mod evaluate;
pub mod export;
pub mod fold;
mod graph;
mod line;
mod name;
pub mod npz;
pub mod onnx;
mod op;
mod order;
mod recognise;
mod tensor;
pub mod torch;

pub use budget::{BYTES_PER_BYTE, Budget, FLOOR, MAX_STEPS};
pub use error::{ImportError, Unsupported};
pub use graph::{Dim, Graph, MAX_NODES, Node, Origin, Value, ValueId};
pub use line::Line;
pub use op::{Binary, Op, Reduction, Steps, Unary, Windows};
pub use tensor::{Data, Element, MAX_ELEMENTS, MAX_RANK, Tensor, elements};
