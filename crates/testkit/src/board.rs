//! A plain board: twelve sets of squares and a side to move.

use shakmaty::fen::Fen;
use shakmaty::{Color, Position, Role};

/// A position as networks see it. Piece kinds: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    sets: [[u64; 6]; 2],
    black_to_move: bool,
}

impl Board {
    /// The position of a FEN, legal or not.
    ///
    /// # Panics
    ///
    /// If `fen` is not a FEN.
    pub fn from_fen(fen: &str) -> Self {
        let setup = fen
            .parse::<Fen>()
            .unwrap_or_else(|error| panic!("{fen}: {error}"))
            .into_setup();
        Self::new(&setup.board, setup.turn)
    }

    /// The position on a board of shakmaty.
    pub fn from_position(position: &impl Position) -> Self {
        Self::new(position.board(), position.turn())
    }

    fn new(board: &shakmaty::Board, turn: Color) -> Self {
        let set = |color, role: Role| (board.by_color(color) & board.by_role(role)).into();
        Self {
            sets: [Color::White, Color::Black].map(|color| Role::ALL.map(|role| set(color, role))),
            black_to_move: turn.is_black(),
        }
    }

    /// The squares (bit 0 is a1, bit 63 is h8) of one kind of piece.
    pub const fn pieces(&self, black: bool, kind: usize) -> u64 {
        self.sets[black as usize][kind]
    }

    /// Whether Black is to move.
    pub const fn black_to_move(&self) -> bool {
        self.black_to_move
    }

    /// The pieces: whether black, kind, square.
    pub fn iter(&self) -> impl Iterator<Item = (bool, usize, usize)> {
        let each = |black: bool, kind: usize| {
            let set = self.pieces(black, kind);
            (0..64)
                .filter(move |square| set >> square & 1 == 1)
                .map(move |square| (black, kind, square))
        };
        [false, true]
            .into_iter()
            .flat_map(move |black| (0..6).flat_map(move |kind| each(black, kind)))
    }

    /// The same position with colours swapped and ranks mirrored.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |sets: [u64; 6]| sets.map(u64::swap_bytes);
        Self {
            sets: [flip(self.sets[1]), flip(self.sets[0])],
            black_to_move: !self.black_to_move,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_its_own_flip_but_for_the_turn() {
        let start = Board::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.iter().count(), 32);
        assert_eq!(start.pieces(false, 5), 1 << 4);
        let flipped = start.flipped();
        assert!(flipped.black_to_move());
        assert_eq!(flipped.sets, start.sets);
        assert_eq!(flipped.flipped(), start);
    }
}
