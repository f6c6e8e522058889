//! The input of a network.

/// An encoded position.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// active rows of the first and the second perspective, numbered across all feature sets; the second is
    /// ignored by networks with one perspective
    pub rows: [&'a [i32]; 2],
    /// the layer stack
    pub stack: usize,
    /// policy rows to evaluate, in any order; empty without a policy
    pub listed: &'a [u32],
}
