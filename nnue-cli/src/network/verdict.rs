//! What a network says, with the numbers that only the reference interpreter shows.

use nnue::Evaluation;
use shakmaty::Chess;

/// What a layer stack says about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// the parts and the value
    pub(crate) evaluation: Evaluation,
    /// what lies behind them
    pub(crate) inner: Inner,
}

/// The number behind the positional part.
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
        Self { evaluation, inner: Inner::Hidden }
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

/// One ply of a game.
pub(crate) struct Ply<'a> {
    /// half-moves played so far
    pub(crate) number: usize,
    /// the position
    pub(crate) position: &'a Chess,
    /// what the network says about it
    pub(crate) verdict: Verdict,
}
