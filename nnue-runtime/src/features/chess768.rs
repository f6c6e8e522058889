//! Chess768: (own or enemy, piece, square).

use super::{FeatureSet, View};
use crate::board::{Color, Piece, Square};

/// (Own or enemy, piece, square), independent of the king: 768 rows.
///
/// `row = o(square) + 64 * kind + 384 * enemy`, where black's view `o` flips the board top to bottom.
#[derive(Clone, Copy, Debug)]
pub struct Chess768;

impl FeatureSet for Chess768 {
    const NAME: &'static str = "Chess768";
    const ROWS: usize = 768;
    const SLOTS: usize = 1;

    #[inline(always)]
    fn view(perspective: Color, _king: Square) -> View {
        View {
            perspective,
            orientation: [0, 56][perspective.index()],
            slot: 0,
            base: 0,
        }
    }

    #[inline(always)]
    fn row(view: View, piece: Piece, square: Square) -> Option<u32> {
        let relative = piece.relative_index(view.perspective) as u32;
        let (kind, enemy) = (relative / 2, relative % 2);
        Some(384 * enemy + 64 * kind + square.xor(view.orientation).index() as u32)
    }
}
