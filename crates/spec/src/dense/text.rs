//! Networks over a dense input as text, for display.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use super::{Binary, DenseDesc, DenseNode, DenseOp};
use crate::op::Activation;

impl DenseDesc<'_> {
    /// The network as a chain: `input[1, 8, 8] -> conv2d(16, kernel 3) -> relu -> flatten -> 10`. Operand
    /// numbers follow an operation that does not read the previous one.
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

    /// One line per operation: number, operation, shape of the result.
    pub fn table(&self) -> String {
        let mut text = String::from("| | operation | result |\n|---|---|---|\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "| {index} | `{}` | {} |", operation(node), node.shape);
        }
        text
    }
}

/// An operation as written in a chain.
fn operation(node: &DenseNode) -> String {
    let outputs = node.shape.channels();
    let mut text = String::new();
    let _ = match node.op {
        DenseOp::Input | DenseOp::Bits => {
            let word = if node.op == DenseOp::Bits {
                "planes"
            } else {
                "input"
            };
            let sizes = node.shape.to_string().replace('x', ", ");
            write!(text, "{word}[{sizes}]")
        }
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary,
        } => {
            let _ = write!(text, "conv2d({outputs}{}, kernel {kernel}", word(binary));
            let _ = if stride > 1 {
                write!(text, ", stride {stride}")
            } else {
                Ok(())
            };
            let _ = if padding > 0 {
                write!(text, ", padding {padding}")
            } else {
                Ok(())
            };
            write!(text, "{})", scales(binary))
        }
        DenseOp::MaxPool2d { kernel, stride } => {
            write!(text, "max_pool2d(kernel {kernel}, stride {stride})")
        }
        DenseOp::AvgPool2d { kernel, stride } => {
            write!(text, "avg_pool2d(kernel {kernel}, stride {stride})")
        }
        DenseOp::BatchNorm { .. } => write!(text, "batch_norm"),
        DenseOp::Flatten => write!(text, "flatten"),
        DenseOp::Reshape => write!(
            text,
            "reshape({})",
            node.shape.to_string().replace('x', ", ")
        ),
        DenseOp::Affine { binary } => match scales(binary) {
            scales if scales.is_empty() => write!(text, "{outputs}{}", word(binary)),
            scales => write!(text, "affine({outputs} binary{scales})"),
        },
        DenseOp::Activate(activation) => write!(text, "{}", name(activation)),
        DenseOp::Add { other } => write!(text, "add {other}"),
        DenseOp::Concat { other } => write!(text, "concat {other}"),
    };
    text
}

/// The suffix of the number of outputs.
fn word(binary: Option<Binary>) -> &'static str {
    if binary.is_some() { " binary" } else { "" }
}

/// The options of the scales.
fn scales(binary: Option<Binary>) -> String {
    let mut text = String::new();
    let Some(Binary {
        one_scale,
        input_scale,
    }) = binary
    else {
        return text;
    };
    text += if one_scale { ", one_scale" } else { "" };
    text += if input_scale { ", input_scale" } else { "" };
    text
}

fn name(activation: Activation) -> &'static str {
    activation
        .operation()
        .map_or("", |operation| operation.name)
}
