//! The results of an evaluation.

use alloc::vec::Vec;

/// The evaluation of a position. The value is from the side to move's point of view: positive is
/// good for it. The raw parts are too, except for a network declared `white_first`, where they are
/// from White's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// the raw PSQT part; 0 if the network has none
    pub psqt: i32,
    /// the raw part of the layers
    pub positional: i32,
    /// the layer stack (and PSQT output) that was used
    pub bucket: usize,
    /// both parts combined, in the network's output unit, from the side to move's point of view
    pub value: i32,
}

/// An [`Evaluation`] and the value before it was rounded to an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RealEvaluation {
    /// the evaluation in integers
    pub evaluation: Evaluation,
    /// [`Evaluation::value`] with its fraction: see [`ValueDesc::real`](nnue_spec::ValueDesc::real)
    pub real: f64,
}

impl From<RealEvaluation> for Evaluation {
    #[inline(always)]
    fn from(said: RealEvaluation) -> Self {
        said.evaluation
    }
}

/// The evaluations of a position by every layer stack of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// the stack of this position
    pub bucket: usize,
    /// the evaluation of each stack, by its index
    pub buckets: Vec<Evaluation>,
}

impl Trace {
    /// The result of [`Network::evaluate`](crate::Network::evaluate).
    pub fn evaluation(&self) -> Evaluation {
        self.buckets[self.bucket]
    }
}
