//! Facts about layers for later checks.

use crate::loc::{Loc, Located};

/// Source locations of the parts of a layer, for later errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerFacts {
    /// its number of outputs
    pub(super) outputs: Located<u64>,
    /// its scale
    pub(super) scale: Located<u64>,
    /// location of its input
    pub(super) input: Loc,
    /// whether it reads 16-bit values
    pub(super) reads_words: bool,
    /// `bias i32`: its sums are integers, also in a network with layers of floats
    pub(super) integer_bias: bool,
    /// its node in the graph
    pub(super) node: usize,
}
