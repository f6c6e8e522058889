//! Converts moves of `shakmaty` to and from [`PolicyMove`].

use ::shakmaty::{Move, Position};

use crate::board::{Color, PieceKind};
use crate::policy::{MoveSquares, PolicyMove};

/// A legal move of `position` from its mover's point of view, for numbering:
/// `policy_move(&position, mv)?.index_3920()`. `None` for drops (Crazyhouse), which no scheme has.
#[inline]
pub fn policy_move<P: Position>(position: &P, chess_move: &Move) -> Option<PolicyMove> {
    let squares = |from: ::shakmaty::Square, to: ::shakmaty::Square| {
        MoveSquares::new(from.into(), to.into(), None)
    };
    let mv = match *chess_move {
        Move::Normal {
            role,
            from,
            to,
            promotion,
            ..
        } => {
            let promotion = promotion.map(PieceKind::from);
            PolicyMove::new(
                role.into(),
                MoveSquares {
                    promotion,
                    ..squares(from, to)
                },
            )
        }
        Move::EnPassant { from, to } => PolicyMove::new(PieceKind::Pawn, squares(from, to)),
        Move::Castle { king, rook } => PolicyMove::castling(king.into(), rook.into()),
        Move::Put { .. } => return None,
    };
    Some(mv.seen_by(Color::from(position.turn())))
}

/// The inverse of [`policy_move`]: the legal move of `position` that its mover sees like this;
/// `None` if there is none. Searches all legal moves.
///
/// For a castling only the direction matters, not the squares, as 3920 encodes only that. Convert
/// the squares that other schemes give with [`PolicyMove::on`] first.
pub fn move_of<P: Position>(position: &P, mv: PolicyMove) -> Option<Move> {
    let towards_h = |mv: PolicyMove| mv.squares.to.file() > mv.squares.from.file();
    let same = |other: PolicyMove| {
        if mv.castling {
            other.castling && towards_h(other) == towards_h(mv)
        } else {
            other == mv
        }
    };
    position
        .legal_moves()
        .into_iter()
        .find(|chess_move| policy_move(position, chess_move).is_some_and(same))
}
