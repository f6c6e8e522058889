//! The descriptor of a network over a dense input.

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
    /// a list of this many numbers
    Flat(usize),
    /// channels, height and width. Outside of the kernels, values are ordered by channel, row and column, as
    /// in trainers.
    Planes([usize; 3]),
}

impl Shape {
    /// Total number of values.
    pub const fn len(self) -> usize {
        self.channels() * self.pixels()
    }

    /// Whether it is empty; never, in a checked network.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Channels; for a flat value, its length.
    pub const fn channels(self) -> usize {
        match self {
            Self::Flat(channels) | Self::Planes([channels, _, _]) => channels,
        }
    }

    /// Height and width; for a flat value, 1 and 1.
    pub const fn size(self) -> [usize; 2] {
        match self {
            Self::Flat(_) => [1, 1],
            Self::Planes([_, height, width]) => [height, width],
        }
    }

    /// Values per channel.
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

/// The operation of a node on the value `x` of its operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DenseOp {
    /// float input of the program; only as the first node
    Input,
    /// bit input of the program, as 0.0 and 1.0; only as the first node
    Bits,
    /// convolution: the sums of `kernel` x `kernel` windows of `x`, zero-padded by `padding` on each side,
    /// with a step of `stride` rows and columns
    Conv2d {
        /// rows and columns of a window
        kernel: usize,
        /// step between windows
        stride: usize,
        /// zeros on each side
        padding: usize,
        /// scales, if windows and weights are signs
        binary: Option<Binary>,
    },
    /// The maximum of each window, per channel: `x > greatest ? x : greatest` in the order of rows and
    /// columns.
    MaxPool2d {
        /// rows and columns of a window
        kernel: usize,
        /// step between windows
        stride: usize,
    },
    /// the mean of each window: the sum in the order of rows and columns, divided by the window size
    AvgPool2d {
        /// rows and columns of a window
        kernel: usize,
        /// step between windows
        stride: usize,
    },
    /// `x * scale + shift` per channel; see [`normalization`](super::normalization)
    BatchNorm {
        /// added to variances
        eps: f64,
    },
    /// planes to a list: channels, then rows, then columns
    Flatten,
    /// the same values in the same order, as planes of other sizes
    Reshape,
    /// `bias[o] + sum over k of weight[o][k] * x[k]`
    Affine {
        /// scales, if values and weights are signs
        binary: Option<Binary>,
    },
    /// an activation of each value, as in float layers
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

/// An operation with its operand and the shape of its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseNode {
    /// the operation
    pub op: DenseOp,
    /// the operand, an earlier node; for the first node, itself
    pub operand: usize,
    /// shape of the result
    pub shape: Shape,
}

/// Everything about a network over a dense input except its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseDesc<'a> {
    /// name of the declared type
    pub name: &'a str,
    /// the operations, each after its operands; the first is the input, the last is the output
    pub nodes: &'a [DenseNode],
    /// products and additions are fused
    pub fused: bool,
}

/// The role of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenseRole {
    /// weights: `[output][input][row][column]` for `conv2d`, `[output][input]` for `affine`, one per channel
    /// for `batch_norm`
    Weight,
    /// biases, one per output or channel
    Bias,
    /// mean of each channel in training, for `batch_norm`
    Mean,
    /// variance of each channel in training, for `batch_norm`
    Variance,
}

/// A float tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseTensor {
    /// `conv0_weight`, `bn0_mean`, `fc0_bias`, ..
    pub name: String,
    /// the node it belongs to
    pub node: usize,
    /// its role
    pub role: DenseRole,
    /// its axes, outermost first
    pub shape: Vec<usize>,
}

impl DenseTensor {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it is empty; never, in a checked network.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl DenseDesc<'_> {
    /// The shape of the input.
    pub const fn input(&self) -> Shape {
        self.nodes[0].shape
    }

    /// The shape of the output.
    pub const fn output(&self) -> Shape {
        self.nodes[self.nodes.len() - 1].shape
    }

    /// The tensors in file order: by node, and for each node weights, biases, means, variances. Convolutions
    /// are named `conv0`, `conv1`, .., batch norms `bn0`, .., layers `fc0`, ...
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
