//! What a network is asked about.

/// A position, as a network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// the active rows of the first and of the second perspective, numbered through all feature sets; the second is not read where the
    /// network has one perspective
    pub rows: [&'a [i32]; 2],
    /// the layer stack that it uses
    pub stack: usize,
    /// the rows of the policy that are asked for, in any order; none where there is no policy, or nobody asks
    pub listed: &'a [u32],
}
