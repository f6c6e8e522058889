//! Evaluates networks with several outputs: the value, and the other outputs that the caller wants.

use super::{AccumulatorStack, Accumulators, Evaluation, Network};
use crate::architecture::Reads;
use crate::heads::{Heads, NamedOutputs, Policy};
use crate::kernel::Rows;

impl<A: NamedOutputs> Network<A> {
    /// [`evaluate`](Self::evaluate) plus the named outputs of the type `H`. Values that several
    /// outputs need are computed once, and nothing is computed for other outputs.
    ///
    /// `H` is a type that the declaration generates. It is usually inferred from the pattern that
    /// takes the result. For example, for an output `wdl = wdl(affine(x, 3))` of `Example`:
    /// `let (evaluation, ExampleWdl(wdl)) = network.evaluate_with(&position, &mut stack);`
    ///
    /// ```
    /// # use nnue_runtime::{AccumulatorStack, Architecture, Heads, NamedOutputs, Network, Position};
    /// # fn f<MyNet: Architecture + NamedOutputs, MyNetWdl: Heads<MyNet>, MyNetMovesLeft: Heads<MyNet>>(
    /// #     network: &Network<MyNet>, position: &impl Position, stack: &mut AccumulatorStack<MyNet>) {
    /// let (evaluation, (wdl, left)): (_, (MyNetWdl, MyNetMovesLeft)) = network.evaluate_with(position, stack);
    /// # }
    /// ```
    ///
    /// Outputs are from the side to move's point of view; for a network declared `white_first`,
    /// from White's.
    ///
    /// `stack` must have followed the moves that led to `position`, as for
    /// [`evaluate`](Self::evaluate).
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

    /// [`evaluate_with`](Self::evaluate_with) for the position of `accumulators`.
    pub fn forward_with<H: Heads<A>>(&self, accumulators: &Accumulators<A>) -> (Evaluation, H) {
        let [us, them] = &accumulators.pair;
        self.judge_with(us, them, accumulators.seen, &mut Rows::default())
    }
}

impl<A: Policy> Network<A> {
    /// The value, the logits of `rows`, and the named outputs of `H` (`()` for none). `rows` are
    /// the row numbers of the moves of `position`; `logits` gets their logits in the same order.
    ///
    /// The body of the network is computed once, then one dot product for each row: rows that are
    /// not listed cost nothing. A row may be listed more than once. [`softmax`](crate::softmax)
    /// turns logits into probabilities.
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
    /// `stack` must have followed the moves that led to `position`, as for
    /// [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    ///
    /// If there are not as many logits as rows, or if the network has no such row
    /// ([`Policy::ROWS`]).
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

    /// [`policy`](Self::policy) with all rows in order: `logits[i]` is that of row `i`.
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

    /// [`policy`](Self::policy) for the position of `accumulators`.
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
