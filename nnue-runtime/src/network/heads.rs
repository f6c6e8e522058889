//! Evaluating networks with several outputs: the value, and those of the others that the caller asks for.

use super::{AccumulatorStack, Accumulators, Evaluation, Network};
use crate::accumulator::Game;
use crate::architecture::Reads;
use crate::heads::{Heads, NamedOutputs};

impl<A: NamedOutputs> Network<A> {
    /// What [`evaluate`](Self::evaluate) says about `position`, and those of the other outputs that the type `H` asks for. What several outputs
    /// need is computed once, and nothing is computed for outputs that are not asked for.
    ///
    /// `H` is a type that the declaration generates. It is usually known from the pattern that takes the result, for an output
    /// `wdl = wdl(affine(x, 3))` of `Example` for example `let (evaluation, ExampleWdl(wdl)) = network.evaluate_with(&position, &mut stack);`
    ///
    /// ```
    /// # use nnue_runtime::{AccumulatorStack, Architecture, Heads, NamedOutputs, Network, Position};
    /// # fn f<MyNet: Architecture + NamedOutputs, MyNetWdl: Heads<MyNet>, MyNetMovesLeft: Heads<MyNet>>(
    /// #     network: &Network<MyNet>, position: &impl Position, stack: &mut AccumulatorStack<MyNet>) {
    /// let (evaluation, (wdl, left)): (_, (MyNetWdl, MyNetMovesLeft)) = network.evaluate_with(position, stack);
    /// # }
    /// ```
    ///
    /// Outputs are from the side to move's point of view, those of a network declared `white_first` from White's.
    ///
    /// `stack` followed the moves that led to `position`, as for [`evaluate`](Self::evaluate).
    #[inline]
    pub fn evaluate_with<H: Heads<A>, P: ?Sized>(
        &self,
        position: &P,
        stack: &mut AccumulatorStack<A>,
    ) -> (Evaluation, H)
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let [us, them] = self.current(board, stack);
            self.judge_with(us, them, <A::Game as Reads<A, P>>::bucket(position, board), A::Game::side_to_move(board))
        })
    }

    /// As [`evaluate_with`](Self::evaluate_with), for the position that `accumulators` were made for.
    pub fn forward_with<H: Heads<A>>(&self, accumulators: &Accumulators<A>) -> (Evaluation, H) {
        let [us, them] = &accumulators.pair;
        self.judge_with(us, them, accumulators.bucket, accumulators.to_move)
    }
}
