//! The rows of weights that a position needs: for tools that count or show them.

use super::network::Network;
use crate::board::{Change, Color, Placed, Square};
use crate::features::{ChangedRows, PairView, PieceMap, Sets, SetsAtRunTime};
use crate::simd::AvailableLevel;

/// The feature sets of a [`Network`]: one of pieces, and sets of pairs, whose rows are numbered one
/// set after the other.
#[derive(Clone, Copy, Debug)]
pub struct Features<'a>(&'a SetsAtRunTime);

impl Network {
    /// The feature sets of the network.
    pub fn features(&self) -> Features<'_> {
        Features(&self.params.transformer.sets)
    }
}

impl Features<'_> {
    /// The row of a piece as seen by `side`, whose king is on `king`; `None` if such a piece is not
    /// a feature. If rows depend on attacks, it is the row of a piece that is neither attacked nor
    /// defended.
    pub fn row(&self, side: Color, king: Square, placed: &Placed) -> Option<u32> {
        self.0
            .row(self.0.view(side, king), placed.piece, placed.square)
    }

    /// Whether all rows of pieces change for `side`: its king moves to another bucket, or rows
    /// depend on attacks.
    pub fn must_refresh(&self, side: Color, change: &Change) -> bool {
        self.0.must_refresh(side, change)
    }

    /// Calls `found` with every active row of pairs of a board.
    pub fn pairs(&self, board: &PieceMap, view: PairView, found: impl FnMut(u32)) {
        self.0.active_pairs(board, view, found);
    }

    /// Lists the rows of pairs that are removed and added between two boards, like
    /// [`PairSet::changes`](crate::features::PairSet::changes).
    pub fn changed_pairs(
        &self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    ) {
        self.0.changed_pairs(level, boards, views, rows);
    }
}
