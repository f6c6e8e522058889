//! The feature sets of a descriptor, for networks that are only known at run time.

use alloc::boxed::Box;
use alloc::vec::Vec;

use nnue_spec::{FeatureDesc, FeatureSetId, PiecePlanes};

use super::piece_rows::PieceRows;
use super::sets::Sets;
use super::threats::{self, Table};
use super::{ChangedRows, PairSet, PairView, PawnPairs, PieceMap, Standing, View, must_refresh};
use crate::board::{Change, Color, Piece, Square};
use crate::simd::AvailableLevel;

/// An upper bound of the slots of a set of pieces: two halves of a bucket for each square.
pub(crate) const MOST_SLOTS: usize = 2 * 64;

#[derive(Debug)]
pub(crate) struct SetsAtRunTime {
    pieces: PieceRows,
    rows: usize,
    pairs: Vec<Pairs>,
    pair_rows: usize,
}

#[derive(Debug)]
struct Pairs {
    kind: PairKind,
    /// the number of its first row among the rows of all sets of pairs
    first: u32,
}

#[derive(Debug)]
enum PairKind {
    PawnPairs,
    Threats(Box<Table>),
}

impl SetsAtRunTime {
    /// The sets of a network; `None` if one of them is user-defined.
    pub(crate) fn of(features: &[FeatureDesc]) -> Option<Self> {
        let (first, others) = features.split_first()?;
        let pieces = match first.set {
            // Its rows are listed: no board is ever asked.
            FeatureSetId::Custom(set) if set.is_listed() => PiecePlanes::PLAIN,
            set => set.pieces()?,
        };
        let pieces = PieceRows::new(&pieces);
        let (mut pairs, mut pair_rows) = (Vec::new(), 0);
        for feature in others {
            let kind = match feature.set {
                FeatureSetId::PawnPairs => PairKind::PawnPairs,
                FeatureSetId::Threats(pairs) => PairKind::Threats(Box::new(Table::new(pairs))),
                _ => return None,
            };
            pairs.push(Pairs {
                kind,
                first: pair_rows as u32,
            });
            pair_rows += feature.rows;
        }
        Some(Self {
            pieces,
            rows: first.rows,
            pairs,
            pair_rows,
        })
    }

    #[inline(always)]
    pub(crate) fn piece_rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    pub(crate) fn rows_of_pairs(&self) -> usize {
        self.pair_rows
    }
}

impl Sets for &SetsAtRunTime {
    fn rows(self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn pair_rows(self) -> usize {
        self.pair_rows
    }

    #[inline(always)]
    fn sees_attacks(self) -> bool {
        self.pieces.sees_attacks()
    }

    #[inline(always)]
    fn view(self, perspective: Color, king: Square) -> View {
        self.pieces.view(perspective, king)
    }

    #[inline(always)]
    fn row(self, view: View, piece: Piece, square: Square) -> Option<u32> {
        self.pieces.row(view, piece, square)
    }

    #[inline(always)]
    fn row_standing(
        self,
        view: View,
        piece: Piece,
        square: Square,
        standing: Standing,
    ) -> Option<u32> {
        self.pieces.row_standing(view, piece, square, standing)
    }

    #[inline(always)]
    fn must_refresh(self, perspective: Color, change: &Change) -> bool {
        must_refresh(self.sees_attacks(), perspective, change, |king| {
            self.view(perspective, king)
        })
    }

    fn active_pairs(self, board: &PieceMap, view: PairView, mut found: impl FnMut(u32)) {
        for Pairs { kind, first } in &self.pairs {
            match kind {
                PairKind::PawnPairs => PawnPairs::active(board, view, |row| found(first + row)),
                PairKind::Threats(table) => table.active(board, view, |row| found(first + row)),
            }
        }
    }

    fn collect_pairs(
        self,
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        rows: &mut ChangedRows,
    ) {
        for &Pairs { ref kind, first } in &self.pairs {
            match kind {
                PairKind::PawnPairs => PawnPairs::collect(level, board, view, first, rows),
                PairKind::Threats(table) => {
                    threats::collect(level, table, board, view, first, rows)
                }
            }
        }
    }

    fn changed_pairs(
        self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    ) {
        for &Pairs { ref kind, first } in &self.pairs {
            match kind {
                PairKind::PawnPairs => PawnPairs::changes(level, boards, views, first, rows),
                PairKind::Threats(table) => {
                    threats::changes(level, table, boards, views, first, rows)
                }
            }
        }
    }
}
