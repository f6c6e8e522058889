//! The traits between a declared network and the runtime. The macro implements them; `examples/without_macro.rs` shows
//! the same by hand.
//!
//! ```text
//!   Model          any game: tensors, accumulators, layers             loading, writing, Network
//!     └ Game       how accumulators follow positions: Chess or Custom  AccumulatorStack
//!         └ Reads  the positions that the game reads                   Network::evaluate
//!   Architecture   a Model of chess: its feature sets, the choice of the layers
//! ```

use alloc::vec::Vec;

use nnue_spec::{Fen, NetDesc, TensorMut, TensorRef};

use crate::accumulator::{Chess, Game};
use crate::board::{FenBoard, Position, Snapshot};
use crate::feature_floats::FloatRows;
use crate::features::{FeatureSet, PairSets};
use crate::output::Output;
use crate::simd::{Level, Simd};
use crate::transform::Transform;

/// A declared network of any game: a marker type that says what its parameters are and how they give a number.
///
/// `nnue!` implements it, and with it [`Architecture`] for networks of chess, or [`game::Architecture`](crate::game::Architecture) for
/// those over a feature set of the program. Hold a [`Network`](crate::Network) of it to load and evaluate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Model: Sized + Send + Sync + 'static {
    /// Everything about the network but its weights.
    const SPEC: NetDesc<'static>;
    /// How accumulators follow positions: [`game::Chess`](crate::game::Chess) or [`game::Custom`](crate::game::Custom).
    type Game: ReadsGolden<Self>;
    /// All weights.
    type Params: Parameters;
    /// The part of the weights that makes accumulators.
    type Transformer: Transform;
    /// What comes out of the last layer: `i32`, or floats after layers of floats.
    type Output: Output;

    /// The feature transformer among the parameters.
    fn transformer(params: &Self::Params) -> &Self::Transformer;

    /// The floats of features that are added to the output, if `SPEC.accumulator.psqt_floats` says that there are any.
    fn psqt_floats(params: &Self::Params) -> FloatRows<'_> {
        let _ = params;
        FloatRows::default()
    }

    /// The output of layer stack `stack`, which is below `SPEC.stacks.count`, from the accumulators of the first and of the second
    /// perspective.
    ///
    /// Implementations are `#[inline(always)]`, so that they compile inside the shell of the level.
    fn forward<S: Simd>(
        simd: S,
        params: &Self::Params,
        us: &Accumulator<Self>,
        them: &Accumulator<Self>,
        stack: usize,
    ) -> Self::Output;
}

/// The accumulator of one perspective of a network.
pub type Accumulator<A> = <<A as Model>::Transformer as Transform>::Accumulator;

/// What a move changes, as [`AccumulatorStack::push`](crate::AccumulatorStack::push) takes it: in chess a [`Change`](crate::Change), else the
/// [`Change`](crate::game::Inputs::Change) of the program's own inputs.
pub type ChangeOf<A> = <<A as Model>::Game as Game<<A as Model>::Transformer>>::Change;

/// What accumulators of a network read of a position.
pub type BoardOf<'a, A> = <<A as Model>::Game as Game<<A as Model>::Transformer>>::Board<'a>;

/// A game whose networks evaluate positions of type `P`: in chess all that implement [`Position`], else those of the
/// [`Inputs`](crate::game::Inputs).
#[diagnostic::on_unimplemented(
    message = "`{A}` does not read positions of type `{P}`",
    label = "not a position of this network's game",
    note = "networks of chess read every `nnue::Position`, those over inputs of the program its `Inputs::Position`"
)]
pub trait Reads<A: Model, P: ?Sized>: Game<A::Transformer> {
    /// Calls `read` with what accumulators read of `position`.
    fn with<R>(position: &P, read: impl FnOnce(&Self::Board<'_>) -> R) -> R;

    /// The layer stack for `position`, whose board is `board`: below `A::SPEC.stacks.count`.
    fn bucket(position: &P, board: &Self::Board<'_>) -> usize;
}

/// A game whose golden positions are known: of chess by their FENs, of another game by what the declaration names.
pub trait ReadsGolden<A: Model>: Game<A::Transformer> {
    /// Calls `read` with what accumulators read of the position of golden value `index`, and with its layer stack. Nothing is called if there
    /// is no such value, or if its text is no position.
    fn with_golden<R>(index: usize, read: impl FnOnce(&Self::Board<'_>, usize) -> R) -> Option<R>;
}

/// A declared network of chess: the part of it that depends on positions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network of chess",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture:
    Model<Game = Chess<<Self as Architecture>::Features, <Self as Architecture>::Pairs>>
{
    /// Which rows of the set of pieces are active in a position.
    type Features: FeatureSet;
    /// Which rows of the sets of pairs are: a tuple of [`PairSet`](crate::features::PairSet)s, `()` if there are none.
    type Pairs: PairSets;

    /// The layer stack for `position`, on which `pieces` pieces stand, kings included. Numbers from `SPEC.stacks.count` on
    /// count as the last stack.
    ///
    /// Declarations that name a function of the program call it; all others choose by the number of pieces.
    #[inline(always)]
    fn stack<P: Position>(position: &P, pieces: usize) -> usize {
        let _ = position;
        Self::SPEC.stacks.select(pieces)
    }
}

impl<A: Architecture, P: Position> Reads<A, P> for Chess<A::Features, A::Pairs> {
    #[inline(always)]
    fn with<R>(position: &P, read: impl FnOnce(&Snapshot<'_>) -> R) -> R {
        Snapshot::with(position, read)
    }

    #[inline(always)]
    fn bucket(position: &P, board: &Snapshot<'_>) -> usize {
        A::stack(position, board.piece_count()).min(A::SPEC.stacks.count - 1)
    }
}

impl<A: Architecture> ReadsGolden<A> for Chess<A::Features, A::Pairs> {
    fn with_golden<R>(index: usize, read: impl FnOnce(&Snapshot<'_>, usize) -> R) -> Option<R> {
        let fen = Fen::parse(A::SPEC.goldens.get(index)?.fen).ok()?;
        let position = FenBoard::new(&fen);
        Some(Snapshot::with(&position, |board| {
            read(
                board,
                <Self as Reads<A, FenBoard>>::bucket(&position, board),
            )
        }))
    }
}

/// An architecture with a network embedded in the program: `weights "path"` in its declaration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no embedded weights",
    label = "this network must be loaded",
    note = "write `weights \"path/to/file.nnue\"` in its declaration, or load a file with `Network::open`"
)]
pub trait Embedded: Model {
    /// The bytes of the file.
    const BYTES: &'static [u8];
}

/// The weights of a network: typed tensors in file order, and copies of them prepared for one instruction level.
pub trait Parameters: Send + Sync + 'static {
    /// All weights zero, nothing prepared.
    fn zeroed() -> Self;

    /// The tensors in the order of `SPEC.tensors`; the copies of a tensor (one per layer stack) one after the other.
    fn tensors(&self) -> Vec<TensorRef<'_>>;

    /// As [`Self::tensors`], to be filled. [`Self::prepare`] must follow.
    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>>;

    /// Makes the copies that the kernels of `level` read.
    fn prepare(&mut self, level: Level);
}
