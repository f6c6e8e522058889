//! What a network says about a position.

use alloc::vec::Vec;

/// What a network says about a position. The value is from the side to move's point of view: positive is good for it. So are the
/// raw parts, but those of a network declared `white_first`, which are White's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
