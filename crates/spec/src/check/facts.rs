//! Facts about layers that later checks need.

use crate::loc::{Loc, Located};

/// Where parts of a layer are written, for errors that are found later.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerFacts {
    /// its number of outputs
    pub(super) outputs: Located<u64>,
    /// its scale
    pub(super) scale: Located<u64>,
    /// what it reads
    pub(super) input: Loc,
    /// it reads values of 16 bits
    pub(super) reads_words: bool,
    /// its node in the graph
    pub(super) node: usize,
}
