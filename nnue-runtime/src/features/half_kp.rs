//! HalfKP: own king's square x (piece other than a king, square). See `docs/feature-sets.md`.

use super::{FeatureSet, View};
use crate::board::{Color, Piece, PieceKind, Square};

/// Own king square x (piece other than a king, square): 41024 rows.
///
/// `row = o(square) + 1 + 64 * (2 * kind + enemy) + 641 * o(own king)`, where black's view `o`
/// rotates the board. Row 0 of each block of 641 is never used.
#[derive(Clone, Copy, Debug)]
pub struct HalfKp;

impl FeatureSet for HalfKp {
    const NAME: &'static str = "HalfKP";
    const ROWS: usize = 41024;
    const SLOTS: usize = 64;

    #[inline(always)]
    fn view(perspective: Color, king: Square) -> View {
        let orientation = [0, 63][perspective.index()];
        let slot = king.xor(orientation).index();
        View {
            perspective,
            orientation,
            slot: slot as u16,
            base: 641 * slot as u32 + 1,
        }
    }

    #[inline(always)]
    fn row(view: View, piece: Piece, square: Square) -> Option<u32> {
        let plane = piece.relative_index(view.perspective);
        let is_feature = plane < 2 * PieceKind::King.index();
        is_feature
            .then(|| view.base + 64 * plane as u32 + square.xor(view.orientation).index() as u32)
    }
}
