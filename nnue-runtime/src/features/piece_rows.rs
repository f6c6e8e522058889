//! A set of pieces as tables, computed for every view and piece when a network is loaded.
//!
//! ```text
//!   row = base of the view + first row of the piece + (square ^ orientation of the view) + standing * rows of a standing
//! ```

use super::king_buckets::KingPlanes;
use super::{FeatureSet, Standing, View};
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
    pub(super) fn of<F: FeatureSet>() -> Self {
        const { assert!(!F::SEES_ATTACKS) }
        Self::new(F::view, F::row, 0)
    }

    pub(super) fn of_planes(planes: &KingPlanes) -> Self {
        let view = |perspective, king| planes.view(perspective, king);
        Self::new(
            view,
            |view, piece, square| Some(planes.row(view, piece, square)),
            planes.rows_of_standing(),
        )
    }

    fn new(
        view: impl Fn(Color, Square) -> View,
        row: impl Fn(View, Piece, Square) -> Option<u32>,
        of_standing: u32,
    ) -> Self {
        let views = Color::ALL
            .map(|side| core::array::from_fn(|king| view(side, Square::wrapping(king as u32))));
        let pieces = views.map(|of_side: [View; 64]| {
            let view = of_side[0];
            // the square that this view maps to 0
            let first = Square::wrapping(view.orientation.into());
            Piece::ALL
                .map(|piece| row(view, piece, first).map_or(NO_FEATURE, |row| row - view.base))
        });
        Self {
            views,
            pieces,
            of_standing,
        }
    }

    /// [`FeatureSet::SEES_ATTACKS`]
    #[inline(always)]
    pub(super) fn sees_attacks(&self) -> bool {
        self.of_standing > 0
    }

    /// [`FeatureSet::view`]
    #[inline(always)]
    pub(super) fn view(&self, perspective: Color, king: Square) -> View {
        self.views[perspective.index()][king.index()]
    }

    /// [`FeatureSet::row`]
    #[inline(always)]
    pub(super) fn row(&self, view: View, piece: Piece, square: Square) -> Option<u32> {
        let first = self.pieces[view.perspective.index()][piece.index()];
        let row = view
            .base
            .wrapping_add(first)
            .wrapping_add(square.xor(view.orientation).index() as u32);
        (first != NO_FEATURE).then_some(row)
    }

    /// [`FeatureSet::row_standing`]
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

#[cfg(test)]
mod tests {
    use nnue_spec::KingBuckets;

    use super::*;
    use crate::features::{Chess768, HalfKaV2, HalfKaV2Hm, HalfKp, KingBucketed, KingTable};

    struct Halves;

    impl KingTable for Halves {
        const BUCKETS: KingBuckets = KingBuckets::MIRRORED.merged_kings().with_attacks();
    }

    fn check<F: FeatureSet>(rows: &PieceRows) {
        assert_eq!(rows.sees_attacks(), F::SEES_ATTACKS);
        let squares = || (0..64).map(Square::new);
        for (side, king) in Color::ALL
            .into_iter()
            .flat_map(|side| squares().map(move |king| (side, king)))
        {
            let view = F::view(side, king);
            assert_eq!(rows.view(side, king), view);
            for (piece, square) in Piece::ALL
                .into_iter()
                .flat_map(|piece| squares().map(move |at| (piece, at)))
            {
                assert_eq!(
                    rows.row(view, piece, square),
                    F::row(view, piece, square),
                    "{} {view:?}",
                    F::NAME
                );
                for standing in Standing::ALL {
                    let expected = F::row_standing(view, piece, square, standing);
                    assert_eq!(
                        rows.row_standing(view, piece, square, standing),
                        expected,
                        "{} {view:?}",
                        F::NAME
                    );
                }
            }
        }
    }

    #[test]
    fn tables_say_what_their_sets_say() {
        check::<HalfKp>(&PieceRows::of::<HalfKp>());
        check::<HalfKaV2>(&PieceRows::of::<HalfKaV2>());
        check::<HalfKaV2Hm>(&PieceRows::of::<HalfKaV2Hm>());
        check::<Chess768>(&PieceRows::of::<Chess768>());
        check::<KingBucketed<Halves>>(&PieceRows::of_planes(&KingPlanes::new(Halves::BUCKETS)));
    }
}
