//! Networks that need to be compiled.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use nnue_spec::{NetDesc, Selector};

/// Why a network cannot be evaluated without compiling it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// a part of it is user code, named here: a feature set, the choice of the layer stack, an
    /// activation. Only the program that contains the code can evaluate it
    Code(String),
    /// the order of its feature sets is not that of checked declarations: a set of pieces, then
    /// sets of pairs
    Sets,
    /// a scale, a shift or a weight type that checked declarations do not have
    Numbers,
}

impl Unsupported {
    /// The reason why `net` is unsupported, if it is.
    pub fn of(net: &NetDesc<'_>) -> Option<Self> {
        let mut sets = net.features.iter().map(|feature| feature.set);
        let custom = sets.find(|set| set.is_custom() && !set.is_listed());
        let what = match (custom, net.stacks.selector) {
            (Some(set), _) => Some(format!("the feature set `{}`", net.set_name(set))),
            (None, Selector::Custom) => {
                Some("the function that chooses the layer stack".to_owned())
            }
            (None, _) => net
                .custom_activation()
                .map(|path| format!("the activation `{path}`")),
        };
        what.map(Self::Code)
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sets => {
                f.write_str("the executor takes a set of pieces first, then sets of pairs")
            }
            Self::Numbers => {
                f.write_str("no kernel takes a scale, a shift or a type of weights of this network")
            }
            Self::Code(what) => write!(
                f,
                "{what} is code of a program, which alone evaluates this network"
            ),
        }
    }
}

impl core::error::Error for Unsupported {}
