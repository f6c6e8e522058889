//! The two halves of an evaluation, one at a time: for measurements, and for programs that keep accumulators in a way of
//! their own.

use crate::accumulator::AccumulatorStack;
use crate::architecture::{Accumulator, Architecture, Transform};
use crate::board::{Position, Snapshot};
use crate::evaluation::Evaluation;
use crate::network::Network;
use crate::simd::{Simd, Task, dispatch};

/// The accumulators of a position, and the layer stack that it uses: what the forward pass needs.
pub struct Accumulators<A: Architecture> {
    /// side to move, other side
    pair: [Accumulator<A>; 2],
    bucket: usize,
}

impl<A: Architecture> Accumulators<A> {
    /// The neurons of the side to move, then those of the other side.
    pub fn values(&self) -> [&[i16]; 2] {
        self.pair.each_ref().map(A::Transformer::values)
    }

    /// The PSQT outputs of the side to move, then those of the other side; empty if the network has none.
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
        Snapshot::with(position, |board| dispatch(self.level(), Update { network: self, board, stack }));
    }

    /// The accumulators of `position`, computed from the position alone.
    pub fn accumulate<P: Position>(&self, position: &P) -> Accumulators<A> {
        Snapshot::with(position, |board| dispatch(self.level(), Accumulate { network: self, board }))
    }

    /// What the network says about the position that `accumulators` were made for.
    pub fn forward(&self, accumulators: &Accumulators<A>) -> Evaluation {
        dispatch(self.level(), Forward { network: self, accumulators })
    }
}

struct Update<'a, 'b, A: Architecture> {
    network: &'a Network<A>,
    board: &'a Snapshot<'b>,
    stack: &'a mut AccumulatorStack<A>,
}

impl<A: Architecture> Task for Update<'_, '_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.stack.current(simd, A::transformer(self.network.params()), self.board);
    }
}

struct Accumulate<'a, 'b, A: Architecture> {
    network: &'a Network<A>,
    board: &'a Snapshot<'b>,
}

impl<A: Architecture> Task for Accumulate<'_, '_, A> {
    type Output = Accumulators<A>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Accumulators<A> {
        let bucket = A::SPEC.stacks.select(self.board.piece_count());
        Accumulators { pair: self.network.accumulators(simd, self.board), bucket }
    }
}

struct Forward<'a, A: Architecture> {
    network: &'a Network<A>,
    accumulators: &'a Accumulators<A>,
}

impl<A: Architecture> Task for Forward<'_, A> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Evaluation {
        let [us, them] = &self.accumulators.pair;
        self.network.judge(simd, us, them, self.accumulators.bucket)
    }
}
