//! Evaluating networks with several outputs: the value, and those of the others that the caller asks for.

use super::{AccumulatorStack, Accumulators, Evaluation, Network};
use crate::architecture::Reads;
use crate::heads::{Heads, NamedOutputs, Policy};
use crate::kernel::Rows;

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
        self.evaluate_rows(position, stack, &mut Rows::default())
    }

    /// The value of a position, the outputs `H`, and the logits of `rows`.
    #[inline(always)]
    fn evaluate_rows<H: Heads<A>, P: ?Sized>(
        &self,
        position: &P,
        stack: &mut AccumulatorStack<A>,
        rows: &mut Rows<'_>,
    ) -> (Evaluation, H)
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let [us, them] = self.current(board, stack);
            self.judge_with(us, them, self.see(position, board), rows)
        })
    }

    /// As [`evaluate_with`](Self::evaluate_with), for the position that `accumulators` were made for.
    pub fn forward_with<H: Heads<A>>(&self, accumulators: &Accumulators<A>) -> (Evaluation, H) {
        let [us, them] = &accumulators.pair;
        self.judge_with(us, them, accumulators.seen, &mut Rows::default())
    }
}

impl<A: Policy> Network<A> {
    /// The logits of `rows`, the numbers that the program gives to the moves of `position`, in `logits` and in the same order; the value; and
    /// those of the other outputs that `H` asks for, `()` if none.
    ///
    /// The body of the network is computed once, then one dot product for each row: those that are not listed cost nothing. A row may be
    /// listed more than once. [`softmax`](crate::softmax) makes probabilities of the logits.
    ///
    /// ```
    /// # use nnue_runtime::{AccumulatorStack, Architecture, Network, Policy, Position, softmax};
    /// # fn f<MyNet: Architecture + Policy>(
    /// #     network: &Network<MyNet>, position: &impl Position, moves: &[u16], stack: &mut AccumulatorStack<MyNet>) {
    /// # let row_of = |mv: &u16| usize::from(*mv);
    /// let rows: Vec<usize> = moves.iter().map(row_of).collect();
    /// let mut logits = vec![0.0; rows.len()];
    /// let (evaluation, ()) = network.policy(position, &rows, stack, &mut logits);
    /// softmax(&mut logits, 1.0);
    /// # }
    /// ```
    ///
    /// `stack` followed the moves that led to `position`, as for [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    ///
    /// If there are not as many logits as rows, or if the network has no such row ([`Policy::ROWS`]).
    #[inline]
    pub fn policy<H: Heads<A>, P: ?Sized>(
        &self,
        position: &P,
        rows: &[usize],
        stack: &mut AccumulatorStack<A>,
        logits: &mut [f32],
    ) -> (Evaluation, H)
    where
        A::Game: Reads<A, P>,
    {
        self.evaluate_rows(position, stack, &mut Rows::new(rows, logits))
    }

    /// As [`policy`](Self::policy), with all rows in their order: `logits[i]` is that of row `i`.
    ///
    /// # Panics
    ///
    /// If there are not as many logits as the network has rows ([`Policy::ROWS`]).
    pub fn all_rows<H: Heads<A>, P: ?Sized>(
        &self,
        position: &P,
        stack: &mut AccumulatorStack<A>,
        logits: &mut [f32],
    ) -> (Evaluation, H)
    where
        A::Game: Reads<A, P>,
    {
        assert_eq!(logits.len(), A::ROWS, "each row has a logit");
        self.evaluate_rows(position, stack, &mut Rows::all(logits))
    }

    /// As [`policy`](Self::policy), for the position that `accumulators` were made for.
    ///
    /// # Panics
    ///
    /// As [`policy`](Self::policy).
    pub fn policy_of<H: Heads<A>>(
        &self,
        accumulators: &Accumulators<A>,
        rows: &[usize],
        logits: &mut [f32],
    ) -> (Evaluation, H) {
        let [us, them] = &accumulators.pair;
        self.judge_with(us, them, accumulators.seen, &mut Rows::new(rows, logits))
    }
}
