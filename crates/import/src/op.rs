//! The operations of the import graph. Those of both formats become these, with the meaning that is written here.

use crate::tensor::Element;

/// What a node does with its inputs, `x` being the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `x`, as it is
    Identity,
    /// a function of each number
    Unary(Unary),
    /// a function of two numbers each; axes of length 1 are repeated, and types widened from bool over whole numbers to floats
    Binary(Binary),
    /// `min(max(x, low), high)`; the inputs `low` and `high` may be left out
    Clip,
    /// of a condition, a value and another: the value where the condition is true, the other elsewhere
    Where,
    /// the same numbers in another type, floats cut off toward zero
    Cast(Element),
    /// `clamp(round(x / scale) + zero, low, high)`, halves to the even one; without rounding where `rounds` is not set, to compare networks before that
    Quantize {
        /// the steps
        steps: Steps,
        /// whether it rounds
        rounds: bool,
    },
    /// `(x - zero) * scale`
    Dequantize(Steps),
    /// the matrix product of the last two axes of `x` and the next input; those before are repeated
    MatMul,
    /// `x * transpose(weight) + bias`, with weights `[output][input]`; the bias may be left out
    Linear,
    /// sums of windows of `x` [n, channels, rows, columns], with weights `[output][channel][row][column]` and a bias that may be left out
    Conv2d(Windows),
    /// `(x - mean) / sqrt(variance + eps) * weight + bias` by the second axis; the inputs are weight, bias, mean, variance
    BatchNorm {
        /// added to variances
        eps: f64,
    },
    /// the greatest number of each window
    MaxPool2d(Windows),
    /// the mean of each window, padding included
    AvgPool2d(Windows),
    /// sums, means or maxima along axes, which are an attribute or the second input; all axes without either
    Reduce {
        /// which
        kind: Reduction,
        /// the axes; `None`: those of the second input, or all
        axes: Option<Vec<i64>>,
        /// axes stay, with length 1
        keep: bool,
    },
    /// `exp(x)`, divided by its sum along the axis
    Softmax {
        /// counted from the end if negative
        axis: i64,
    },
    /// the numbers of `x` in the shape of the second input, in which -1 stands for what is left and, unless `zero_is_length`, 0 for the length
    /// that `x` has
    Reshape {
        /// 0 means no elements
        zero_is_length: bool,
    },
    /// the axes from `start` to `end`, both included, become one
    Flatten {
        /// first axis
        start: i64,
        /// last axis
        end: i64,
    },
    /// the axes in another order; an empty list turns it around
    Transpose(Vec<i64>),
    /// axes of length 1 go, which are an attribute or the second input; all without either
    Squeeze(Option<Vec<i64>>),
    /// axes of length 1 come, at places of the result, which are an attribute or the second input
    Unsqueeze(Option<Vec<i64>>),
    /// repeated to the shape of the second input, -1 being the length that there is
    Expand,
    /// as many copies along each axis as the second input says, which may have more axes than `x`
    Repeat,
    /// the inputs one after the other
    Concat {
        /// along which axis
        axis: i64,
    },
    /// parts of `x`; the inputs are starts, ends, axes, steps, of which the last two may be left out
    Slice,
    /// `x` in as many parts as there are outputs, of the lengths of the attribute or of the second input, or all alike
    Split {
        /// along which axis
        axis: i64,
        /// the lengths
        lengths: Option<Vec<i64>>,
    },
    /// for each number of the second input, that slice of `x`
    Gather {
        /// along which axis
        axis: i64,
    },
    /// for each number of the second input, the element of `x` with that index on the axis and its own indices on the others
    GatherElements {
        /// along which axis
        axis: i64,
    },
    /// the last axis of the second input has indices of the first axes of `x`
    GatherNd,
    /// the lengths of the axes from `start` on, up to `end`, which is not included
    Shape {
        /// the first axis
        start: i64,
        /// the axis after the last one
        end: i64,
    },
    /// whole numbers, or floats, from the first input to the second, which is not included, in steps of the third
    Range,
    /// the number of the attribute, in the shape of the input
    Fill(f64, Element),
    /// sums of the rows of `x` whose numbers the second input lists, in bags that begin at the places of the third; without it, each row of
    /// the list is a bag. Numbers equal to `padding` count nothing
    EmbeddingBag {
        /// the means of the rows instead
        mean: bool,
        /// the number that counts nothing
        padding: Option<i64>,
    },
    /// nothing that is known; what is missing, and what comes nearest
    Unknown(String),
}

/// A function of one number.
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
    /// the hyperbolic tangent
    Tanh,
    /// `x * sigmoid(x)`
    Silu,
    /// `min(max(slope * x + shift, 0), 1)`
    HardSigmoid {
        /// factor
        slope: f32,
        /// summand
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
    /// the square root
    Sqrt,
    /// the exponential
    Exp,
    /// the natural logarithm
    Log,
    /// `1 / x`
    Reciprocal,
    /// the next whole number below
    Floor,
    /// the next whole number above
    Ceil,
    /// the nearest whole number, halves to the even one
    Round,
    /// of bools
    Not,
}

/// A function of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, of whole numbers toward zero
    Div,
    /// `a / b` in floats
    TrueDiv,
    /// `a / b`, rounded down
    FloorDiv,
    /// what is left of `a` after [`FloorDiv`](Self::FloorDiv)
    Mod,
    /// `a` to the power `b`
    Pow,
    /// the smaller
    Min,
    /// the greater
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
    /// both
    And,
    /// at least one
    Or,
}

/// Sums, means, maxima.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// the sum
    Sum,
    /// the sum divided by how many there are
    Mean,
    /// the greatest
    Max,
    /// the least
    Min,
}

/// Steps in which values are whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// from one number to the next
    pub scale: f32,
    /// the number that 0.0 is
    pub zero: i64,
    /// the least number
    pub low: i64,
    /// the greatest number
    pub high: i64,
}

impl Steps {
    /// The least and the greatest value that there is a number for.
    pub fn limits(self) -> [f32; 2] {
        [self.low, self.high].map(|number| (number - self.zero) as f32 * self.scale)
    }

    /// Whether there are such steps: a scale above 0, and a zero among the numbers.
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

/// Windows of planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// rows and columns of a window
    pub kernel: [usize; 2],
    /// from one window to the next
    pub stride: [usize; 2],
    /// around the planes: rows and columns on each side
    pub padding: [usize; 2],
}

impl Windows {
    /// How many windows fit into so many rows and columns; `None` if none does.
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
