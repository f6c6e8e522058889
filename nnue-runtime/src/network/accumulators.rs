//! The two halves of an evaluation, one at a time: for measurements, and for programs that keep accumulators in a way of
//! their own.

use crate::architecture::{Accumulator, Model};
use crate::board::Color;
use crate::transform::Transform;

/// The accumulators of a position, and the layer stack that it uses: what the forward pass needs.
pub struct Accumulators<A: Model> {
    /// first perspective, second perspective
    pub(super) pair: [Accumulator<A>; 2],
    pub(super) bucket: usize,
    /// the side to move
    pub(super) to_move: Color,
}

impl<A: Model> Accumulators<A> {
    /// The neurons of the side to move, then those of the other side; of a network declared `white_first`, White's, then Black's.
    pub fn values(&self) -> [&[i16]; 2] {
        let [[first, _], [_, second]] = self.pair.each_ref().map(A::Transformer::values);
        [first, second]
    }

    /// The PSQT outputs in the same order; empty if the network has none.
    pub fn psqt(&self) -> [&[i32]; 2] {
        self.pair.each_ref().map(A::Transformer::psqt)
    }

    /// The layer stack that the position uses.
    pub fn bucket(&self) -> usize {
        self.bucket
    }
}
