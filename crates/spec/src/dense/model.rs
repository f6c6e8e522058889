//! What a declaration over a dense input says, every part with its place. Numbers are as written; [`check`](super::check) decides what
//! fits.

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
    /// `floats fused`: products and additions are one operation
    pub fused: bool,
}

/// `x = input[1, 28, 28]`, `x = planes[12, 8, 8]`
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSpec {
    /// the name it is bound to
    pub name: Located<String>,
    /// `planes`: the program gives bits
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
    /// what it stands for
    pub value: DenseExpr,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum DenseExpr {
    /// a name bound before
    Name(Located<String>),
    /// an operation of a value
    Operation {
        /// what is done
        operation: DenseOperation,
        /// with what
        input: Box<DenseExpr>,
        /// its name, or in a chain the number of a layer
        loc: Loc,
    },
    /// an operation of several values
    Join {
        /// which
        join: Join,
        /// the values
        parts: Vec<DenseExpr>,
        /// its name
        loc: Loc,
    },
}

/// An operation of a value.
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

/// An operation of several values.
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
    /// from one window to the next; `None`: 1 of convolutions, the kernel of pools
    pub stride: Option<Located<u64>>,
    /// zeros on each side; `None`: none
    pub padding: Option<Located<u64>>,
}

impl DenseExpr {
    /// A place to underline when the value as a whole is wrong.
    pub fn loc(&self) -> Loc {
        match self {
            Self::Name(name) => name.loc,
            Self::Operation { loc, .. } | Self::Join { loc, .. } => *loc,
        }
    }
}
