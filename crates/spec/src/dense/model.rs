//! The typed model of a declaration over a dense input, as written, with source locations.
//! [`check`](super::check) checks the ranges of numbers.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::Binary;
use crate::loc::{Loc, Located};
use crate::op::Activation;

/// A declared network.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseSpec {
    /// name of the declared type
    pub name: Located<String>,
    /// the input
    pub source: SourceSpec,
    /// named values in order
    pub bindings: Vec<DenseBinding>,
    /// the output
    pub output: DenseExpr,
    /// `floats fused`: products and additions are fused
    pub fused: bool,
}

/// `x = input[1, 28, 28]`, `x = planes[12, 8, 8]`
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSpec {
    /// the name it is bound to
    pub name: Located<String>,
    /// `planes`: the input is bits
    pub bits: bool,
    /// the numbers in the brackets
    pub sizes: Vec<Located<u64>>,
    /// the word `input` or `planes`
    pub loc: Loc,
}

/// `let name = value;`
#[derive(Clone, Debug, PartialEq)]
pub struct DenseBinding {
    /// the name
    pub name: Located<String>,
    /// its value
    pub value: DenseExpr,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum DenseExpr {
    /// a name bound before
    Name(Located<String>),
    /// an operation on one value
    Operation {
        /// the operation
        operation: DenseOperation,
        /// the operand
        input: Box<DenseExpr>,
        /// location of its name, or in a chain of the layer's number of outputs
        loc: Loc,
    },
    /// an operation on several values
    Join {
        /// the operation
        join: Join,
        /// the values
        parts: Vec<DenseExpr>,
        /// location of its name
        loc: Loc,
    },
}

/// An operation on one value.
#[derive(Clone, Debug, PartialEq)]
pub enum DenseOperation {
    /// `conv2d(x, 16, kernel 3, stride 1, padding 1)`
    Conv2d {
        /// number of outputs
        outputs: Located<u64>,
        /// `16 binary`
        binary: Option<Binary>,
        /// its windows
        window: WindowSpec,
    },
    /// `max_pool2d(x, kernel 2)`
    MaxPool2d(WindowSpec),
    /// `avg_pool2d(x, kernel 2)`
    AvgPool2d(WindowSpec),
    /// `batch_norm(x, eps 1e-3)`
    BatchNorm {
        /// added to variances; `None`: PyTorch's default
        eps: Option<Located<f64>>,
    },
    /// `flatten(x)`
    Flatten,
    /// `reshape(x, 16, 4, 4)`
    Reshape {
        /// channels, rows, columns
        sizes: [Located<u64>; 3],
    },
    /// `affine(x, 10)`
    Affine {
        /// number of outputs
        outputs: Located<u64>,
        /// `10 binary`
        binary: Option<Binary>,
    },
    /// `relu(x)`
    Activate(Activation),
}

/// An operation on several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `add(a, b)`
    Add,
    /// `concat(a, b)`
    Concat,
}

impl Join {
    /// The word in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Concat => "concat",
        }
    }
}

/// `kernel 3, stride 2, padding 1`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowSpec {
    /// rows and columns of a window
    pub kernel: Located<u64>,
    /// step between windows; `None`: 1 for convolutions, the kernel for pools
    pub stride: Option<Located<u64>>,
    /// zeros on each side; `None`: 0
    pub padding: Option<Located<u64>>,
}

impl DenseExpr {
    /// The location to underline when the whole value is wrong.
    pub fn loc(&self) -> Loc {
        match self {
            Self::Name(name) => name.loc,
            Self::Operation { loc, .. } | Self::Join { loc, .. } => *loc,
        }
    }
}
