//! The squares of a board, and the attacks between them by this set's definition.

use super::table::Table;
use crate::board::{Color, Piece, PieceKind, Square};
use crate::features::attacks;
use crate::features::piece_map::PieceMap;
use crate::simd::Simd;

/// A board, and the piece on each square.
pub(super) struct Squares<'a> {
    pub(super) board: &'a PieceMap,
    pub(super) by_square: [u8; 64],
}

impl<'a> Squares<'a> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, board: &'a PieceMap) -> Self {
        Self {
            board,
            by_square: board.by_square(simd),
        }
    }

    #[inline(always)]
    pub(super) fn placed(&self, square: Square) -> (u8, Square) {
        (self.by_square[square.index()], square)
    }
}

impl Table {
    /// The squares that a piece would attack on an empty board, by this set's definition.
    #[inline(always)]
    pub(super) fn attacked_from(
        &self,
        squares: &Squares<'_>,
        (piece, square): (u8, Square),
    ) -> u64 {
        let reach = self.reach.empty(piece.into(), square.index());
        if self.pushes && piece < 2 {
            reach
                & (attacks::PAWN[usize::from(piece)][square.index()]
                    | squares.board.both(PieceKind::Pawn))
        } else {
            reach
        }
    }

    /// The pawns and kings that attack a piece, by this set's definition.
    #[inline(always)]
    pub(super) fn neighbours(&self, board: &PieceMap, (piece, square): (u8, Square)) -> u64 {
        let at = square.index();
        let is_pushed = self.pushes && piece < 2;
        let of_pawns = Color::ALL.into_iter().fold(0, |all, color| {
            let behind = if is_pushed {
                attacks::PUSHERS[color.index()][at]
            } else {
                0
            };
            let from = attacks::PAWN_ATTACKERS[color.index()][at] | behind;
            all | from & board.pieces(Piece::new(color, PieceKind::Pawn))
        });
        of_pawns | attacks::KING[at] & board.both(PieceKind::King)
    }
}
