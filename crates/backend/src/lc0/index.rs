//! Move indices.

use nnue_data::{BitBoard, Color, Move, MoveKind, Piece, Position, Square};
use nnue_runtime::PieceKind;
use nnue_runtime::policy::{MoveSquares, Numbering};

use super::transform::Transform;

/// Number of move indices.
pub const MOVES: usize = Numbering::Of1858.count();

/// The index of a move, below [`MOVES`], on a board transformed by `transform`; `None` if no piece moves like
/// this. Castling is encoded as the king's move onto his rook; promotion to a knight has the index of its
/// squares.
///
/// ```
/// use nnue_backend::lc0::{Transform, index_of, move_of};
/// use nnue_data::{Move, Position};
///
/// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1".parse()?;
/// let castling = Move::from_uci("e8g8", &position)?;
/// assert_eq!(index_of(&position, castling, Transform::NONE), Some(103));
/// assert_eq!(move_of(&position, 103, Transform::NONE), Some(castling));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn index_of(position: &Position, mv: Move, transform: Transform) -> Option<usize> {
    let seen = |square: Square| {
        let square = transform.square(seen_by(position.side_to_move(), square as u8));
        nnue_runtime::Square::wrapping(square.into())
    };
    let promotion = match mv.kind {
        MoveKind::Promotion(piece) => Some(PieceKind::ALL[piece as usize]),
        MoveKind::Normal | MoveKind::Castling | MoveKind::EnPassant => None,
    };
    MoveSquares::new(seen(mv.from), seen(mv.to), promotion).index_1858()
}

/// The inverse of [`index_of`]. `None` for an invalid index, or if no piece of the position can move like
/// this. Does not check whether the own king is left in check.
pub fn move_of(position: &Position, index: usize, transform: Transform) -> Option<Move> {
    let us = position.side_to_move();
    let squares = MoveSquares::of_1858(index)?;
    let [from, to] = [squares.from, squares.to].map(|square| {
        let square = transform.square_before(square.index() as u8);
        Square::index(seen_by(us, square).into())
    });
    let piece = position
        .piece_on(from)
        .filter(|_| position.color(us).has(from))?;
    let promotion = squares.promotion.map(|kind| Piece::ALL[kind.index()]);
    let kind = match (piece, promotion) {
        (Piece::Pawn, Some(promotion)) => MoveKind::Promotion(promotion),
        (_, Some(_)) => return None,
        (Piece::Pawn, None) if is_last_rank(to, us) => MoveKind::Promotion(Piece::Knight),
        (Piece::Pawn, None) if is_en_passant(position, from, to) => MoveKind::EnPassant,
        (Piece::King, None) if position.castling().has(to) && position.color(us).has(to) => {
            MoveKind::Castling
        }
        (_, None) => MoveKind::Normal,
    };
    let mv = Move { from, to, kind };
    position.play(mv).is_ok().then_some(mv)
}

/// A square from a side's point of view.
const fn seen_by(side: Color, square: u8) -> u8 {
    match side {
        Color::White => square,
        Color::Black => square ^ 56,
    }
}

fn is_last_rank(square: Square, side: Color) -> bool {
    seen_by(side, square as u8) >= 56
}

fn is_en_passant(position: &Position, from: Square, to: Square) -> bool {
    let passed = position
        .en_passant()
        .map_or(BitBoard::EMPTY, Square::bitboard);
    from.file() != to.file() && passed.has(to)
}
