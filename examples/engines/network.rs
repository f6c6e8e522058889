//! What an engine whose squares begin at a1 adds for its network: the declaration, how the board is read, and what a move changes.

use nnue::prelude::*;

use crate::rules::{A1, Board, Color, Kind, Move, Special};

nnue! {
    /// The network of the command `nnue`: see `examples/nets/default.toml`.
    pub(crate) struct Evaluator = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "crates/cli/nets/default.nnue";
    }
}

impl nnue::Position for Board<A1> {
    fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
        self.bitboards[color.index()][kind.index()]
    }

    fn side_to_move(&self) -> nnue::Color {
        color(self.mover)
    }
}

pub(crate) fn color(color: Color) -> nnue::Color {
    match color {
        Color::White => nnue::Color::White,
        Color::Black => nnue::Color::Black,
    }
}

pub(crate) fn kind(kind: Kind) -> nnue::PieceKind {
    nnue::PieceKind::ALL[kind as usize]
}

pub(crate) fn square(square: u8) -> nnue::Square {
    nnue::Square::try_new(square).expect("squares are below 64")
}

/// What `mv` will change on `board`: to be asked before the move is made.
pub(crate) fn change(board: &Board<A1>, mv: Move) -> Change {
    // pieces are 2 * kind + color; an empty square has 12, which is no piece
    let on = |square: u8| nnue::Piece::try_new(board.squares[usize::from(square)]);
    let piece = on(mv.from).expect("a piece moves");
    let captured = on(mv.to);
    let (mover, from, to) = (piece.color(), square(mv.from), square(mv.to));
    match mv.special {
        Special::None => match captured {
            None => Change::quiet(piece, from, to),
            Some(captured) => Change::capture(piece, from, to, captured),
        },
        Special::EnPassant => Change::en_passant(mover, from, to),
        Special::Promotion(promoted) => {
            Change::promotion(mover, from, to, kind(promoted), captured)
        }
        Special::Castling { from: r, to: s } => {
            Change::castling(mover, (from, to), (square(r), square(s)))
        }
    }
}
