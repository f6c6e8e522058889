//! The two halves of an evaluation, one at a time: for measurements, and for programs that keep accumulators in a way of
//! their own.

use crate::accumulator::{AccumulatorStack, build, first_side};
use crate::architecture::{Accumulator, Architecture, Model, Transform};
use crate::board::{Color, Position, Snapshot};
use crate::evaluation::{Evaluation, Trace};
use crate::network::{Network, stack_of};

/// The accumulators of a position, and the layer stack that it uses: what the forward pass needs.
pub struct Accumulators<A: Model> {
    /// first perspective, second perspective
    pub(crate) pair: [Accumulator<A>; 2],
    pub(crate) bucket: usize,
    /// the side to move
    pub(crate) to_move: Color,
}

impl<A: Model> Accumulators<A> {
    pub(crate) fn new(pair: [Accumulator<A>; 2], bucket: usize, to_move: Color) -> Self {
        Self { pair, bucket, to_move }
    }

    /// The neurons of the side to move, then those of the other side; of a network declared `white_first`, White's, then Black's.
    pub fn values(&self) -> [&[i16]; 2] {
        let [[first, _], [_, second]] = self.pair.each_ref().map(A::Transformer::values);
        [first, second]
    }

    /// The PSQT outputs in the same order; empty if the network has none.
    pub fn psqt(&self) -> [&[i32]; 2] {
        self.pair.each_ref().map(A::Transformer::psqt)
    }

    /// The layer stack that the position uses.
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}

impl<A: Architecture> Network<A> {
    /// Brings the accumulators of `stack` up to date for `position`, as [`evaluate`](Self::evaluate) does, and evaluates
    /// nothing.
    pub fn update<P: Position>(&self, position: &P, stack: &mut AccumulatorStack<A>) {
        stack.bind(self.id());
        Snapshot::with(position, |board| {
            stack.current(self.level(), A::transformer(self.params()), board);
        });
    }

    /// The accumulators of `position`, computed from the position alone.
    pub fn accumulate<P: Position>(&self, position: &P) -> Accumulators<A> {
        Snapshot::with(position, |board| {
            let first = first_side::<A>(board.side_to_move);
            let of = |side| build::<A>(self.level(), A::transformer(self.params()), board, side);
            Accumulators::new([of(first), of(first.other())], stack_of::<A, P>(position, board), board.side_to_move)
        })
    }
}

impl<A: Model> Network<A> {
    /// What the network says about the position that `accumulators` were made for.
    pub fn forward(&self, accumulators: &Accumulators<A>) -> Evaluation {
        let [us, them] = &accumulators.pair;
        self.judge(us, them, accumulators.bucket, accumulators.to_move)
    }

    /// What every layer stack says about it.
    pub(crate) fn trace_of(&self, accumulators: &Accumulators<A>) -> Trace {
        let [us, them] = &accumulators.pair;
        let buckets = (0..A::SPEC.stacks.count).map(|bucket| self.judge(us, them, bucket, accumulators.to_move));
        Trace { bucket: accumulators.bucket, buckets: buckets.collect() }
    }
}
