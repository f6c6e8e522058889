//! What a network says about a position.

use alloc::vec::Vec;

use nnue_spec::{NetDesc, ValueDesc};

use crate::accumulator::first_side;
use crate::architecture::Model;
use crate::board::Color;

/// What a network says about a position. The value is from the side to move's point of view: positive is good for it. So are the
/// raw parts, but those of a network declared `white_first`, which are White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// the PSQT part, raw; 0 if the network has none
    pub psqt: i32,
    /// the part of the layers, raw
    pub positional: i32,
    /// which layer stack (and PSQT output) spoke
    pub bucket: usize,
    /// both parts together in the network's own output unit, from the side to move's point of view
    pub value: i32,
}

impl Evaluation {
    /// Joins the two parts as `net` declares. Sums wrap, divisions truncate.
    #[inline(always)]
    pub(crate) fn new(net: &NetDesc<'_>, psqt: i32, positional: i32, bucket: usize) -> Self {
        let value = match net.value {
            ValueDesc::Together { divide } => psqt.wrapping_add(positional).wrapping_div(divide),
            ValueDesc::Separately { divide } => psqt.wrapping_div(divide).wrapping_add(positional.wrapping_div(divide)),
            ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => positional,
            // Positive numbers of 31 bits: the product fits in 64.
            ValueDesc::Scaled { num, den } => {
                (i64::from(positional) * num / den).clamp(i32::MIN.into(), i32::MAX.into()) as i32
            }
        };
        Self { psqt, positional, bucket, value }
    }

    /// The evaluation with its value from the point of view of `to_move`, where it is that of the first perspective.
    #[inline(always)]
    pub(crate) fn seen_by<A: Model>(self, to_move: Color) -> Self {
        if first_side::<A>(to_move) == to_move {
            return self;
        }
        Self { value: A::SPEC.value.of_other_side(self.value), ..self }
    }
}

/// What every layer stack of a network says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// the stack that counts for this position
    pub bucket: usize,
    /// what each stack says, by its index
    pub buckets: Vec<Evaluation>,
}

impl Trace {
    /// What [`Network::evaluate`](crate::Network::evaluate) returns.
    pub fn evaluation(&self) -> Evaluation {
        self.buckets[self.bucket]
    }
}
