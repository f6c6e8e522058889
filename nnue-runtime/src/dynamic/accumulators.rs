//! The two halves of an evaluation, one at a time: for measurements, and for single positions.

use alloc::vec::Vec;

use nnue_spec::reference::{StackTrace, evaluate_layers};

use super::evaluate::{Besides, Seen};
use super::network::Network;
use super::scratch::Scratch;
use super::stack::{ChessGame, Stack};
use super::transformer::{Accumulator, Transformer};
use crate::accumulator::Game;
use crate::board::{Position, Snapshot};
use crate::network::{Evaluation, RealEvaluation, Trace};
use crate::transform::Transform;

/// The accumulators of a position and its layer stack: the input of the forward pass.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// in reading order
    pub(super) pair: [Accumulator; 2],
    pub(super) besides: Besides,
}

impl Network {
    /// The accumulators of `position`, computed from the position alone.
    pub fn accumulate<P: Position + ?Sized>(&self, position: &P) -> Accumulators {
        self.require_boards();
        Snapshot::with(position, |board| {
            let (level, transformer) = (self.level(), &self.params.transformer);
            let sides = self.perspectives.sides(board.side_to_move);
            let pair = sides.map(|side| ChessGame::build(level, transformer, board, side));
            Accumulators {
                pair,
                besides: self.besides(board),
            }
        })
    }

    /// The evaluation of the position of `accumulators`. Only the memory of the forward pass of
    /// `stack` is used.
    ///
    /// # Panics
    ///
    /// If the accumulators are of a network of another shape.
    pub fn forward(&self, accumulators: &Accumulators, stack: &mut Stack) -> Evaluation {
        self.bind(stack);
        self.forward_with(accumulators, &mut stack.scratch)
    }

    pub(super) fn forward_with(
        &self,
        accumulators: &Accumulators,
        scratch: &mut Scratch,
    ) -> Evaluation {
        let &Accumulators { ref pair, besides } = accumulators;
        self.judge(
            Seen {
                accumulators: pair.each_ref(),
                besides,
            },
            scratch,
        )
    }

    /// Everything that layer stack `bucket` computes from `accumulators`: sums, activations, and
    /// the output before it becomes a value. Uses the [reference
    /// interpreter](nnue_spec::reference), which is slow and agrees with every level to the last
    /// bit.
    ///
    /// # Panics
    ///
    /// If there is no such stack, or the accumulators are of a network of another shape.
    pub fn intermediate(&self, accumulators: &Accumulators, bucket: usize) -> StackTrace {
        let [[first, _], [_, second]] = accumulators.pair.each_ref().map(Transformer::values);
        let added = accumulators.besides.floats[..self.net.accumulator.psqt_floats].to_vec();
        StackTrace {
            added,
            ..evaluate_layers(self.net, &self.tensors(), [first, second], bucket, &[])
        }
    }

    /// The evaluation of `position`, computed from scratch. Keeping a [`Stack`] is far faster.
    pub fn evaluate_fresh<P: Position + ?Sized>(&self, position: &P) -> Evaluation {
        self.forward_with(&self.accumulate(position), &mut self.program.scratch())
    }

    /// The evaluation of `position` by every layer stack, computed from scratch.
    pub fn trace<P: Position + ?Sized>(&self, position: &P) -> Trace {
        let accumulators = self.accumulate(position);
        let buckets = self.evaluate_stacks(&accumulators);
        Trace {
            bucket: accumulators.besides.bucket,
            buckets: buckets.into_iter().map(Evaluation::from).collect(),
        }
    }

    /// The evaluation by every layer stack, by its index.
    ///
    /// # Panics
    ///
    /// If the accumulators are of a network of another shape.
    pub fn evaluate_stacks(&self, accumulators: &Accumulators) -> Vec<RealEvaluation> {
        let Accumulators { pair, besides } = accumulators;
        let (accumulators, mut scratch) = (pair.each_ref(), self.program.scratch());
        let evaluate = |bucket| {
            let besides = besides.with_stack(bucket);
            let seen = Seen {
                accumulators,
                besides,
            };
            self.judge_real(seen, &mut scratch)
        };
        (0..self.net.stacks.count).map(evaluate).collect()
    }
}
