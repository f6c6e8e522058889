//! Values of expressions during the walk.

use alloc::vec::Vec;

use crate::check::MAX_CONCAT;
use crate::graph::Run;
use crate::loc::{Loc, Located};
use crate::model::Function;

/// The value of an expression. A length is `None` after an earlier error; the nodes are unused then.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    /// hidden by an earlier error
    Unknown,
    /// accumulators without an activation
    Accumulator,
    /// an activation; its reader determines its type and makes the node
    Activated(Activated<'a>),
    /// sums of a layer
    Sums { layer: usize, start: u64, len: u64 },
    /// runs of activated values
    Read { runs: Vec<Run>, len: Option<u64> },
}

/// An activation without a reader yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activated<'a> {
    pub(super) function: &'a Located<Function>,
    pub(super) shift: Option<Located<u64>>,
    /// `as i16`
    pub(super) words: Option<Loc>,
    /// the name that it is bound to
    pub(super) name: Option<&'a str>,
    pub(super) operand: Operand,
    pub(super) len: Option<u64>,
}

/// The operand of an activation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Accumulator,
    /// sums of a layer from `start` on
    Sums {
        layer: usize,
        start: u64,
    },
}

impl Value<'_> {
    /// Number of values, if it is known.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Self::Unknown | Self::Accumulator => None,
            Self::Sums { len, .. } => Some(*len),
            Self::Activated(Activated { len, .. }) | Self::Read { len, .. } => *len,
        }
    }

    /// A value of known length only, after an error.
    pub(super) const fn hidden(len: Option<u64>) -> Self {
        Self::Read {
            runs: Vec::new(),
            len,
        }
    }

    /// Values of a node.
    pub(super) fn read(node: usize, start: u64, len: Option<u64>) -> Self {
        let held = |number: u64| number.min(MAX_CONCAT) as usize;
        Self::Read {
            runs: [Run {
                node,
                start: held(start),
                len: held(len.unwrap_or(0)),
            }]
            .into(),
            len,
        }
    }
}
