//! Pieces that the other side attacks, and pieces that their own side defends.

use nnue_data::{BitBoard, Color, Piece, Position, attacks};

/// Sets of attacked and defended squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standings {
    attacked: u64,
    defended: u64,
}

impl Standings {
    pub(super) fn of(position: &Position) -> Self {
        let by = Color::ALL.map(|color| attacks_of(position, color));
        let [white, black] = Color::ALL.map(|color| position.color(color));
        Self {
            attacked: (white & by[1] | black & by[0]).0,
            defended: (white & by[0] | black & by[1]).0,
        }
    }

    /// `attacked + 2 * defended` of the piece on a square.
    #[inline]
    pub(super) fn on(self, square: usize) -> i32 {
        let bit = |squares: u64| (squares >> square & 1) as i32;
        bit(self.attacked) + 2 * bit(self.defended)
    }
}

/// The squares that a side attacks.
fn attacks_of(position: &Position, color: Color) -> BitBoard {
    let mut all = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for from in position.colored(color, piece) {
            all |= attacks(piece, color, from, position.occupied());
        }
    }
    all
}
