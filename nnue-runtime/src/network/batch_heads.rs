//! Evaluates many positions at once with networks that have several outputs: values, outputs, rows
//! on demand.

use alloc::vec::Vec;

use super::batch::TOGETHER;
use super::{Batch, Evaluation, Network};
use crate::architecture::Reads;
use crate::heads::{Heads, NamedOutputs, Policy};
use crate::kernel::Rows;

impl<A: NamedOutputs> Network<A> {
    /// [`evaluate_with`](Self::evaluate_with) for each of `positions`. Replaces the contents of
    /// `outputs` by the value of each position and its named outputs of the type `H`. Otherwise
    /// like [`evaluate_batch`](Self::evaluate_batch).
    pub fn evaluate_batch_with<H: Heads<A>, P>(
        &self,
        positions: &[P],
        outputs: &mut Vec<(Evaluation, H)>,
        batch: &mut Batch<A>,
    ) where
        A::Game: Reads<A, P>,
    {
        outputs.clear();
        for positions in positions.chunks(TOGETHER) {
            self.each_of_batch(positions, batch, |_, [us, them], seen| {
                outputs.push(self.judge_with(us, them, seen, &mut Rows::default()));
            });
        }
    }
}

impl<A: Policy> Network<A> {
    /// [`policy`](Self::policy) for each of `positions`; position `i` wants the rows `rows[i]`.
    ///
    /// Replaces the contents of `logits` and `outputs`. `logits` gets the logits of the first
    /// position, in the order of its rows, then those of the second, and so on; `outputs` gets the
    /// value of each position and its named outputs of the type `H`. Otherwise like
    /// [`evaluate_batch`](Self::evaluate_batch).
    ///
    /// ```
    /// # use nnue_runtime::{Architecture, Batch, Network, Policy, Position};
    /// # fn f<MyNet: Architecture + Policy>(network: &Network<MyNet>, positions: &[impl Position], rows: &[Vec<usize>]) {
    /// let (mut batch, mut outputs, mut logits) = (Batch::new(), Vec::new(), Vec::new()); // kept for all batches of this thread
    /// network.policy_batch::<(), _, _>(positions, rows, &mut outputs, &mut logits, &mut batch);
    /// let mut rest = logits.as_slice();
    /// for (rows, (evaluation, ())) in rows.iter().zip(&outputs) {
    ///     let (of_this_position, others) = rest.split_at(rows.len());
    ///     rest = others;
    /// }
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If there are not as many lists of rows as positions, or if the network has no such row
    /// ([`Policy::ROWS`]).
    pub fn policy_batch<H: Heads<A>, P, R: AsRef<[usize]>>(
        &self,
        positions: &[P],
        rows: &[R],
        outputs: &mut Vec<(Evaluation, H)>,
        logits: &mut Vec<f32>,
        batch: &mut Batch<A>,
    ) where
        A::Game: Reads<A, P>,
    {
        assert_eq!(
            positions.len(),
            rows.len(),
            "a batch has rows for each position"
        );
        outputs.clear();
        logits.clear();
        logits.resize(rows.iter().map(|rows| rows.as_ref().len()).sum(), 0.0);
        let (mut rest, mut upcoming) = (logits.as_mut_slice(), rows.iter().skip(1));
        let mut rows = rows.iter().map(R::as_ref);
        for positions in positions.chunks(TOGETHER) {
            self.each_of_batch(positions, batch, |_, [us, them], seen| {
                let listed = rows.next().unwrap_or_default();
                let (own, others) = core::mem::take(&mut rest).split_at_mut(listed.len());
                rest = others;
                let upcoming = upcoming.next().map_or(&[][..], R::as_ref);
                let mut rows = Rows::new(listed, own).before(upcoming);
                outputs.push(self.judge_with(us, them, seen, &mut rows));
            });
        }
    }
}
