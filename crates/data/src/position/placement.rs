//! Unchecked positions.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};
use thiserror::Error;

use super::Position;

/// The parts of a position. They are unchecked until [`check`](Self::check).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// the squares of each kind of piece, indexed by [`Piece`]
    pub pieces: [BitBoard; Piece::NUM],
    /// the squares of each side, indexed by [`Color`]
    pub colors: [BitBoard; Color::NUM],
    /// the side to move
    pub side_to_move: Color,
    /// the rooks of both colours with castling rights
    pub castling: BitBoard,
    /// the square behind a pawn that has just moved two squares
    pub en_passant: Option<Square>,
    /// plies since the last capture or pawn move
    pub halfmove_clock: u16,
}

/// Why a placement is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// a side does not have exactly one king
    #[error("{count} {} kings instead of one", name(*color))]
    Kings {
        /// the side
        color: Color,
        /// its number of kings
        count: u32,
    },
    /// there are more than 32 pieces
    #[error("{0} pieces, more than 32")]
    TooManyPieces(u32),
    /// a pawn stands on the first or last rank
    #[error("a pawn on {0}, the first or last rank")]
    PawnOnEdge(Square),
    /// two pieces stand on a square, or a piece has no colour
    #[error("two pieces on {0}")]
    TwoOnOne(Square),
    /// a castling right needs a rook of that side, with its king on the same first rank
    #[error(
        "a castling right for {0}, where no rook stands with which a king on its first rank could castle"
    )]
    Castling(Square),
    /// no pawn can just have passed over the en passant square
    #[error("en passant on {0}, which no pawn has just passed over")]
    EnPassant(Square),
}

pub(super) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Placement {
    /// An empty board, White to move.
    pub const EMPTY: Self = Self {
        pieces: [BitBoard::EMPTY; Piece::NUM],
        colors: [BitBoard::EMPTY; Color::NUM],
        side_to_move: Color::White,
        castling: BitBoard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
    };

    /// Puts a piece on a square.
    #[inline]
    pub fn put(&mut self, square: Square, color: Color, piece: Piece) {
        self.pieces[piece as usize] |= square.bitboard();
        self.colors[color as usize] |= square.bitboard();
    }

    #[inline]
    pub(super) fn remove(&mut self, square: Square, color: Color, piece: Piece) {
        self.pieces[piece as usize] &= !square.bitboard();
        self.colors[color as usize] &= !square.bitboard();
    }

    #[inline]
    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL
            .into_iter()
            .find(|&piece| self.pieces[piece as usize].has(square))
    }

    /// Checks the placement.
    ///
    /// # Errors
    ///
    /// If it is not what [`Position`] promises.
    pub fn check(self) -> Result<Position, PositionError> {
        self.check_pieces()?;
        self.check_castling()?;
        self.check_en_passant()?;
        Ok(Position(self))
    }

    fn check_pieces(&self) -> Result<(), PositionError> {
        let [white, black] = self.colors;
        let occupied = white | black;
        let (mut seen, mut twice) = (BitBoard::EMPTY, white & black);
        for pieces in self.pieces {
            twice |= seen & pieces;
            seen |= pieces;
        }
        // a piece without a colour, or a colour without a piece, is refused too
        if let Some(square) = (twice | (seen ^ occupied)).next_square() {
            return Err(PositionError::TwoOnOne(square));
        }
        if occupied.len() > 32 {
            return Err(PositionError::TooManyPieces(occupied.len()));
        }
        for color in Color::ALL {
            let count = (self.pieces[Piece::King as usize] & self.colors[color as usize]).len();
            if count != 1 {
                return Err(PositionError::Kings { color, count });
            }
        }
        let edges = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let pawn = (self.pieces[Piece::Pawn as usize] & edges).next_square();
        pawn.map_or(Ok(()), |square| Err(PositionError::PawnOnEdge(square)))
    }

    fn check_castling(&self) -> Result<(), PositionError> {
        if self.castling.is_empty() {
            return Ok(());
        }
        let mut right = BitBoard::EMPTY;
        for color in Color::ALL {
            let home = Rank::First.relative_to(color).bitboard() & self.colors[color as usize];
            let Some(king) = (home & self.pieces[Piece::King as usize]).next_square() else {
                continue;
            };
            let rooks = home & self.pieces[Piece::Rook as usize] & self.castling;
            let beyond = |rook: &Square| rook.file() > king.file();
            // at most one on each side of the king
            for side in [true, false] {
                if let Some(rook) = rooks.iter().find(|rook| beyond(rook) == side) {
                    right |= rook.bitboard();
                }
            }
        }
        (self.castling ^ right)
            .next_square()
            .map_or(Ok(()), |square| Err(PositionError::Castling(square)))
    }

    fn check_en_passant(&self) -> Result<(), PositionError> {
        let Some(square) = self.en_passant else {
            return Ok(());
        };
        let us = self.side_to_move;
        let them = !us;
        let forward = if us == Color::White { 1 } else { -1 };
        let occupied = self.colors[0] | self.colors[1];
        let pawns = self.pieces[Piece::Pawn as usize] & self.colors[them as usize];
        let is_right = square.rank() == Rank::Sixth.relative_to(us)
            && !occupied.has(square)
            && !occupied.has(square.offset(0, forward))
            && pawns.has(square.offset(0, -forward));
        if is_right {
            Ok(())
        } else {
            Err(PositionError::EnPassant(square))
        }
    }
}
