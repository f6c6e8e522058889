//! Positions as training data hold them: pieces, side to move, castling rights, en passant, halfmove clock.
//!
//! Squares, pieces, colours and bitboards are the types of `cozy-chess`. Its board is not used: it requires
//! more than the formats guarantee (a clock of at most 100, no check by the side that has moved), and it
//! computes pins and hashes that are not needed here.

mod attacks;
mod fen;
mod illegal;
mod legal;
mod moves;
mod placement;
mod play;

use cozy_chess::{BitBoard, Color, Piece, Square};

pub use attacks::attacks;
pub use fen::FenError;
pub(crate) use fen::{parse as parse_fen, push_number};
pub use illegal::IllegalPosition;
pub use moves::{Move, MoveKind, UciError};
pub use placement::{Placement, PositionError};
pub use play::ImpossibleMove;

/// A position that a network can be trained on. 80 bytes.
///
/// Each side has one king; there are at most 32 pieces, and no pawn is on the first or last rank. A castling
/// right belongs to a rook on the first rank of its side, with its king on the same rank. An en passant
/// square lies behind a pawn that can just have moved there. [`check_of_game`](Self::check_of_game) checks
/// whether the position can arise in a game.
///
/// ```
/// use nnue_data::{Color, Position};
///
/// let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// assert_eq!(position.occupied().len(), 3);
/// assert_eq!(position.side_to_move(), Color::White);
/// assert!(!position.is_check());
/// # Ok::<(), nnue_data::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(Placement);

impl Position {
    /// The squares of all pieces of this kind, of both colours.
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> BitBoard {
        self.0.pieces[piece as usize]
    }

    /// The squares of all pieces of this colour.
    #[inline]
    pub const fn color(&self, color: Color) -> BitBoard {
        self.0.colors[color as usize]
    }

    /// The squares of the pieces of this colour and kind.
    #[inline]
    pub fn colored(&self, color: Color, piece: Piece) -> BitBoard {
        self.color(color) & self.pieces(piece)
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> BitBoard {
        self.color(Color::White) | self.color(Color::Black)
    }

    /// The piece on a square, of either colour.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.0.piece_on(square)
    }

    /// The colour of the piece on a square.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.color(color).has(square))
    }

    /// The square of the king of this colour.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.colored(color, Piece::King)
            .next_square()
            .expect("every position has both kings")
    }

    /// Who moves next.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.0.side_to_move
    }

    /// The position without castling rights.
    pub const fn without_castling(&self) -> Self {
        Self(Placement {
            castling: BitBoard::EMPTY,
            ..self.0
        })
    }

    /// The rooks of both colours with castling rights.
    #[inline]
    pub const fn castling(&self) -> BitBoard {
        self.0.castling
    }

    /// The square that a pawn passed over in the last move. Some formats set it after every double push,
    /// others only if an enemy pawn can capture there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.0.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.0.halfmove_clock
    }

    /// Whether the positions are equal apart from the halfmove clock.
    #[inline]
    pub fn same_board(&self, other: &Self) -> bool {
        Placement {
            halfmove_clock: 0,
            ..self.0
        } == Placement {
            halfmove_clock: 0,
            ..other.0
        }
    }

    /// A sort key that is equal or close for positions that share many rows of a network: evaluating
    /// positions sorted by it takes less time. Rows depend on the kings first, then on the pawns.
    #[inline]
    pub fn likeness(&self) -> u64 {
        let [white, black] = [Color::White, Color::Black].map(|side| self.king(side) as u64);
        let pawns = self
            .pieces(Piece::Pawn)
            .0
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            >> 12;
        white << 58 | black << 52 | pawns
    }

    /// The parts of the position, to change them.
    #[inline]
    pub const fn placement(&self) -> &Placement {
        &self.0
    }
}
