//! The typed model of a declaration of subnets, as written, with source locations. [`check`](super::check)
//! checks the ranges of numbers.

use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::ElementType;
use crate::loc::{Loc, Located};
use crate::model::InputSpec;
use crate::op::Activation;

/// A declared network of subnets.
#[derive(Clone, Debug, PartialEq)]
pub struct SubnetsSpec {
    /// name of the declared type
    pub name: Located<String>,
    /// the groups in order
    pub groups: Vec<GroupSpec>,
    /// named values in order
    pub bindings: Vec<SubnetBinding>,
    /// the logit of a move
    pub logit: LogitSpec,
}

/// `from = subnets(Chess768[..], 64 x 8: i16 @ 256)`
#[derive(Clone, Debug, PartialEq)]
pub struct GroupSpec {
    /// the name that its sums are bound to
    pub name: Located<String>,
    /// the feature sets that it reads
    pub inputs: Vec<InputSpec>,
    /// how many subnets
    pub count: Located<u64>,
    /// neurons of each
    pub width: Located<u64>,
    /// type of weights and biases
    pub element: Located<ElementType>,
    /// scale of its sums
    pub scale: Option<Located<u64>>,
}

/// `let f = relu(from);`
#[derive(Clone, Debug, PartialEq)]
pub struct SubnetBinding {
    /// the name
    pub name: Located<String>,
    /// its value
    pub value: SubnetExpr,
}

/// A value: sums of subnets, or activated sums.
#[derive(Clone, Debug, PartialEq)]
pub enum SubnetExpr {
    /// a group, or a name bound before
    Name(Located<String>),
    /// `relu(from)`
    Activate {
        /// the function
        activation: Located<Activation>,
        /// the name of a group
        input: Located<String>,
    },
}

/// `dot(relu(from), relu(to)) + terms[6]`
#[derive(Clone, Debug, PartialEq)]
pub struct LogitSpec {
    /// the products in order
    pub products: Vec<ProductSpec>,
    /// number of terms that can be added; `None`: none
    pub terms: Option<Located<u64>>,
}

/// `- dot(a, b)`
#[derive(Clone, Debug, PartialEq)]
pub struct ProductSpec {
    /// subtracted
    pub negative: bool,
    /// the values
    pub operands: [SubnetExpr; 2],
    /// the word `dot`
    pub loc: Loc,
}

impl SubnetExpr {
    /// The location to underline when the whole value is wrong.
    pub fn loc(&self) -> Loc {
        match self {
            Self::Name(name) => name.loc,
            Self::Activate { activation, .. } => activation.loc,
        }
    }
}
