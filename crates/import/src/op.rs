//! Operations of the import graph, common to ONNX and PyTorch.

use crate::tensor::Element;

/// What a node computes; `x` is its first input.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `x` unchanged
    Identity,
    /// an element-wise function of one operand
    Unary(Unary),
    /// an element-wise function of two operands, broadcast; types widen from bool over integer to float
    Binary(Binary),
    /// `min(max(x, low), high)`; the inputs `low` and `high` are optional
    Clip,
    /// `x ? a : b` for the three inputs
    Where,
    /// conversion to another type; floats are truncated toward zero
    Cast(Element),
    /// `clamp(round(x / scale) + zero, low, high)`, ties to even
    Quantize {
        /// scale, zero point and range
        steps: Steps,
        /// `false`: skips the rounding, to compare networks before it
        rounds: bool,
    },
    /// `(x - zero) * scale`
    Dequantize(Steps),
    /// the matrix product of the last two axes of `x` and the second input; the axes before them are
    /// broadcast
    MatMul,
    /// `x * transpose(weight) + bias`, with weights `[output][input]`; the bias is optional
    Linear,
    /// convolution of `x` [n, channels, rows, columns] with weights `[output][channel][row][column]` and an
    /// optional bias
    Conv2d(Windows),
    /// `(x - mean) / sqrt(variance + eps) * weight + bias` along the second axis; the inputs after `x` are
    /// weight, bias, mean, variance
    BatchNorm {
        /// added to the variance
        eps: f64,
    },
    /// the maximum of each window
    MaxPool2d(Windows),
    /// the mean of each window, padding included
    AvgPool2d(Windows),
    /// reduction along axes, given as an attribute or as the second input; all axes without either
    Reduce {
        /// which reduction
        kind: Reduction,
        /// the axes; `None`: those of the second input, or all
        axes: Option<Vec<i64>>,
        /// keeps reduced axes, with length 1
        keep: bool,
    },
    /// softmax along an axis
    Softmax {
        /// the axis; negative: counted from the end
        axis: i64,
    },
    /// `x` in the shape of the second input, where -1 is inferred and 0, unless `zero_is_length`, copies the
    /// length of `x`
    Reshape {
        /// 0 means length 0
        zero_is_length: bool,
    },
    /// merges the axes from `start` to `end`, both included
    Flatten {
        /// first axis
        start: i64,
        /// last axis
        end: i64,
    },
    /// permutes the axes; an empty list reverses them
    Transpose(Vec<i64>),
    /// removes axes of length 1, given as an attribute or as the second input; all of them without either
    Squeeze(Option<Vec<i64>>),
    /// inserts axes of length 1 at positions of the result, given as an attribute or as the second input
    Unsqueeze(Option<Vec<i64>>),
    /// broadcast to the shape of the second input; -1 keeps the length
    Expand,
    /// tiles `x`: copies along each axis as the second input says, which may have more axes than `x`
    Repeat,
    /// concatenation of the inputs
    Concat {
        /// the axis
        axis: i64,
    },
    /// slices of `x`; the inputs are starts, ends, axes and steps, the last two optional
    Slice,
    /// splits `x` into one part per output, of lengths from the attribute or the second input, or of equal
    /// length
    Split {
        /// the axis
        axis: i64,
        /// length of each part
        lengths: Option<Vec<i64>>,
    },
    /// the slices of `x` at the indices of the second input
    Gather {
        /// the axis
        axis: i64,
    },
    /// for each index in the second input, the element of `x` with that index on the axis and the same
    /// indices on the others
    GatherElements {
        /// the axis
        axis: i64,
    },
    /// gathers by index tuples: the last axis of the second input indexes the first axes of `x`
    GatherNd,
    /// the lengths of the axes from `start` to `end`, which is excluded
    Shape {
        /// first axis
        start: i64,
        /// axis after the last one
        end: i64,
    },
    /// numbers from the first input to the second, which is excluded, in steps of the third
    Range,
    /// a constant in the shape of the input
    Fill(f64, Element),
    /// sums of the rows of `x` that the second input lists, in bags that begin at the offsets of the third;
    /// without offsets, each row of the list is a bag
    EmbeddingBag {
        /// means instead of sums
        mean: bool,
        /// the index that is skipped
        padding: Option<i64>,
    },
    /// an unknown operation: what is missing, and the nearest that is supported
    Unknown(String),
}

/// An element-wise function of one operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unary {
    /// `max(x, 0)`
    Relu,
    /// `min(max(x, 0), 6)`
    Relu6,
    /// `x > 0 ? x : slope * x`
    LeakyRelu(f32),
    /// `1 / (1 + exp(-x))`
    Sigmoid,
    /// `tanh(x)`
    Tanh,
    /// `x * sigmoid(x)`
    Silu,
    /// `min(max(slope * x + shift, 0), 1)`
    HardSigmoid {
        /// slope
        slope: f32,
        /// shift
        shift: f32,
    },
    /// `x * min(max(x + 3, 0), 6) / 6`
    HardSwish,
    /// `|x|`
    Abs,
    /// `-x`
    Neg,
    /// -1, 0 or 1
    Sign,
    /// `sqrt(x)`
    Sqrt,
    /// `exp(x)`
    Exp,
    /// `ln(x)`
    Log,
    /// `1 / x`
    Reciprocal,
    /// rounds down
    Floor,
    /// rounds up
    Ceil,
    /// rounds to nearest, ties to even
    Round,
    /// logical not
    Not,
}

/// An element-wise function of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`; integers are truncated toward zero
    Div,
    /// `a / b` in floats
    TrueDiv,
    /// `floor(a / b)`
    FloorDiv,
    /// the remainder of [`FloorDiv`](Self::FloorDiv)
    Mod,
    /// `a` to the power `b`
    Pow,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterOrEqual,
    /// `a && b`
    And,
    /// `a || b`
    Or,
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// the sum
    Sum,
    /// the mean
    Mean,
    /// the maximum
    Max,
    /// the minimum
    Min,
}

/// Affine quantisation parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// the step between neighbouring integers
    pub scale: f32,
    /// the zero point: the integer that stands for 0.0
    pub zero: i64,
    /// the least integer
    pub low: i64,
    /// the greatest integer
    pub high: i64,
}

impl Steps {
    /// The least and the greatest value that can be represented.
    pub fn limits(self) -> [f32; 2] {
        [self.low, self.high].map(|number| (number - self.zero) as f32 * self.scale)
    }

    /// Whether the parameters are valid: a positive scale, and a zero point in the range.
    pub fn are_some(self) -> bool {
        let is_small = |number: i64| number.unsigned_abs() <= 1 << 16;
        let ordered = self.low < self.high && (self.low..=self.high).contains(&self.zero);
        self.scale > 0.0
            && self.scale.is_finite()
            && is_small(self.low)
            && is_small(self.high)
            && ordered
    }
}

/// Windows of a convolution or a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// rows and columns of a window
    pub kernel: [usize; 2],
    /// rows and columns from one window to the next
    pub stride: [usize; 2],
    /// padding of rows and columns, on each side
    pub padding: [usize; 2],
}

impl Windows {
    /// Number of windows along rows and columns for an input of this size; `None` if none fits.
    pub fn fit(self, size: [usize; 2]) -> Option<[usize; 2]> {
        let fit = |axis: usize| {
            let padded = size[axis].checked_add(self.padding[axis].checked_mul(2)?)?;
            let room = padded
                .checked_sub(self.kernel[axis])
                .filter(|_| self.kernel[axis] > 0 && self.stride[axis] > 0)?;
            Some(room / self.stride[axis] + 1)
        };
        Some([fit(0)?, fit(1)?])
    }
}
