//! The two halves of an evaluation, one at a time: for measurements, and for programs that manage
//! accumulators themselves.

use super::seen::Seen;
use crate::architecture::{Accumulator, Model};
use crate::both::both;
use crate::transform::Transform;

/// The accumulators of a position and its layer stack: the input of the forward pass.
pub struct Accumulators<A: Model> {
    /// first perspective, second perspective
    pub(super) pair: [Accumulator<A>; 2],
    pub(super) seen: Seen,
}

impl<A: Model> Accumulators<A> {
    /// The neurons of the side to move, then those of the other side; for a network declared
    /// `white_first`, White's, then Black's.
    pub fn values(&self) -> [&[i16]; 2] {
        let [[first, _], [_, second]] = both(self.pair.each_ref(), A::Transformer::values);
        [first, second]
    }

    /// The PSQT outputs in the same order; empty if the network has none.
    pub fn psqt(&self) -> [&[i32]; 2] {
        both(self.pair.each_ref(), A::Transformer::psqt)
    }

    /// The floats that the active features add to the neurons of the output (`psqt 3: f32`), summed
    /// up; empty if the network has none.
    pub fn floats(&self) -> &[f32] {
        &self.seen.floats[..A::SPEC.accumulator.psqt_floats]
    }

    /// The layer stack that the position uses.
    pub fn bucket(&self) -> usize {
        self.seen.bucket
    }
}
