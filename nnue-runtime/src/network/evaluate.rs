//! Evaluates positions of any game: accumulators first, then the layers.

use super::seen::Seen;
use super::{AccumulatorStack, Accumulators, Evaluation, Network, RealEvaluation, Trace};
use crate::accumulator::{Game, Perspectives};
use crate::architecture::{Accumulator, BoardOf, Model, Reads};
use crate::board::Color;
use crate::transform::Transform;

/// Positions: [`Position`](crate::Position)s in chess, those of [`Inputs`](crate::game::Inputs) for
/// user-defined sets.
impl<A: Model> Network<A> {
    /// The evaluation of `position`.
    ///
    /// `stack` must have followed the moves that led to `position`; its accumulators are updated
    /// first. Nothing is allocated, except that over user-defined inputs the lists of rows may
    /// still grow. If features have floats (`psqt 3: f32`) over user-defined inputs, each
    /// evaluation also allocates a list of the rows.
    #[inline]
    pub fn evaluate<P: ?Sized>(&self, position: &P, stack: &mut AccumulatorStack<A>) -> Evaluation
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let [us, them] = self.current(board, stack);
            self.judge(us, them, self.see(position, board))
        })
    }

    /// [`evaluate`](Self::evaluate) with the value before it is rounded.
    pub fn evaluate_real<P: ?Sized>(
        &self,
        position: &P,
        stack: &mut AccumulatorStack<A>,
    ) -> RealEvaluation
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let [us, them] = self.current(board, stack);
            self.judge_real(us, them, self.see(position, board))
        })
    }

    /// The output of the last layer for `position`, before it becomes a value: a float with all its
    /// bits, for example. For a network declared `white_first`, it is from White's point of view.
    ///
    /// `stack` must have followed the moves that led to `position`, as for
    /// [`evaluate`](Self::evaluate).
    #[inline]
    pub fn output<P: ?Sized>(&self, position: &P, stack: &mut AccumulatorStack<A>) -> A::Output
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let [us, them] = self.current(board, stack);
            self.output_with(us, them, self.see(position, board))
        })
    }

    /// Updates the accumulators of `stack` for `position`, as [`evaluate`](Self::evaluate) does,
    /// without evaluating.
    pub fn update<P: ?Sized>(&self, position: &P, stack: &mut AccumulatorStack<A>)
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.current(board, stack);
        });
    }

    /// The evaluation of `position`, computed from scratch.
    pub fn evaluate_fresh<P: ?Sized>(&self, position: &P) -> Evaluation
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.forward(&self.accumulate_read(board, self.see(position, board)))
        })
    }

    /// [`evaluate_fresh`](Self::evaluate_fresh) with the value before it is rounded.
    pub fn evaluate_fresh_real<P: ?Sized>(&self, position: &P) -> RealEvaluation
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let Accumulators { pair, seen } =
                self.accumulate_read(board, self.see(position, board));
            let [us, them] = &pair;
            self.judge_real(us, them, seen)
        })
    }

    /// The evaluation of `position` by every layer stack, computed from scratch.
    pub fn trace<P: ?Sized>(&self, position: &P) -> Trace
    where
        A::Game: Reads<A, P>,
    {
        self.trace_of(&self.accumulate(position))
    }

    /// The accumulators of `position`, computed from scratch.
    pub fn accumulate<P: ?Sized>(&self, position: &P) -> Accumulators<A>
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.accumulate_board(board, self.see(position, board))
        })
    }
}

/// Boards: the parts of positions that accumulators depend on.
impl<A: Model> Network<A> {
    pub(super) const PERSPECTIVES: Perspectives = Perspectives::of(&A::SPEC.accumulator);

    /// The sides whose accumulators are read, in reading order.
    pub(super) fn sides(&self, board: &BoardOf<'_, A>) -> [Color; 2] {
        Self::PERSPECTIVES.sides(A::Game::side_to_move(board))
    }

    /// The updated accumulators of the top of `stack`.
    #[inline(always)]
    pub(super) fn current<'s>(
        &self,
        board: &BoardOf<'_, A>,
        stack: &'s mut AccumulatorStack<A>,
    ) -> [&'s Accumulator<A>; 2] {
        stack.bind(self.id);
        A::Game::current(
            &mut stack.line,
            self.level(),
            A::transformer(&self.params),
            board,
            Self::PERSPECTIVES,
        )
    }

    /// The accumulator of `side` from the bias, without a stack.
    pub(super) fn build(&self, board: &BoardOf<'_, A>, side: Color) -> Accumulator<A> {
        A::Game::build(self.level(), A::transformer(&self.params), board, side)
    }

    /// Both accumulators from the bias, whether layers read them or not.
    fn accumulate_board(&self, board: &BoardOf<'_, A>, seen: Seen) -> Accumulators<A> {
        let first = Self::PERSPECTIVES.first(seen.to_move);
        self.accumulate_sides(board, seen, &[first, first.other()])
    }

    /// The accumulators of these sides; those of others are zeros.
    #[inline(always)]
    fn accumulate_sides(
        &self,
        board: &BoardOf<'_, A>,
        seen: Seen,
        sides: &[Color],
    ) -> Accumulators<A> {
        // Built in place: an accumulator that is returned is copied.
        let mut accumulators = Accumulators {
            pair: [A::Transformer::zeroed(), A::Transformer::zeroed()],
            seen,
        };
        let transformer = A::transformer(&self.params);
        for (&side, target) in sides.iter().zip(&mut accumulators.pair) {
            A::Game::build_into(self.level(), transformer, board, side, target);
        }
        accumulators
    }

    /// The accumulators that layers read, from the bias: the same evaluation for half the work if
    /// they read only one. The other one holds zeros, so the result must not leave the crate.
    pub(super) fn accumulate_read(&self, board: &BoardOf<'_, A>, seen: Seen) -> Accumulators<A> {
        if Self::PERSPECTIVES.reads_both() {
            return self.accumulate_board(board, seen);
        }
        self.accumulate_sides(board, seen, &[Self::PERSPECTIVES.first(seen.to_move)])
    }
}
