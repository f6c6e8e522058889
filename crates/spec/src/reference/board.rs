//! A chess position: the input of a network.

use alloc::vec::Vec;

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// its colour
    pub black: bool,
    /// pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5
    pub kind: usize,
    /// a1 0, b1 1, ..., h8 63
    pub square: usize,
}

/// The pieces and the side to move, the only parts of a position that networks read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// in any order, at most one on a square
    pub pieces: Vec<Piece>,
    /// the side to move
    pub black_to_move: bool,
}

impl Board {
    /// A position from pieces given as (black, kind, square).
    pub fn new(
        pieces: impl IntoIterator<Item = (bool, usize, usize)>,
        black_to_move: bool,
    ) -> Self {
        let pieces = pieces
            .into_iter()
            .map(|(black, kind, square)| Piece {
                black,
                kind,
                square,
            })
            .collect();
        Self {
            pieces,
            black_to_move,
        }
    }

    /// The square of the only king of a side.
    ///
    /// # Panics
    ///
    /// If the side has no king, or several.
    pub fn king(&self, black: bool) -> usize {
        let mut kings = self
            .pieces
            .iter()
            .filter(|piece| piece.kind == KING && piece.black == black);
        match (kings.next(), kings.next()) {
            (Some(king), None) => king.square,
            _ => panic!(
                "{} does not have exactly one king",
                if black { "black" } else { "white" }
            ),
        }
    }
}

/// The number of kings among the kinds.
pub(super) const KING: usize = 5;
