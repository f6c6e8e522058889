//! The position of a FEN, for golden values.

use nnue_spec::Fen;

use super::position::Bitboards;
use super::{Color, Piece, PieceKind, Position};

pub(crate) struct FenBoard {
    pieces: Bitboards,
    side_to_move: Color,
}

impl FenBoard {
    pub(crate) fn new(fen: &Fen) -> Self {
        let color = |black: bool| Color::ALL[usize::from(black)];
        let mut pieces = Bitboards::default();
        for &(black, kind, square) in &fen.pieces {
            pieces[Piece::new(color(black), PieceKind::ALL[kind]).index()] |= 1 << square;
        }
        Self {
            pieces,
            side_to_move: color(fen.black_to_move),
        }
    }
}

impl Position for FenBoard {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.pieces[Piece::new(color, kind).index()]
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}
