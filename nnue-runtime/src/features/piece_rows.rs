//! A set of pieces as tables, computed for every view and piece when a network is loaded.
//!
//! ```text
//!   row = base of the view + first row of the piece + (square ^ orientation of the view) + standing * rows of a standing
//! ```

use nnue_spec::{Half, PiecePlanes};

use super::{Standing, View};
use crate::board::{Color, Piece, Square};

/// The first row of a piece that is not a feature.
const NO_FEATURE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct PieceRows {
    /// by perspective and the own king's square
    views: [[View; 64]; 2],
    /// the first row of a piece within a view, by perspective and piece
    pieces: [[u32; Piece::COUNT]; 2],
    /// rows of a view per standing; 0 if rows do not depend on standings
    of_standing: u32,
}

impl PieceRows {
    /// The tables of a set.
    pub(super) fn new(planes: &PiecePlanes) -> Self {
        // Views of one slot have the same rows; a bucket of several squares has a slot for each half.
        let halves = match planes.half {
            Half::Any => 1,
            _ if planes.has_king_squares() => 1,
            _ => 2,
        };
        let view = |perspective: Color, king: usize| {
            let turn = [0, planes.turn()][perspective.index()];
            let is_mirrored = planes.half.mirrors(king ^ turn);
            let bucket = usize::from(planes.buckets[king ^ turn]);
            View {
                perspective,
                orientation: (turn ^ if is_mirrored { 7 } else { 0 }) as u8,
                slot: (halves * bucket + usize::from(is_mirrored) * (halves - 1)) as u16,
                base: (planes.stride() * bucket + planes.first) as u32,
            }
        };
        let first_row = |perspective: Color, piece: Piece| {
            let side = usize::from(piece.color() != perspective);
            let plane = planes.planes[side][piece.kind().index()];
            plane.map_or(NO_FEATURE, |plane| 64 * u32::from(plane))
        };
        Self {
            views: Color::ALL.map(|side| core::array::from_fn(|king| view(side, king))),
            pieces: Color::ALL.map(|side| Piece::ALL.map(|piece| first_row(side, piece))),
            of_standing: match planes.standings {
                1 => 0,
                _ => planes.rows_of_standing() as u32,
            },
        }
    }

    /// [`super::FeatureSet::SEES_ATTACKS`]
    #[inline(always)]
    pub(super) fn sees_attacks(&self) -> bool {
        self.of_standing > 0
    }

    /// [`super::FeatureSet::view`]
    #[inline(always)]
    pub(super) fn view(&self, perspective: Color, king: Square) -> View {
        self.views[perspective.index()][king.index()]
    }

    /// [`super::FeatureSet::row`]
    #[inline(always)]
    pub(super) fn row(&self, view: View, piece: Piece, square: Square) -> Option<u32> {
        let first = self.pieces[view.perspective.index()][piece.index()];
        let row = view
            .base
            .wrapping_add(first)
            .wrapping_add(square.xor(view.orientation).index() as u32);
        (first != NO_FEATURE).then_some(row)
    }

    /// [`super::FeatureSet::row_standing`]
    #[inline(always)]
    pub(super) fn row_standing(
        &self,
        view: View,
        piece: Piece,
        square: Square,
        standing: Standing,
    ) -> Option<u32> {
        Some(self.row(view, piece, square)? + self.of_standing * standing.index() as u32)
    }
}
