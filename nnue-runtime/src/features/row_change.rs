//! Whether a row was removed or added.

/// How a row changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// it was active and is no longer
    Removed,
    /// it was not active and is now
    Added,
}

impl RowChange {
    /// Removed rows belong to the board before, added rows to the board after.
    pub const ALL: [Self; 2] = [Self::Removed, Self::Added];

    #[inline(always)]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Removed => Self::Added,
            Self::Added => Self::Removed,
        }
    }
}
