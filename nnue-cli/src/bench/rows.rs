//! Which rows of weights positions and moves need, compiled once for each choice of feature sets.

use std::hint::black_box;
use std::marker::PhantomData;

use nnue::{AvailableLevel, Change, Color, FeatureSet, Level, Piece, Placed, Position, Square};
use nnue_runtime::features::{ChangedRows, PairSets, PairView, PieceMap, RowChange};

use super::data::{Line, Step};
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

/// The feature sets of a network.
pub(crate) trait FeatureRows: Sync {
    /// All rows that are active for one perspective, to be added.
    fn active(&self, side: Color, board: &Placement) -> Delta;

    /// What `change`, which leads from `before` to `board`, alters for one perspective: of the pieces all rows if the own king goes
    /// to another bucket, of the pairs all rows if it crosses to the other half of the board.
    fn delta(&self, side: Color, before: &Placement, change: &Change, board: &Placement) -> Delta;

    /// Lists the rows of pairs that each step removes and adds, with the instructions of `level`, and forgets them: to be timed.
    fn find(&self, level: AvailableLevel, steps: &[Step], rows: &mut ChangedRows);
}

/// What the moves of `line` change, per perspective.
pub(crate) fn deltas(rows: &dyn FeatureRows, line: &Line) -> Vec<[Delta; 2]> {
    let before = std::iter::once(&line.root).chain(line.steps.iter().map(|step| &step.board));
    let steps = before.zip(&line.steps);
    steps.map(|(before, step)| Color::ALL.map(|side| rows.delta(side, before, &step.change, &step.board))).collect()
}

/// A set of pieces and sets of pairs.
pub(crate) struct Sets<F, P>(pub(crate) PhantomData<fn() -> (F, P)>);

impl<F: FeatureSet, P: PairSets> FeatureRows for Sets<F, P> {
    fn active(&self, side: Color, board: &Placement) -> Delta {
        let king = board.king(side);
        let view = F::view(side, king);
        let row = |(color, kind, square)| F::row(view, Piece::new(color, kind), Square::new(square as u8));
        let pieces = board.iter().filter_map(row).map(|row| row as usize).collect();
        let mut pairs = Vec::new();
        P::active(&PieceMap::new(board), PairView::new(side, king), |row| pairs.push(row as usize));
        let all = |added| Rows { removed: Vec::new(), added };
        Delta { pieces: all(pieces), pairs: all(pairs) }
    }

    fn delta(&self, side: Color, before: &Placement, change: &Change, board: &Placement) -> Delta {
        let all = self.active(side, board);
        let pieces = if F::must_refresh(side, change) {
            all.pieces
        } else {
            let view = F::view(side, board.king(side));
            let row = |placed: &Placed| F::row(view, placed.piece, placed.square).map(|row| row as usize);
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
        P::changes(Level::detect(), [&PieceMap::new(before), &PieceMap::new(board)], &[view], &mut rows);
        let list = |change| rows.of(change, side).iter().map(|&row| row as usize).collect();
        Delta { pieces, pairs: Rows { removed: list(RowChange::Removed), added: list(RowChange::Added) } }
    }

    fn find(&self, level: AvailableLevel, steps: &[Step], rows: &mut ChangedRows) {
        for step in steps {
            let after = PieceMap::new(&step.board);
            let before = after.undone([&step.change]);
            let views = Color::ALL.map(|side| PairView::new(side, step.board.king(side)));
            Color::ALL.into_iter().for_each(|side| rows.clear(side));
            P::changes(level, [&before, &after], &views, rows);
            black_box(&mut *rows);
        }
    }
}
