//! The description of a network over a dense input.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::Binary;
use crate::op::Activation;

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// a list of so many numbers
    Flat(usize),
    /// channels, height and width. Outside of the kernels a value is in the order of its channels, then rows, then columns, as trainers
    /// have it.
    Planes([usize; 3]),
}

impl Shape {
    /// Numbers in all.
    pub const fn len(self) -> usize {
        self.channels() * self.pixels()
    }

    /// Whether there are none; a checked network has no such value.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Channels; of a flat value, its numbers.
    pub const fn channels(self) -> usize {
        match self {
            Self::Flat(channels) | Self::Planes([channels, _, _]) => channels,
        }
    }

    /// Height and width; of a flat value 1 and 1.
    pub const fn size(self) -> [usize; 2] {
        match self {
            Self::Flat(_) => [1, 1],
            Self::Planes([_, height, width]) => [height, width],
        }
    }

    /// Numbers of a channel.
    pub const fn pixels(self) -> usize {
        let [height, width] = self.size();
        height * width
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat(len) => write!(f, "{len}"),
            Self::Planes([channels, height, width]) => write!(f, "{channels}x{height}x{width}"),
        }
    }
}

/// What a node does with the value of its operand, `x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DenseOp {
    /// floats of the program; the first node, and no other
    Input,
    /// bits of the program as 0.0 and 1.0; the first node, and no other
    Bits,
    /// the sums of `kernel` x `kernel` windows of `x`, around which stand `padding` zeros on each side; one window every `stride` rows and
    /// columns
    Conv2d {
        /// rows and columns of a window
        kernel: usize,
        /// from one window to the next
        stride: usize,
        /// zeros on each side
        padding: usize,
        /// windows and weights are signs, and their sums have these scales
        binary: Option<Binary>,
    },
    /// The greatest value of each window, channel by channel: from the first, `x > greatest ? x : greatest` in the order of rows and
    /// columns.
    MaxPool2d {
        /// rows and columns of a window
        kernel: usize,
        /// from one window to the next
        stride: usize,
    },
    /// the sum of each window, in the order of rows and columns from the first value on, divided by its size
    AvgPool2d {
        /// rows and columns of a window
        kernel: usize,
        /// from one window to the next
        stride: usize,
    },
    /// `x * scale + shift` of each channel; see [`normalization`](super::normalization)
    BatchNorm {
        /// added to variances
        eps: f64,
    },
    /// planes as a list: channels, then rows, then columns
    Flatten,
    /// the same numbers in the same order as planes of other sizes
    Reshape,
    /// `bias[o] + sum over k of weight[o][k] * x[k]`
    Affine {
        /// values and weights are signs, and their sums have these scales
        binary: Option<Binary>,
    },
    /// an activation of each number, as layers of floats have it
    Activate(Activation),
    /// `x + other`, of the same shape
    Add {
        /// the other operand
        other: usize,
    },
    /// the channels of `x`, then those of `other`
    Concat {
        /// the other operand
        other: usize,
    },
}

/// An operation, its operand and its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseNode {
    /// what is done
    pub op: DenseOp,
    /// the node that it reads, an earlier one; of the first node, itself
    pub operand: usize,
    /// the result
    pub shape: Shape,
}

/// Everything about a network over a dense input but its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseDesc<'a> {
    /// name of the declared type
    pub name: &'a str,
    /// the operations, each after its operands; the first is the input, the last is the output
    pub nodes: &'a [DenseNode],
    /// products and additions are one operation
    pub fused: bool,
}

/// What a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenseRole {
    /// weights: of `conv2d` `[output][input][row][column]`, of `affine` `[output][input]`, of `batch_norm` one per channel
    Weight,
    /// biases, one per output or channel
    Bias,
    /// of `batch_norm`: the mean of each channel in training
    Mean,
    /// of `batch_norm`: the variance of each channel in training
    Variance,
}

/// A tensor of floats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseTensor {
    /// `conv0_weight`, `bn0_mean`, `fc0_bias`, ..
    pub name: String,
    /// the node that it belongs to
    pub node: usize,
    /// what it is
    pub role: DenseRole,
    /// its axes, the outermost first
    pub shape: Vec<usize>,
}

impl DenseTensor {
    /// Numbers in it.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are none; a checked network has no such tensor.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl DenseDesc<'_> {
    /// What the program gives.
    pub const fn input(&self) -> Shape {
        self.nodes[0].shape
    }

    /// What the network gives.
    pub const fn output(&self) -> Shape {
        self.nodes[self.nodes.len() - 1].shape
    }

    /// The tensors in file order: those of each node after those of earlier ones, its weights, then its biases, then its means, then its
    /// variances. Convolutions are called `conv0`, `conv1`, .., batch norms `bn0`, .., layers `fc0`, ...
    pub fn tensors(&self) -> Vec<DenseTensor> {
        let (mut tensors, [mut convolutions, mut norms, mut layers]) = (Vec::new(), [0; 3]);
        for (index, node) in self.nodes.iter().enumerate() {
            let (outputs, inputs) = (
                node.shape.channels(),
                self.nodes[node.operand].shape.channels(),
            );
            let (kind, count, weight) = match node.op {
                DenseOp::Conv2d { kernel, .. } => (
                    "conv",
                    &mut convolutions,
                    vec![outputs, inputs, kernel, kernel],
                ),
                DenseOp::Affine { .. } => ("fc", &mut layers, vec![outputs, inputs]),
                DenseOp::BatchNorm { .. } => ("bn", &mut norms, vec![outputs]),
                _ => continue,
            };
            let mut add = |what, role, shape| {
                tensors.push(DenseTensor {
                    name: format!("{kind}{count}_{what}"),
                    node: index,
                    role,
                    shape,
                });
            };
            add("weight", DenseRole::Weight, weight);
            add("bias", DenseRole::Bias, vec![outputs]);
            if matches!(node.op, DenseOp::BatchNorm { .. }) {
                add("mean", DenseRole::Mean, vec![outputs]);
                add("variance", DenseRole::Variance, vec![outputs]);
            }
            *count += 1;
        }
        tensors
    }
}
