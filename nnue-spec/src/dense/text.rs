//! Networks over a dense input as text, for people.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use super::{DenseDesc, DenseNode, DenseOp};
use crate::op::Activation;

impl DenseDesc<'_> {
    /// The network as a chain: `input[1, 8, 8] -> conv2d(16, kernel 3) -> relu -> flatten -> 10`. Where an operation does not read the one
    /// before it, the numbers of its operands follow.
    pub fn notation(&self) -> String {
        let mut text = String::new();
        for (index, node) in self.nodes.iter().enumerate() {
            text += if index == 0 { "" } else { " -> " };
            text += &operation(node);
            if index > 0 && node.operand + 1 != index {
                let _ = write!(text, " of {}", node.operand);
            }
        }
        text
    }

    /// A line for each operation: its number, what it is, the shape of its result.
    pub fn table(&self) -> String {
        let mut text = String::from("| | operation | result |\n|---|---|---|\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "| {index} | `{}` | {} |", operation(node), node.shape);
        }
        text
    }
}

/// An operation as it is written in a chain.
fn operation(node: &DenseNode) -> String {
    let outputs = node.shape.channels();
    let mut text = String::new();
    let _ = match node.op {
        DenseOp::Input | DenseOp::Bits => {
            let word = if node.op == DenseOp::Bits { "planes" } else { "input" };
            let sizes = node.shape.to_string().replace('x', ", ");
            write!(text, "{word}[{sizes}]")
        }
        DenseOp::Conv2d { kernel, stride, padding } => {
            let _ = write!(text, "conv2d({outputs}, kernel {kernel}");
            let _ = if stride > 1 { write!(text, ", stride {stride}") } else { Ok(()) };
            let _ = if padding > 0 { write!(text, ", padding {padding}") } else { Ok(()) };
            write!(text, ")")
        }
        DenseOp::MaxPool2d { kernel, stride } => write!(text, "max_pool2d(kernel {kernel}, stride {stride})"),
        DenseOp::AvgPool2d { kernel, stride } => write!(text, "avg_pool2d(kernel {kernel}, stride {stride})"),
        DenseOp::BatchNorm { .. } => write!(text, "batch_norm"),
        DenseOp::Flatten => write!(text, "flatten"),
        DenseOp::Affine => write!(text, "{outputs}"),
        DenseOp::Activate(activation) => write!(text, "{}", name(activation)),
        DenseOp::Add { other } => write!(text, "add {other}"),
        DenseOp::Concat { other } => write!(text, "concat {other}"),
    };
    text
}

fn name(activation: Activation) -> &'static str {
    activation.operation().map_or("", |operation| operation.name)
}
