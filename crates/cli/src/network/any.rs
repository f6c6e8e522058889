//! Networks of any architecture, behind object-safe traits.
//!
//! Code that is generic over a declaration (`Network<A>`) is compiled once per declaration and level, so the
//! command has compiled code for only some known declarations. Only the traits below are compiled per
//! declaration; all other code is compiled once, on top of them. A call through a trait object costs one or
//! two nanoseconds, an evaluation a hundred or more.
//!
//! ```text
//!   Evaluator     evaluates positions                        ──► Line           the same along the moves of a game
//!       ▲
//!   AnyNetwork    on kernels: Network<A>, dynamic::Network   ──► Stack          a Line that can be reset, for measurements
//!                                                            ──► Batches        many positions by one call
//!                                                            ──► Accumulated    accumulators, ready for the forward pass
//!                                                            ──► FeatureRows    which rows of weights a position needs
//! ```

use nnue::{AvailableLevel, Change, Evaluation};
use nnue_format::Header;
use nnue_spec::{NetDesc, TensorRef};

use super::{Verdict, Verdicts};
use crate::bench::FeatureRows;
use crate::input::Placement;

/// A reference-counted backend.
#[cfg(feature = "backends")]
pub(crate) type Shared = std::sync::Arc<dyn nnue_backend::Backend<nnue_backend::Chess>>;

/// A network that evaluates positions, compiled or not.
pub(crate) trait Evaluator: Send + Sync {
    fn spec(&self) -> &'static NetDesc<'static>;

    fn header(&self) -> &Header;

    fn tensors(&self) -> Vec<TensorRef<'_>>;

    /// What evaluates it, for messages.
    fn evaluated_by(&self) -> String;

    /// The name of the column for [`Verdict::inner`], if verdicts have one.
    fn inner_column(&self) -> Option<&'static str>;

    fn evaluate(&self, position: &Placement) -> Verdict;

    /// Evaluates a position with each layer stack.
    fn trace(&self, position: &Placement) -> Verdicts;

    /// The named outputs. Known networks have none.
    fn outputs(&self, position: &Placement) -> Vec<(&'static str, Vec<f32>)> {
        let _ = position;
        Vec::new()
    }

    fn line(&self) -> Box<dyn Line + '_>;
}

/// Evaluates positions along a line of moves, incrementally if possible.
pub(crate) trait Line {
    fn push(&mut self, change: Change);

    fn pop(&mut self);

    fn evaluate(&mut self, position: &Placement) -> Verdict;
}

/// A network that runs on kernels.
pub(crate) trait AnyNetwork: Evaluator {
    fn level(&self) -> AvailableLevel;

    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork>;

    /// Creates an accumulator stack at its root.
    fn stack(&self) -> Box<dyn Stack + '_>;

    /// Allocates buffers for batches, for `threads` threads.
    fn batches(&self, threads: usize) -> Box<dyn Batches + '_>;

    /// Computes the accumulators of positions, stored contiguously.
    fn accumulate(
        &self,
        positions: &mut dyn Iterator<Item = &Placement>,
    ) -> Box<dyn Accumulated + '_>;

    /// The rows of weights that positions and moves need.
    fn rows(&self) -> &dyn FeatureRows;

    /// The network as the backend `nnue`.
    #[cfg(feature = "backends")]
    fn into_backend(self: Box<Self>, name: &str, threads: usize, scale: f32) -> Shared;

    /// The network as the backend `reference`.
    #[cfg(feature = "backends")]
    fn into_reference(
        self: Box<Self>,
        name: &str,
        scale: f32,
    ) -> Result<Shared, nnue_backend::Error>;
}

pub(crate) trait Stack: Line {
    /// Returns to the root and keeps the refresh cache.
    fn reset(&mut self);

    /// Returns to the root and empties the refresh cache.
    fn clear(&mut self);

    /// Updates the accumulators without the forward pass.
    fn update(&mut self, position: &Placement);

    fn evaluate_children(&mut self, position: &Placement, changes: &[Change]) -> &[Evaluation];
}

/// A network and buffers for batches, one per thread.
pub(crate) trait Batches {
    /// Writes the value of `positions[i]` to `values[i]`.
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]);
}

/// A network and the accumulators of some positions.
pub(crate) trait Accumulated {
    fn count(&self) -> usize;

    /// Runs the forward pass for every position. One call for all, since a call through a trait object per
    /// position would add a few percent to a small network's forward pass.
    fn forward_all(&self);
}
