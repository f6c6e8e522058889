//! The workloads of `nnue bench`.

/// A workload. Its operations are plies, leaves, positions or forward passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Workload {
    /// only reads the rows of [`Self::Update`]: the lower bound of everything that reads rows
    Read,
    /// only reads as many bytes of layer weights as a forward pass: the lower bound of the forward pass
    ReadLayers,
    /// copies, subtracts, adds and stores the rows of [`Self::Update`] in a plain loop: the unit of the
    /// ratios
    Replay,
    /// finds the pair rows that the plies of [`Self::Update`] change, from two boards, without weights
    Changes,
    /// updates accumulators along runs without king moves, without the forward pass
    Update,
    /// the same with the forward pass: the normal ply
    Nk,
    /// whole games; a quarter of the moves are king moves
    Line,
    /// all leaves two plies below a position
    Tree,
    /// the leaves of [`Self::Tree`], all replies to a move in one call
    Children,
    /// unrelated positions, with an empty cache
    RefreshCleared,
    /// unrelated positions, with a cache warm from another position
    RefreshWarm,
    /// the position in the cache
    RefreshSame,
    /// the forward pass alone, along runs
    ForwardContext,
    /// the forward pass alone, cycling through 64 positions
    ForwardRotating,
}

impl Workload {
    /// All workloads, in the order of the report.
    pub(crate) const ALL: [Self; 14] = [
        Self::Read,
        Self::ReadLayers,
        Self::Replay,
        Self::Changes,
        Self::Update,
        Self::Nk,
        Self::Line,
        Self::Tree,
        Self::Children,
        Self::RefreshCleared,
        Self::RefreshWarm,
        Self::RefreshSame,
        Self::ForwardContext,
        Self::ForwardRotating,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read, rows",
            Self::ReadLayers => "read, layers",
            Self::Replay => "replay",
            Self::Changes => "changes",
            Self::Update => "update",
            Self::Nk => "nk",
            Self::Line => "line",
            Self::Tree => "tree",
            Self::Children => "children",
            Self::RefreshCleared => "refresh, cache cleared",
            Self::RefreshWarm => "refresh, cache warm",
            Self::RefreshSame => "refresh, same position",
            Self::ForwardContext => "forward, in context",
            Self::ForwardRotating => "forward, 64 rotating",
        }
    }
}
