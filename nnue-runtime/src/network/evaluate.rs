//! Evaluating positions of any game: accumulators first, then the layers.

use super::seen::Seen;
use super::{AccumulatorStack, Accumulators, Evaluation, Network, Trace};
use crate::accumulator::{Game, Perspectives};
use crate::architecture::{Accumulator, BoardOf, Model, Reads};
use crate::board::Color;
use crate::both::both;
use crate::transform::Transform;

/// Positions: those of [`Position`](crate::Position) in chess, those of [`Inputs`](crate::game::Inputs) in networks over a set of the program.
impl<A: Model> Network<A> {
    /// What the network says about `position`.
    ///
    /// `stack` followed the moves that led to `position`; its accumulators are brought up to date first. Nothing is
    /// allocated; over inputs of the program, nothing once the lists of rows have their greatest lengths, unless features have floats
    /// (`psqt 3: f32`), for which the rows are listed anew.
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

    /// What comes out of the last layer for `position`, before it becomes a value: a float with all its bits, for example.
    /// Of a network declared `white_first`, it is from White's point of view.
    ///
    /// `stack` followed the moves that led to `position`, as for [`evaluate`](Self::evaluate).
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

    /// Brings the accumulators of `stack` up to date for `position`, as [`evaluate`](Self::evaluate) does, and evaluates
    /// nothing.
    pub fn update<P: ?Sized>(&self, position: &P, stack: &mut AccumulatorStack<A>)
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.current(board, stack);
        });
    }

    /// What the network says about `position`, computed from the position alone.
    pub fn evaluate_fresh<P: ?Sized>(&self, position: &P) -> Evaluation
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.forward(&self.accumulate_read(board, self.see(position, board)))
        })
    }

    /// What every layer stack says about `position`, computed from the position alone.
    pub fn trace<P: ?Sized>(&self, position: &P) -> Trace
    where
        A::Game: Reads<A, P>,
    {
        self.trace_of(&self.accumulate(position))
    }

    /// The accumulators of `position`, computed from the position alone.
    pub fn accumulate<P: ?Sized>(&self, position: &P) -> Accumulators<A>
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            self.accumulate_board(board, self.see(position, board))
        })
    }
}

/// Boards: positions as far as accumulators depend on them.
impl<A: Model> Network<A> {
    pub(super) const PERSPECTIVES: Perspectives = Perspectives::of(&A::SPEC.accumulator);

    /// The sides whose accumulators are read, in that order.
    pub(super) fn sides(&self, board: &BoardOf<'_, A>) -> [Color; 2] {
        Self::PERSPECTIVES.sides(A::Game::side_to_move(board))
    }

    /// The accumulators of the top of `stack`, brought up to date.
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
        Accumulators {
            pair: both([first, first.other()], |side| self.build(board, side)),
            seen,
        }
    }

    /// The accumulators that layers read, from the bias: the same evaluation for half of the work where they read one. The
    /// other one holds zeros, so that these stay inside the crate.
    pub(super) fn accumulate_read(&self, board: &BoardOf<'_, A>, seen: Seen) -> Accumulators<A> {
        if Self::PERSPECTIVES.reads_both() {
            return self.accumulate_board(board, seen);
        }
        let first = self.build(board, Self::PERSPECTIVES.first(seen.to_move));
        Accumulators {
            pair: [first, A::Transformer::zeroed()],
            seen,
        }
    }
}
