//! The squares that pieces attack.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::Position;

/// The squares that a piece attacks on a board with these occupied squares, whatever stands on them.
///
/// ```
/// use nnue_data::{BitBoard, Color, Piece, Square, attacks};
///
/// assert_eq!(attacks(Piece::Rook, Color::White, Square::A1, Square::A2.bitboard()).len(), 8);
/// assert_eq!(attacks(Piece::Pawn, Color::Black, Square::A2, BitBoard::EMPTY), Square::B1.bitboard());
/// ```
#[inline]
pub fn attacks(piece: Piece, color: Color, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

impl Position {
    /// The bishops, rooks and queens of `by` that attack a square on a board with these occupied squares.
    #[inline]
    pub(super) fn sliders_to(&self, square: Square, by: Color, occupied: BitBoard) -> BitBoard {
        let diagonal = self.pieces(Piece::Bishop) | self.pieces(Piece::Queen);
        let straight = self.pieces(Piece::Rook) | self.pieces(Piece::Queen);
        let attackers = get_bishop_moves(square, occupied) & diagonal
            | get_rook_moves(square, occupied) & straight;
        attackers & self.color(by) & occupied
    }

    /// Whether a piece of `by` attacks a square on a board with these occupied squares.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, by: Color, occupied: BitBoard) -> bool {
        !self.attackers(square, by, occupied).is_empty()
    }

    /// The pieces of `by` that attack a square on a board with these occupied squares.
    #[inline]
    pub(super) fn attackers(&self, square: Square, by: Color, occupied: BitBoard) -> BitBoard {
        let steps = get_knight_moves(square) & self.pieces(Piece::Knight)
            | get_pawn_attacks(square, !by) & self.pieces(Piece::Pawn)
            | get_king_moves(square) & self.pieces(Piece::King);
        steps & self.color(by) | self.sliders_to(square, by, occupied)
    }

    /// Whether the king of the side to move is attacked.
    #[inline]
    pub fn is_check(&self) -> bool {
        let us = self.side_to_move();
        self.is_attacked(self.king(us), !us, self.occupied())
    }

    /// Whether the king of the side that has moved is attacked and could be taken. No position of a game has
    /// this.
    #[inline]
    pub fn exposes_king(&self) -> bool {
        let us = self.side_to_move();
        self.is_attacked(self.king(!us), us, self.occupied())
    }
}
