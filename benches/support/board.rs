//! The board of the benches. Like an engine's, it has everything ready, so that no side waits for the board.

use nnue::{Color, Piece, PieceKind, Placed, Position, Square};

/// Piece bitboards, and what follows from them.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pieces: [u64; Piece::COUNT],
    kings: [Square; 2],
    occupied: u64,
    side_to_move: Color,
}

impl Board {
    /// All pieces, piece by piece.
    pub(crate) fn placed(&self) -> impl Iterator<Item = Placed> {
        all_pieces().flat_map(|piece| {
            let mut left = self.pieces[piece.index()];
            std::iter::from_fn(move || {
                let square = (left != 0).then(|| Square::wrapping(left.trailing_zeros()))?;
                left &= left - 1;
                Some(Placed::new(piece, square))
            })
        })
    }
}

fn all_pieces() -> impl Iterator<Item = Piece> {
    PieceKind::ALL
        .into_iter()
        .flat_map(|kind| Color::ALL.map(|color| Piece::new(color, kind)))
}

impl From<&nnue_testkit::board::Board> for Board {
    fn from(board: &nnue_testkit::board::Board) -> Self {
        let mut pieces = [0_u64; Piece::COUNT];
        for piece in all_pieces() {
            pieces[piece.index()] =
                board.pieces(piece.color() == Color::Black, piece.kind().index());
        }
        let king = |color| pieces[Piece::new(color, PieceKind::King).index()].trailing_zeros();
        Self {
            kings: Color::ALL.map(|color| Square::wrapping(king(color))),
            occupied: pieces.iter().fold(0, |all, set| all | set),
            side_to_move: if board.black_to_move() {
                Color::Black
            } else {
                Color::White
            },
            pieces,
        }
    }
}

impl Position for Board {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.pieces[Piece::new(color, kind).index()]
    }
    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
    #[inline]
    fn occupied(&self) -> u64 {
        self.occupied
    }
    #[inline]
    fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }
}
