//! What a network says, with the numbers that only the reference interpreter shows.

use nnue::Evaluation;

/// What a layer stack says about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// the parts and the value
    pub(crate) evaluation: Evaluation,
    /// the number that the positional part was made from
    pub(crate) inner: Inner,
}

/// The number that the positional part was made from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inner {
    /// it is not shown
    Hidden,
    /// the sum of the products of 16-bit weights, before it is divided and the bias added
    Sum(i64),
    /// the output of a layer of floats
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

/// What every layer stack says about a position.
pub(crate) struct Verdicts {
    /// the stack that counts
    pub(crate) bucket: usize,
    /// what each says, by its index
    pub(crate) buckets: Vec<Verdict>,
}

impl Verdicts {
    /// What counts.
    pub(crate) fn used(&self) -> Verdict {
        self.buckets[self.bucket]
    }
}
