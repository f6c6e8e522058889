//! Adapter for boards of the crate `cozy-chess` (feature `cozy-chess`).

mod policy;

use ::cozy_chess::{Board, File, Move, Rank};

pub use self::policy::{move_of, policy_move};
use super::{Change, Color, Piece, PieceKind, Position, Square};

impl From<::cozy_chess::Color> for Color {
    #[inline(always)]
    fn from(color: ::cozy_chess::Color) -> Self {
        match color {
            ::cozy_chess::Color::White => Self::White,
            ::cozy_chess::Color::Black => Self::Black,
        }
    }
}

impl From<::cozy_chess::Piece> for PieceKind {
    #[inline(always)]
    fn from(piece: ::cozy_chess::Piece) -> Self {
        Self::ALL[piece as usize]
    }
}

impl From<::cozy_chess::Square> for Square {
    #[inline(always)]
    fn from(square: ::cozy_chess::Square) -> Self {
        Self::wrapping(square as u32)
    }
}

impl Position for Board {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let color = [::cozy_chess::Color::White, ::cozy_chess::Color::Black][color.index()];
        self.colored_pieces(color, ::cozy_chess::Piece::ALL[kind.index()])
            .0
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move().into()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.occupied().0
    }
}

/// The change of `chess_move`, which must be legal in `board`. Call this before the move is played.
/// A castling is written as the king capturing its own rook, as always in cozy-chess.
///
/// A move from an empty square gives an empty change.
pub fn change_of(board: &Board, chess_move: Move) -> Change {
    let Move {
        from,
        to,
        promotion,
    } = chess_move;
    let color = Color::from(board.side_to_move());
    let Some(kind) = board.piece_on(from).map(PieceKind::from) else {
        return Change::null();
    };
    if board.colors(board.side_to_move()).has(to) {
        return castling(color, from, to);
    }
    let captured = board
        .piece_on(to)
        .map(|piece| Piece::new(color.other(), piece.into()));
    let (piece, from, to) = (Piece::new(color, kind), from.into(), to.into());
    match (promotion, captured) {
        (Some(promoted), _) => Change::promotion(color, from, to, promoted.into(), captured),
        (None, Some(captured)) => Change::capture(piece, from, to, captured),
        (None, None) if kind == PieceKind::Pawn && from.file() != to.file() => {
            Change::en_passant(color, from, to)
        }
        (None, None) => Change::quiet(piece, from, to),
    }
}

fn castling(color: Color, king: ::cozy_chess::Square, rook: ::cozy_chess::Square) -> Change {
    let rank = Rank::First
        .relative_to([::cozy_chess::Color::White, ::cozy_chess::Color::Black][color.index()]);
    let files = if king < rook {
        (File::G, File::F)
    } else {
        (File::C, File::D)
    };
    let target = |file| ::cozy_chess::Square::new(file, rank).into();
    Change::castling(
        color,
        (king.into(), target(files.0)),
        (rook.into(), target(files.1)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_support::undoes;

    #[test]
    fn every_legal_move_is_undone_by_its_change() {
        for (fen, shredder) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                false,
            ),
            ("8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1", false),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                false,
            ),
            ("1rkr4/8/8/8/8/8/8/5RKR w FHbd - 0 1", true),
            ("rk6/pp6/8/8/8/8/PP6/KR6 w Ba - 0 1", true),
        ] {
            let board = Board::from_fen(fen, shredder).expect("a legal position");
            let mut moves = Vec::new();
            board.generate_moves(|piece_moves| {
                moves.extend(piece_moves);
                false
            });
            for chess_move in moves {
                let mut after = board.clone();
                after.play(chess_move);
                assert!(
                    undoes(&change_of(&board, chess_move), &board, &after),
                    "{fen}: {chess_move}"
                );
            }
        }
    }
}
