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
    /// its node in the graph
    pub(super) node: usize,
}
