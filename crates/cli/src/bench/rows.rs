//! Rows of weights that positions and moves need, compiled once per combination of feature sets.

use std::hint::black_box;
use std::marker::PhantomData;

use nnue::{
    AvailableLevel, Change, Color, FeatureSet, Level, Piece, Placed, Position, Square, dynamic,
};
use nnue_runtime::features::{ChangedRows, PairSets, PairView, PieceMap, RowChange};

use super::data::{Line, Step};
use crate::input::Placement;

/// The rows that leave and enter the accumulator of one perspective.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    pub(crate) pieces: Rows,
    /// rows of the pair sets, numbered consecutively across sets
    pub(crate) pairs: Rows,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) removed: Vec<usize>,
    pub(crate) added: Vec<usize>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.removed.len() + self.added.len()
    }
}

pub(crate) trait FeatureRows: Sync {
    /// All active rows of one perspective, as added rows.
    fn active(&self, side: Color, board: &Placement) -> Delta;

    /// The rows that `change` (from `before` to `board`) alters for one perspective. They are all piece rows
    /// if its king enters another bucket, and all pair rows if it crosses to the other half of the board.
    fn delta(&self, side: Color, before: &Placement, change: &Change, board: &Placement) -> Delta;

    /// Finds the pair rows that each step removes and adds, using `level`, and discards them. For timing.
    fn find(&self, level: AvailableLevel, steps: &[Step], rows: &mut ChangedRows);
}

/// The changed rows of each move of `line`, per perspective.
pub(crate) fn deltas(rows: &dyn FeatureRows, line: &Line) -> Vec<[Delta; 2]> {
    let before = std::iter::once(&line.root).chain(line.steps.iter().map(|step| &step.board));
    let steps = before.zip(&line.steps);
    steps
        .map(|(before, step)| {
            Color::ALL.map(|side| rows.delta(side, before, &step.change, &step.board))
        })
        .collect()
}

/// Access to the piece set and the pair sets.
pub(crate) trait Says: Sync {
    /// The row of a piece for `side`, whose king is on `king`.
    fn row(&self, side: Color, king: Square, placed: &Placed) -> Option<u32>;

    /// Whether the change refreshes all piece rows of `side`.
    fn must_refresh(&self, side: Color, change: &Change) -> bool;

    /// Calls `found` with each pair row.
    fn pairs(&self, board: &PieceMap, view: PairView, found: &mut dyn FnMut(u32));

    /// Finds the pair rows that differ between two boards.
    fn changed_pairs(
        &self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    );
}

/// A piece set and pair sets known at compile time.
pub(crate) struct Sets<F, P>(pub(crate) PhantomData<fn() -> (F, P)>);

impl<F: FeatureSet, P: PairSets> Says for Sets<F, P> {
    fn row(&self, side: Color, king: Square, placed: &Placed) -> Option<u32> {
        F::row(F::view(side, king), placed.piece, placed.square)
    }

    fn must_refresh(&self, side: Color, change: &Change) -> bool {
        F::must_refresh(side, change)
    }

    fn pairs(&self, board: &PieceMap, view: PairView, found: &mut dyn FnMut(u32)) {
        P::active(board, view, found);
    }

    fn changed_pairs(
        &self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    ) {
        P::changes(level, boards, views, rows);
    }
}

/// The sets of a network declared at run time.
impl Says for dynamic::Network {
    fn row(&self, side: Color, king: Square, placed: &Placed) -> Option<u32> {
        self.features().row(side, king, placed)
    }

    fn must_refresh(&self, side: Color, change: &Change) -> bool {
        self.features().must_refresh(side, change)
    }

    fn pairs(&self, board: &PieceMap, view: PairView, found: &mut dyn FnMut(u32)) {
        self.features().pairs(board, view, found);
    }

    fn changed_pairs(
        &self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    ) {
        self.features().changed_pairs(level, boards, views, rows);
    }
}

impl<T: Says> FeatureRows for T {
    fn active(&self, side: Color, board: &Placement) -> Delta {
        let king = board.king(side);
        let placed =
            |(color, kind, square)| Placed::new(Piece::new(color, kind), Square::new(square as u8));
        let row = |placed: Placed| self.row(side, king, &placed).map(|row| row as usize);
        let pieces = board.iter().map(placed).filter_map(row).collect();
        let mut pairs = Vec::new();
        self.pairs(
            &PieceMap::new(board),
            PairView::new(side, king),
            &mut |row| pairs.push(row as usize),
        );
        let all = |added| Rows {
            removed: Vec::new(),
            added,
        };
        Delta {
            pieces: all(pieces),
            pairs: all(pairs),
        }
    }

    fn delta(&self, side: Color, before: &Placement, change: &Change, board: &Placement) -> Delta {
        let all = self.active(side, board);
        let pieces = if self.must_refresh(side, change) {
            all.pieces
        } else {
            let row = |placed: &Placed| {
                self.row(side, board.king(side), placed)
                    .map(|row| row as usize)
            };
            Rows {
                removed: change.removed().iter().filter_map(row).collect(),
                added: change.added().iter().filter_map(row).collect(),
            }
        };
        let view = PairView::new(side, board.king(side));
        if view != PairView::new(side, before.king(side)) {
            return Delta {
                pieces,
                pairs: all.pairs,
            };
        }
        let mut rows = ChangedRows::new();
        let boards = [&PieceMap::new(before), &PieceMap::new(board)];
        self.changed_pairs(Level::detect(), boards, &[view], &mut rows);
        let list = |change| {
            rows.of(change, side)
                .iter()
                .map(|&row| row as usize)
                .collect()
        };
        Delta {
            pieces,
            pairs: Rows {
                removed: list(RowChange::Removed),
                added: list(RowChange::Added),
            },
        }
    }

    fn find(&self, level: AvailableLevel, steps: &[Step], rows: &mut ChangedRows) {
        for step in steps {
            let after = PieceMap::new(&step.board);
            let before = after.undone([&step.change]);
            let views = Color::ALL.map(|side| PairView::new(side, step.board.king(side)));
            Color::ALL.into_iter().for_each(|side| rows.clear(side));
            self.changed_pairs(level, [&before, &after], &views, rows);
            black_box(&mut *rows);
        }
    }
}
