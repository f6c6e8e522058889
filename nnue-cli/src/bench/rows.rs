//! Which rows of weights the moves of a line change.

use nnue::{Architecture, Change, Color, FeatureSet, Piece, Placed, Position, Square};
use nnue_runtime::features::{ChangedRows, PairSets, PairView, PieceMap, RowChange};
use nnue_runtime::simd::Scalar;

use super::data::Line;
use crate::input::Placement;

/// The rows that leave and enter the accumulator of one perspective.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    /// rows of the set of pieces
    pub(crate) pieces: Rows,
    /// rows of the sets of pairs, numbered one set after the other
    pub(crate) pairs: Rows,
}

/// Rows of one kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// rows to be subtracted
    pub(crate) removed: Vec<usize>,
    /// rows to be added
    pub(crate) added: Vec<usize>,
}

impl Rows {
    /// Rows that are read.
    pub(crate) fn len(&self) -> usize {
        self.removed.len() + self.added.len()
    }
}

/// What the moves of `line` change, per perspective.
pub(crate) fn deltas<A: Architecture>(line: &Line) -> Vec<[Delta; 2]> {
    let before = std::iter::once(&line.root).chain(line.steps.iter().map(|step| &step.board));
    let steps = before.zip(&line.steps);
    steps.map(|(before, step)| Color::ALL.map(|side| delta::<A>(side, before, &step.change, &step.board))).collect()
}

/// What `change`, which leads from `before` to `board`, alters for one perspective: of the pieces all rows if the own king goes
/// to another bucket, of the pairs all rows if it crosses to the other half of the board.
pub(crate) fn delta<A: Architecture>(side: Color, before: &Placement, change: &Change, board: &Placement) -> Delta {
    let all = active::<A>(side, board);
    let pieces = if A::Features::must_refresh(side, change) {
        all.pieces
    } else {
        let view = A::Features::view(side, board.king(side));
        let row = |placed: &Placed| A::Features::row(view, placed.piece, placed.square).map(|row| row as usize);
        Rows {
            removed: change.removed().iter().filter_map(row).collect(),
            added: change.added().iter().filter_map(row).collect(),
        }
    };
    let view = PairView::new(side, board.king(side));
    if view != PairView::new(side, before.king(side)) {
        return Delta { pieces, pairs: all.pairs };
    }
    let mut rows = ChangedRows::new();
    A::Pairs::changes(Scalar, [&PieceMap::new(before), &PieceMap::new(board)], [view], &mut rows);
    let list = |change| rows.of(change, side).iter().map(|&row| row as usize).collect();
    Delta { pieces, pairs: Rows { removed: list(RowChange::Removed), added: list(RowChange::Added) } }
}

/// All rows that are active for one perspective, to be added.
pub(crate) fn active<A: Architecture>(side: Color, board: &Placement) -> Delta {
    let king = board.king(side);
    let view = A::Features::view(side, king);
    let row = |(color, kind, square)| A::Features::row(view, Piece::new(color, kind), Square::new(square as u8));
    let pieces = board.iter().filter_map(row).map(|row| row as usize).collect();
    let mut pairs = Vec::new();
    A::Pairs::active(&PieceMap::new(board), PairView::new(side, king), |row| pairs.push(row as usize));
    let all = |added| Rows { removed: Vec::new(), added };
    Delta { pieces: all(pieces), pairs: all(pairs) }
}
