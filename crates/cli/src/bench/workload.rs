//! The workloads.

/// Something that is measured. Operations are plies, leaves, positions or forward passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Workload {
    /// the rows that [`Self::Update`] needs, only read: the bound of everything that reads rows
    Read,
    /// as many bytes of layer weights as a forward pass needs, only read: the bound of the forward pass
    ReadLayers,
    /// the rows of [`Self::Update`] copied, subtracted, added and stored by a plain loop: the unit of the ratios
    Replay,
    /// which rows of pairs the plies of [`Self::Update`] change: two boards and lists of rows, no weights
    Changes,
    /// the accumulators along runs without king moves, without the forward pass
    Update,
    /// the same with the forward pass: the normal ply
    Nk,
    /// whole games, a quarter of their moves by kings
    Line,
    /// all leaves two plies below a position
    Tree,
    /// the leaves of [`Self::Tree`], all replies to a move at once
    Children,
    /// unrelated positions, nothing in the cache
    RefreshCleared,
    /// unrelated positions, the cache warm from another one
    RefreshWarm,
    /// the position that the cache holds
    RefreshSame,
    /// the forward pass alone, along runs
    ForwardContext,
    /// the forward pass alone, over 64 positions in rotation
    ForwardRotating,
}

impl Workload {
    /// In the order of the report.
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

    /// The name in the report.
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
