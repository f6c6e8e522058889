//! Pairs of pawns on the same or neighbouring files (`docs/feature-sets.md`).

use nnue_data::{BitBoard, Color, Piece};

use super::placed::Placed;
use super::rows::List;

/// Squares where pawns can stand.
const PAWN_SQUARES: usize = 48;

/// The first such square, a2.
const FIRST: usize = 8;

#[inline]
pub(super) fn find(first: i32, placed: &Placed<'_>, rows: &mut [List<'_>; 2]) {
    let (pawns, black) = (
        placed.position.pieces(Piece::Pawn),
        placed.position.color(Color::Black),
    );
    let (turns, colors) = (
        placed.turns(),
        placed.perspectives.map(|color| color as usize),
    );
    for pawn in pawns {
        let files = pawn.file().bitboard() | pawn.file().adjacent();
        let below = BitBoard(pawn.bitboard().0 - 1);
        for other in pawns & files & below {
            for side in 0..2 {
                let [pawn, other] = [pawn, other].map(|square| {
                    let enemy = usize::from(black.has(square)) ^ colors[side];
                    PAWN_SQUARES * enemy + (square as usize ^ turns[side]) - FIRST
                });
                let (low, high) = (pawn.min(other), pawn.max(other));
                rows[side].put(first + (high * (high - 1) / 2 + low) as i32, true);
            }
        }
    }
}
