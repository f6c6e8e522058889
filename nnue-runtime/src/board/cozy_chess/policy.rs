//! Converts moves of `cozy-chess` to and from [`PolicyMove`].

use ::cozy_chess::{Board, Move, Piece, Square};

use crate::board::{Color, PieceKind};
use crate::policy::{MoveSquares, PolicyMove};

/// A legal move of `board` from its mover's point of view, for numbering:
/// `policy_move(&board, mv)?.index_3920()`. `None` if the move's first square is empty.
#[inline]
pub fn policy_move(board: &Board, chess_move: Move) -> Option<PolicyMove> {
    let Move {
        from,
        to,
        promotion,
    } = chess_move;
    let piece = board.piece_on(from)?;
    let mv = if board.colors(board.side_to_move()).has(to) {
        PolicyMove::castling(from.into(), to.into())
    } else {
        PolicyMove::new(
            piece.into(),
            MoveSquares::new(from.into(), to.into(), promotion.map(PieceKind::from)),
        )
    };
    Some(mv.seen_by(board.side_to_move().into()))
}

/// The inverse of [`policy_move`]: the legal move of `board` that its mover sees like this; `None`
/// if there is none.
///
/// For a castling only the direction matters, not the squares, as 3920 encodes only that. Convert
/// the squares that other schemes give with [`PolicyMove::on`] first.
///
/// ```
/// use cozy_chess::Board;
/// use nnue_runtime::board::cozy_chess::{move_of, policy_move};
/// use nnue_runtime::policy::{MoveSquares, PolicyMove};
///
/// let board = Board::default();
/// let pawn = policy_move(&board, "e2e4".parse().unwrap()).unwrap();
/// let number = pawn.index_3920().unwrap();
/// assert_eq!(PolicyMove::of_3920(number).and_then(|mv| move_of(&board, mv)).unwrap().to_string(), "e2e4");
///
/// let squares = MoveSquares::of_1858(pawn.squares.index_1858().unwrap()).unwrap();
/// assert_eq!(PolicyMove::on(&board, squares).and_then(|mv| move_of(&board, mv)).unwrap().to_string(), "e2e4");
/// ```
pub fn move_of(board: &Board, mv: PolicyMove) -> Option<Move> {
    let color = board.side_to_move();
    let MoveSquares {
        from,
        to,
        promotion,
    } = mv.seen_by(Color::from(color)).squares;
    let chess_move = if mv.castling {
        let (rights, king) = (board.castle_rights(color), board.king(color));
        let rook = if to.file() > from.file() {
            rights.short
        } else {
            rights.long
        };
        Move {
            from: king,
            to: Square::new(rook?, king.rank()),
            promotion: None,
        }
    } else {
        let [from, to] = [from, to].map(|square| Square::index(square.index()));
        // cozy-chess would read a king's move onto its own rook as castling.
        if board.piece_on(from).map(PieceKind::from) != Some(mv.piece)
            || board.colors(color).has(to)
        {
            return None;
        }
        Move {
            from,
            to,
            promotion: promotion.map(|kind| Piece::ALL[kind.index()]),
        }
    };
    board.is_legal(chess_move).then_some(chess_move)
}
