//! Which rows of weights the moves of a line change.

use nnue::{Architecture, Change, Color, FeatureSet, Piece, Placed, Position, Square};

use super::data::Line;
use crate::input::Placement;

/// The rows that leave and enter the accumulator of one perspective.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    /// rows to be subtracted
    pub(crate) removed: Vec<usize>,
    /// rows to be added
    pub(crate) added: Vec<usize>,
}

impl Delta {
    /// Rows that are read.
    pub(crate) fn len(&self) -> usize {
        self.removed.len() + self.added.len()
    }
}

/// What the moves of `line` change, per perspective.
pub(crate) fn deltas<A: Architecture>(line: &Line) -> Vec<[Delta; 2]> {
    line.steps.iter().map(|step| Color::ALL.map(|side| delta::<A>(side, &step.change, &step.board))).collect()
}

/// What `change`, which leads to `board`, alters for one perspective: rows, or all rows if its king goes to another bucket.
pub(crate) fn delta<A: Architecture>(side: Color, change: &Change, board: &Placement) -> Delta {
    if A::Features::must_refresh(side, change) {
        return Delta { removed: Vec::new(), added: active::<A>(side, board) };
    }
    let view = A::Features::view(side, board.king(side));
    let row = |placed: &Placed| A::Features::row(view, placed.piece, placed.square).map(|row| row as usize);
    Delta {
        removed: change.removed().iter().filter_map(row).collect(),
        added: change.added().iter().filter_map(row).collect(),
    }
}

/// All rows that are active for one perspective.
pub(crate) fn active<A: Architecture>(side: Color, board: &Placement) -> Vec<usize> {
    let view = A::Features::view(side, board.king(side));
    let row = |(color, kind, square)| A::Features::row(view, Piece::new(color, kind), Square::new(square as u8));
    board.iter().filter_map(row).map(|row| row as usize).collect()
}
