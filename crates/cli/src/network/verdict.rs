//! The result of an evaluation, with the inner number that only some networks show.

use nnue::Evaluation;

/// The result of a layer stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    pub(crate) evaluation: Evaluation,
    /// the number behind the positional part
    pub(crate) inner: Inner,
}

/// The number behind the positional part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inner {
    Hidden,
    /// the sum of products with 16-bit weights, before division and bias
    Sum(i64),
    /// the output of a float layer
    Float(f32),
}

impl From<Evaluation> for Verdict {
    fn from(evaluation: Evaluation) -> Self {
        Self {
            evaluation,
            inner: Inner::Hidden,
        }
    }
}

pub(crate) struct Verdicts {
    /// index of the selected stack
    pub(crate) bucket: usize,
    pub(crate) buckets: Vec<Verdict>,
}

impl Verdicts {
    pub(crate) fn used(&self) -> Verdict {
        self.buckets[self.bucket]
    }
}
