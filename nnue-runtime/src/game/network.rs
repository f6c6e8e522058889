//! Evaluating positions of any game.

use super::{AccumulatorStack, Architecture, Inputs, Rows};
use crate::accumulator::{Mismatch, first_mismatch, first_side, reads_both};
use crate::architecture::{Accumulator, Transform};
use crate::board::Color;
use crate::evaluation::{Evaluation, Trace};
use crate::network::Network;
use crate::parts::Accumulators;

/// The user's own board, for the network `A`.
type PositionOf<A> = <<A as Architecture>::Inputs as Inputs>::Position;

/// Other games.
impl<A: Architecture> Network<A> {
    /// What the network says about `position`.
    ///
    /// `stack` followed the moves that led to `position`; its accumulators are brought up to date first. Nothing is
    /// allocated once the lists of rows have their greatest lengths.
    pub fn evaluate_game(&self, position: &PositionOf<A>, stack: &mut AccumulatorStack<A>) -> Evaluation {
        stack.bind(self.id());
        let [us, them] = stack.current(self.level(), A::transformer(self.params()), position);
        self.judge(us, them, stack_of::<A>(position), A::Inputs::side_to_move(position))
    }

    /// What the network says about `position`, computed from the position alone.
    pub fn evaluate_game_fresh(&self, position: &PositionOf<A>) -> Evaluation {
        self.forward(&self.accumulate_game(position))
    }

    /// What every layer stack says about `position`, computed from the position alone.
    pub fn trace_game(&self, position: &PositionOf<A>) -> Trace {
        self.trace_of(&self.accumulate_game(position))
    }

    /// The accumulators of `position`, computed from the position alone.
    pub fn accumulate_game(&self, position: &PositionOf<A>) -> Accumulators<A> {
        let to_move = A::Inputs::side_to_move(position);
        let first = first_side::<A>(to_move);
        let pair = [first, first.other()].map(|side| self.build_game(position, side));
        Accumulators::new(pair, stack_of::<A>(position), to_move)
    }

    /// The accumulator of `side` from the bias, without a stack.
    fn build_game(&self, position: &PositionOf<A>, side: Color) -> Accumulator<A> {
        let mut rows = Rows::new::<A::Inputs>();
        A::Inputs::active(position, side, A::Inputs::view(position, side), &mut rows);
        let mut accumulator = A::Transformer::zeroed();
        A::transformer(self.params()).build(self.level(), &mut accumulator, rows.as_slice());
        accumulator
    }
}

/// The layer stack that a position uses.
fn stack_of<A: Architecture>(position: &PositionOf<A>) -> usize {
    A::stack(position).min(A::SPEC.stacks.count - 1)
}

impl<A: Architecture> AccumulatorStack<A> {
    /// Brings the accumulators up to date as an evaluation would, then builds them from the position alone and compares.
    ///
    /// # Errors
    ///
    /// The first value that differs: then the position is not the one that the pushed changes lead to, or the feature set breaks
    /// its law.
    pub fn verify(&mut self, network: &Network<A>, position: &PositionOf<A>) -> Result<(), Mismatch> {
        self.bind(network.id());
        let incremental = self.current(network.level(), A::transformer(network.params()), position);
        let us = first_side::<A>(A::Inputs::side_to_move(position));
        let sides = if reads_both::<A>() { 2 } else { 1 };
        for (side, incremental) in [us, us.other()].into_iter().zip(incremental).take(sides) {
            let refreshed = network.build_game(position, side);
            first_mismatch::<A::Transformer>(side, incremental, &refreshed)?;
        }
        Ok(())
    }
}
