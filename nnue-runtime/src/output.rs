//! What comes out of the last layer of a network.

use nnue_spec::{NetDesc, ValueDesc};

use crate::accumulator::AccumulatorStack;
use crate::architecture::{Architecture, Model};
use crate::board::{Position, Snapshot};
use crate::network::{Network, stack_of};
use crate::parts::Accumulators;
use crate::wdl::{Wdl, sigmoid};

/// The type of a network's raw output, before it becomes a value.
pub trait Output: Copy + Send + Sync + 'static {
    /// The positional part of the [`Evaluation`](crate::Evaluation), as the network declares it.
    fn positional(self, net: &NetDesc<'_>) -> i32;
}

/// The terms of the output, added: the positional part itself.
impl Output for i32 {
    #[inline(always)]
    fn positional(self, _: &NetDesc<'_>) -> i32 {
        self
    }
}

/// A number of which 1.0 is worth what the declaration says; truncated, held to the range of i32, 0 of what is no number.
impl Output for f32 {
    #[inline(always)]
    fn positional(self, net: &NetDesc<'_>) -> i32 {
        match net.value {
            ValueDesc::Float { scale } => (self * scale as f32) as i32,
            ValueDesc::Sigmoid { scale } => (sigmoid(self) * scale as f32) as i32,
            _ => self as i32,
        }
    }
}

/// The expected score, of which 1.0 is worth what the declaration says; truncated.
impl Output for Wdl {
    #[inline(always)]
    fn positional(self, net: &NetDesc<'_>) -> i32 {
        match net.value {
            ValueDesc::Wdl { scale } => (self.expected_score() * scale as f32) as i32,
            _ => 0,
        }
    }
}

impl<A: Architecture> Network<A> {
    /// What comes out of the last layer for `position`, before it becomes a value: a float with all its bits, for example.
    /// Of a network declared `white_first`, it is from White's point of view.
    ///
    /// `stack` followed the moves that led to `position`, as for [`evaluate`](Self::evaluate).
    #[inline]
    pub fn output<P: Position>(&self, position: &P, stack: &mut AccumulatorStack<A>) -> A::Output {
        stack.bind(self.id());
        Snapshot::with(position, |board| {
            let [us, them] = stack.current(self.level(), A::transformer(self.params()), board);
            self.run_stack(us, them, stack_of::<A, P>(position, board))
        })
    }
}

impl<A: Model> Network<A> {
    /// What comes out of the last layer for the position that `accumulators` were made for.
    pub fn output_of(&self, accumulators: &Accumulators<A>) -> A::Output {
        let [us, them] = &accumulators.pair;
        self.run_stack(us, them, accumulators.bucket)
    }
}
