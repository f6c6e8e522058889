//! Lists of rows of pairs to take out of accumulators and to put into them.

use crate::accumulator::rows::RowList;
use crate::architecture::{Architecture, Transform};
use crate::board::Color;
use crate::features::{PairSets, PairView, PieceMap};

/// No set of pairs has more rows on a board than 64 pieces that each attack 8 others, and there are at most three sets.
pub(crate) const MOST_PAIRS: usize = 3 * 8 * 64;

/// For each side the rows of pairs of a refresh or of the changes between two boards. Kept by the stack, so that no
/// evaluation allocates or clears it.
pub(crate) struct PairLists {
    removed: [RowList<MOST_PAIRS>; 2],
    added: [RowList<MOST_PAIRS>; 2],
}

impl PairLists {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self { removed: [RowList::new(), RowList::new()], added: [RowList::new(), RowList::new()] })
    }

    /// The rows of a side: to remove, and to add.
    #[inline(always)]
    pub(crate) fn rows(&self, side: Color) -> [&[u32]; 2] {
        [&self.removed, &self.added].map(|lists| lists[side.index()].as_slice())
    }

    /// What leads from the board `before` to the board `after`, for each of `views`. The rows are announced to the
    /// processor.
    #[inline]
    pub(crate) fn collect_changes<A: Architecture, const N: usize>(
        &mut self,
        transformer: &A::Transformer,
        before: &PieceMap,
        after: &PieceMap,
        views: [PairView; N],
    ) {
        let Self { removed, added } = self;
        for side in views.map(|view| view.perspective.index()) {
            removed[side].clear();
            added[side].clear();
        }
        let remove = |view: usize, row| {
            transformer.prefetch_pair(row);
            removed[views[view].perspective.index()].push(row);
        };
        A::Pairs::changes(before, after, views, remove, |view, row| {
            transformer.prefetch_pair(row);
            added[views[view].perspective.index()].push(row);
        });
    }

    /// The rows that are active on a board, as rows to add. They are announced to the processor.
    pub(crate) fn collect_active<A: Architecture>(
        &mut self,
        transformer: &A::Transformer,
        board: &PieceMap,
        view: PairView,
    ) {
        let side = view.perspective.index();
        self.removed[side].clear();
        self.added[side].clear();
        A::Pairs::active(board, view, |row| {
            transformer.prefetch_pair(row);
            self.added[side].push(row);
        });
    }
}
