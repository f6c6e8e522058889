//! Networks of any architecture, behind object-safe traits.
//!
//! A `Network<A>` is generic over its declaration, so whatever is generic over it too is compiled once for each declaration and
//! level. The command has compiled code for some of the declarations that it knows. The traits below are all that it compiles for each of them; everything else
//! it does with a network is compiled once, on top of these traits. A call through a trait object costs one or two nanoseconds, an evaluation
//! a hundred or more.
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

/// A backend that others share.
#[cfg(feature = "backends")]
pub(crate) type Shared = std::sync::Arc<dyn nnue_backend::Backend<nnue_backend::Chess>>;

/// A network that evaluates positions, with compiled code or without.
pub(crate) trait Evaluator: Send + Sync {
    /// Everything about it but its weights.
    fn spec(&self) -> &'static NetDesc<'static>;

    /// What its file says besides the weights.
    fn header(&self) -> &Header;

    /// The weights.
    fn tensors(&self) -> Vec<TensorRef<'_>>;

    /// Who evaluates, in words.
    fn evaluated_by(&self) -> String;

    /// The names of the columns that tables show after the two parts; none where only the parts are compared.
    fn columns(&self) -> Vec<&'static str>;

    /// Evaluates a position from scratch.
    fn evaluate(&self, position: &Placement) -> Verdict;

    /// Evaluates a position with every layer stack.
    fn trace(&self, position: &Placement) -> Verdicts;

    /// The outputs beside the value, by name. Known networks have none.
    fn outputs(&self, position: &Placement) -> Vec<(&'static str, Vec<f32>)> {
        let _ = position;
        Vec::new()
    }

    /// A line of moves, at its root.
    fn line(&self) -> Box<dyn Line + '_>;
}

/// A line of moves that a network evaluates, incrementally if it can.
pub(crate) trait Line {
    /// A move was made that changes the board like this.
    fn push(&mut self, change: Change);

    /// The last move was taken back.
    fn pop(&mut self);

    /// Evaluates the position that the moves lead to.
    fn evaluate(&mut self, position: &Placement) -> Verdict;
}

/// A network on kernels, of any architecture.
pub(crate) trait AnyNetwork: Evaluator {
    /// The level whose instructions evaluate.
    fn level(&self) -> AvailableLevel;

    /// The same network for another level.
    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork>;

    /// An accumulator stack for it, at its root.
    fn stack(&self) -> Box<dyn Stack + '_>;

    /// Memory for batches on so many threads.
    fn batches(&self, threads: usize) -> Box<dyn Batches + '_>;

    /// The accumulators of some positions, one after the other in memory.
    fn accumulate(
        &self,
        positions: &mut dyn Iterator<Item = &Placement>,
    ) -> Box<dyn Accumulated + '_>;

    /// Which rows of its weights positions and moves need.
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

/// An accumulator stack and its network.
pub(crate) trait Stack: Line {
    /// Back to the root, with a warm refresh cache.
    fn reset(&mut self);

    /// Back to the root, with an empty refresh cache.
    fn clear(&mut self);

    /// Brings the accumulators up to date, without the forward pass.
    fn update(&mut self, position: &Placement);

    /// Evaluates the position after each of `changes`.
    fn evaluate_children(&mut self, position: &Placement, changes: &[Change]) -> &[Evaluation];
}

/// Memory for batches, one for each thread, and their network.
pub(crate) trait Batches {
    /// Evaluates all positions: `values[i]` becomes that of `positions[i]`.
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]);
}

/// Accumulators of some positions and their network.
pub(crate) trait Accumulated {
    /// How many positions there are.
    fn count(&self) -> usize;

    /// The forward pass for every position: one call for all, because a call through a trait object is a few percent of a small network's
    /// forward pass.
    fn forward_all(&self);
}
