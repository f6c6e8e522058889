//! Compares incremental with refreshed accumulators, to check that a move generator fills in its
//! changes correctly.

use super::{AccumulatorStack, Network};
use crate::accumulator::{Mismatch, first_mismatch};
use crate::architecture::{Model, Reads};

impl<A: Model> AccumulatorStack<A> {
    /// Updates the accumulators as an evaluation would, then builds them from scratch and compares.
    ///
    /// # Errors
    ///
    /// The first value that differs: then the position is not the one that the pushed changes lead
    /// to, or a user-defined feature set breaks [its law](crate::game::Inputs).
    pub fn verify<P: ?Sized>(&mut self, network: &Network<A>, position: &P) -> Result<(), Mismatch>
    where
        A::Game: Reads<A, P>,
    {
        <A::Game as Reads<A, P>>::with(position, |board| {
            let sides = network.sides(board);
            for (side, incremental) in sides.into_iter().zip(network.current(board, self)) {
                first_mismatch::<A::Transformer>(side, incremental, &network.build(board, side))?;
            }
            Ok(())
        })
    }
}
