//! The traits between a declared network and the runtime. The macro implements them; `examples/without_macro.rs` shows
//! the same by hand.

use alloc::vec::Vec;

use nnue_format::LoadError;
use nnue_spec::{NetDesc, TensorMut, TensorRef};

use crate::board::Position;
use crate::features::{FeatureSet, PairSets};
use crate::golden;
use crate::network::Network;
use crate::output::Output;
use crate::simd::{AvailableLevel, Level, Simd};

/// A declared network of any game: what of it does not depend on positions, which is all that loading, writing and the
/// forward pass need.
///
/// Every [`Architecture`], which is one of chess, is a model; those of other games are a
/// [`game::Architecture`](crate::game::Architecture).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Model: Sized + Send + Sync + 'static {
    /// Everything about the network but its weights.
    const SPEC: NetDesc<'static>;
    /// All weights.
    type Params: Parameters;
    /// The part of the weights that makes accumulators.
    type Transformer: Transform;
    /// What comes out of the last layer: `i32`, or floats behind layers of floats.
    type Output: Output;

    /// The feature transformer among the parameters.
    fn transformer(params: &Self::Params) -> &Self::Transformer;

    /// The output of layer stack `stack`, which is below `SPEC.stacks.count`, from the accumulators of the side to
    /// move and of the other side.
    fn forward<S: Simd>(
        simd: S,
        params: &Self::Params,
        us: &Accumulator<Self>,
        them: &Accumulator<Self>,
        stack: usize,
    ) -> Self::Output;

    /// Compares the golden values of `SPEC` with what `network` says, where loaders cannot: in networks of chess that
    /// [functions of the program](NetDesc::has_own_functions) take part in. Every load ends with it.
    ///
    /// # Errors
    ///
    /// [`LoadErrorKind::Golden`](crate::LoadErrorKind::Golden): a value is another one.
    fn check_golden(network: &Network<Self>) -> Result<(), LoadError> {
        let _ = network;
        Ok(())
    }
}

impl<A: Architecture> Model for A {
    const SPEC: NetDesc<'static> = A::SPEC;
    type Params = A::Params;
    type Transformer = A::Transformer;
    type Output = A::Output;

    #[inline(always)]
    fn transformer(params: &Self::Params) -> &Self::Transformer {
        A::transformer(params)
    }

    #[inline(always)]
    fn forward<S: Simd>(
        simd: S,
        params: &Self::Params,
        us: &Accumulator<Self>,
        them: &Accumulator<Self>,
        stack: usize,
    ) -> Self::Output {
        A::forward(simd, params, us, them, stack)
    }

    fn check_golden(network: &Network<Self>) -> Result<(), LoadError> {
        golden::check(network)
    }
}

/// A declared network of chess: a marker type that says what its parameters are and how they give a number.
///
/// `nnue!` implements it. Hold a [`Network`] of it to load and evaluate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network",
    label = "expected a type declared with `nnue!`",
    note = "declare it: `nnue! {{ pub struct {Self} = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture: Sized + Send + Sync + 'static {
    /// Everything about the network but its weights.
    const SPEC: NetDesc<'static>;
    /// Which rows of the set of pieces are active in a position.
    type Features: FeatureSet;
    /// Which rows of the sets of pairs are: a tuple of [`PairSet`](crate::features::PairSet)s, `()` if there are none.
    type Pairs: PairSets;
    /// All weights.
    type Params: Parameters;
    /// The part of the weights that makes accumulators.
    type Transformer: Transform;
    /// What comes out of the last layer: `i32`, or `f32` behind layers of floats.
    type Output: Output;

    /// The feature transformer among the parameters.
    fn transformer(params: &Self::Params) -> &Self::Transformer;

    /// The layer stack for `position`, on which `pieces` pieces stand, kings included. Numbers from `SPEC.stacks.count` on
    /// count as the last stack.
    ///
    /// Declarations that name a function of the user's call it; all others choose by the number of pieces.
    #[inline(always)]
    fn stack<P: Position>(position: &P, pieces: usize) -> usize {
        let _ = position;
        Self::SPEC.stacks.select(pieces)
    }

    /// The output of layer stack `stack`, from the accumulators of the side to move and of the other side.
    ///
    /// `stack` is below `SPEC.stacks.count`. Implementations are `#[inline(always)]`, so that they compile inside the
    /// shell of the level.
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

/// What changes in the rows of one accumulator.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowChanges<'a> {
    /// rows of the set of pieces to subtract
    pub removed: &'a [u32],
    /// rows of the set of pieces to add
    pub added: &'a [u32],
    /// rows of the sets of pairs to subtract
    pub pairs_removed: &'a [u32],
    /// rows of the sets of pairs to add
    pub pairs_added: &'a [u32],
}

impl RowChanges<'_> {
    /// Nothing changes.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.pairs_removed.is_empty() && self.pairs_added.is_empty()
    }
}

/// A feature transformer: rows of weights whose sum over the active features, plus a bias, is an accumulator.
pub trait Transform: Send + Sync + 'static {
    /// The sums of one perspective.
    type Accumulator: Clone + Send + Sync + 'static;

    /// An accumulator of zeros.
    fn zeroed() -> Self::Accumulator;

    /// The bias, without any row.
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator);

    /// The neurons that layers read if the accumulator's perspective is the first, and those if it is the second: the same,
    /// unless the perspectives have weights of their own.
    fn values(accumulator: &Self::Accumulator) -> [&[i16]; 2];

    /// The PSQT outputs; empty if the network has none.
    fn psqt(accumulator: &Self::Accumulator) -> &[i32];

    /// `target = source - rows in removed + rows in added`. Made for the few rows of a move.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn update(
        &self,
        level: AvailableLevel,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    );

    /// `update` for both sides: `targets[i] = sources[i]` less the first list of `rows[i]` plus the second.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn update_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        targets: &mut [Self::Accumulator; 2],
        rows: [(&[u32], &[u32]); 2],
    ) {
        for ((source, target), (removed, added)) in sources.into_iter().zip(targets).zip(rows) {
            self.update(level, source, target, removed, added);
        }
    }

    /// Starts loading a row into the processor's caches: a hint that may do nothing, whatever the row.
    #[inline(always)]
    fn prefetch(&self, row: u32) {
        let _ = row;
    }

    /// `target = bias + rows in added`.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn build(&self, level: AvailableLevel, target: &mut Self::Accumulator, added: &[u32]);

    /// `target = cached = bias + rows in added`.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn fill(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        added: &[u32],
    ) {
        self.build(level, target, added);
        cached.clone_from(target);
    }

    /// `target = cached = cached - rows in removed + rows in added`.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn renew(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    );

    /// `target = source`, changed by rows of pieces and pairs.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn update_pairs(
        &self,
        level: AvailableLevel,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    );

    /// [`Self::update_pairs`] for both sides.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn update_pairs_of_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        targets: &mut [Self::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        for ((source, target), rows) in sources.into_iter().zip(targets).zip(rows) {
            self.update_pairs(level, source, target, rows);
        }
    }

    /// Starts loading a row of the sets of pairs, as [`Self::prefetch`] does.
    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        let _ = row;
    }

    /// `target = bias`, changed by rows of pieces and pairs.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn build_pairs(&self, level: AvailableLevel, target: &mut Self::Accumulator, rows: RowChanges<'_>);

    /// `cached` changes by the rows of pieces; `target = cached` changed by the rows of pairs.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn renew_pairs(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    );

    /// `cached` changes by the rows of pieces; `target = source - left + cached` changed by the rows of pairs.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    fn replace_pieces(
        &self,
        level: AvailableLevel,
        source_and_left: [&Self::Accumulator; 2],
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    );
}
