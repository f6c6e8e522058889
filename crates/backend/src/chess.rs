//! Chess, with the positions and moves of `nnue-data`.

use nnue_data::{Color, Move, MoveKind, Position};

use crate::game::Game;

/// Chess and Chess960. Positions and moves are those of [`nnue_data`], which parses FEN and PGN and generates
/// legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chess;

impl Game for Chess {
    type Position = Position;
    type Move = Move;

    fn words(position: &Position, mut word: impl FnMut(u64)) {
        let placement = position.placement();
        placement
            .pieces
            .iter()
            .chain(&placement.colors)
            .for_each(|squares| word(squares.0));
        word(placement.castling.0);
        let black = u64::from(placement.side_to_move == Color::Black);
        let passed = placement.en_passant.map_or(64, |square| square as u64);
        word(black | passed << 8 | u64::from(placement.halfmove_clock) << 16);
    }

    fn move_word(mv: &Move) -> u64 {
        let kind = match mv.kind {
            MoveKind::Normal => 0,
            MoveKind::Castling => 1,
            MoveKind::EnPassant => 2,
            MoveKind::Promotion(piece) => 3 + piece as u64,
        };
        mv.from as u64 | (mv.to as u64) << 8 | kind << 16
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Sample;

    #[test]
    fn whatever_differs_has_another_digest() {
        let fens = [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 2",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 2",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 1 2",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 2",
            "r3k2r/8/8/4P3/8/8/8/R3K2R w KQkq - 0 2",
        ];
        let positions = fens.map(|fen| fen.parse::<Position>().expect("a FEN"));
        let of = |history: &[Position], count| {
            Sample::<Chess> {
                history,
                moves: &[],
            }
            .digest(count)
        };
        let digests: HashSet<u128> = positions
            .iter()
            .map(|position| of(&[*position], 1))
            .collect();
        assert_eq!(digests.len(), fens.len());
        let [first, second, ..] = positions;
        assert_ne!(of(&[first, second], 8), of(&[second], 8));
        assert_eq!(of(&[first, second], 1), of(&[second], 1));
    }
}
