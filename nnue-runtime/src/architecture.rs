//! The traits between a declared network and the runtime. The macro implements them;
//! `examples/without_macro.rs` implements them by hand.
//!
//! ```text
//!   Model          any game: tensors, accumulators, layers             loading, writing, Network
//!     └ Game       how accumulators follow positions: Chess or Custom  AccumulatorStack
//!         └ Reads  the positions that the game reads                   Network::evaluate
//!   Architecture   a Model of chess: its feature sets, the choice of the layers
//! ```

use alloc::vec::Vec;

use nnue_spec::{Fen, NetDesc, TensorMut, TensorRef, TensorRole};

use crate::accumulator::{Chess, Game};
use crate::board::{FenBoard, Position, Snapshot};
use crate::feature_floats::FloatRows;
use crate::features::{FeatureSet, PairSets};
use crate::output::Output;
use crate::simd::{Level, Simd};
use crate::transform::Transform;

/// A declared network of any game: a marker type that names its parameters and defines its forward
/// pass.
///
/// `nnue!` implements it, together with [`Architecture`] for chess networks or
/// [`game::Architecture`](crate::game::Architecture) for networks over a user-defined feature set.
/// Hold a [`Network`](crate::Network) of it to load and evaluate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Model: Sized + Send + Sync + 'static {
    /// The descriptor: everything about the network except its weights.
    const SPEC: NetDesc<'static>;
    /// How accumulators follow positions: [`game::Chess`](crate::game::Chess) or
    /// [`game::Custom`](crate::game::Custom).
    type Game: ReadsGolden<Self>;
    /// All weights.
    type Params: Parameters;
    /// The feature transformer: the weights from which accumulators are computed.
    type Transformer: Transform;
    /// The output of the last layer: `i32`, or floats for float layers.
    type Output: Output;

    /// The feature transformer among the parameters.
    fn transformer(params: &Self::Params) -> &Self::Transformer;

    /// The floats of features that are added to the output; not empty only if
    /// `SPEC.accumulator.psqt_floats` is set.
    fn psqt_floats(params: &Self::Params) -> FloatRows<'_> {
        let _ = params;
        FloatRows::default()
    }

    /// The output of layer stack `stack` (below `SPEC.stacks.count`) from the accumulators of the
    /// first and the second perspective.
    ///
    /// Implementations are `#[inline(always)]`, so that they are compiled with the instructions of
    /// the level.
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

/// The argument of [`AccumulatorStack::push`](crate::AccumulatorStack::push), the changes of a
/// move: in chess a [`Change`](crate::Change), else the [`Change`](crate::game::Inputs::Change) of
/// the user-defined inputs.
pub type ChangeOf<A> = <<A as Model>::Game as Game<<A as Model>::Transformer>>::Change;

/// The board from which a network's accumulators are computed.
pub type BoardOf<'a, A> = <<A as Model>::Game as Game<<A as Model>::Transformer>>::Board<'a>;

/// A game whose networks evaluate positions of type `P`: in chess every [`Position`], else the
/// positions of the [`Inputs`](crate::game::Inputs).
#[diagnostic::on_unimplemented(
    message = "`{A}` does not read positions of type `{P}`",
    label = "not a position of this network's game",
    note = "networks of chess read every `nnue::Position`, those over inputs of the program its `Inputs::Position`"
)]
pub trait Reads<A: Model, P: ?Sized>: Game<A::Transformer> {
    /// Calls `read` with the board of `position`.
    fn with<R>(position: &P, read: impl FnOnce(&Self::Board<'_>) -> R) -> R;

    /// The layer stack for `position` with the board `board`: below `A::SPEC.stacks.count`.
    fn bucket(position: &P, board: &Self::Board<'_>) -> usize;
}

/// A game whose golden positions can be built: from FENs in chess, else from the items that the
/// declaration names.
pub trait ReadsGolden<A: Model>: Game<A::Transformer> {
    /// Calls `read` with the board of the position of golden value `index` and its layer stack.
    /// Returns `None` if there is no such value, or if its text is not a position.
    fn with_golden<R>(index: usize, read: impl FnOnce(&Self::Board<'_>, usize) -> R) -> Option<R>;
}

/// A declared chess network: the part that depends on positions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network of chess",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture:
    Model<Game = Chess<<Self as Architecture>::Features, <Self as Architecture>::Pairs>>
{
    /// The set of pieces.
    type Features: FeatureSet;
    /// The sets of pairs: a tuple of [`PairSet`](crate::features::PairSet)s, `()` if there are
    /// none.
    type Pairs: PairSets;

    /// The layer stack for `position` with `pieces` pieces, kings included. Results of
    /// `SPEC.stacks.count` or more select the last stack.
    ///
    /// Declarations that name a function of the program call it; all others choose by the number of
    /// pieces.
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

    /// The tensors that the file holds as memory does.
    const IN_PLACE: &'static [TensorRole] = &[];

    /// Replaces a tensor of [`IN_PLACE`](Self::IN_PLACE) by its bytes in the program.
    fn embed(params: &mut Self::Params, role: TensorRole, bytes: &'static [u8]) {
        let _ = (params, role, bytes);
    }
}

/// The weights of a network: typed tensors in file order, and copies that are prepared for one
/// instruction level.
pub trait Parameters: Send + Sync + 'static {
    /// All weights zero, nothing prepared.
    fn zeroed() -> Self;

    /// The tensors in the order of `SPEC.tensors`; the copies of a tensor (one per layer stack)
    /// follow each other.
    fn tensors(&self) -> Vec<TensorRef<'_>>;

    /// [`Self::tensors`] for writing. Call [`Self::prepare`] afterwards.
    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>>;

    /// Makes the copies that the kernels of `level` read.
    fn prepare(&mut self, level: Level);
}
