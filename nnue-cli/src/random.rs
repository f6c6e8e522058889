//! Seeded random games.

use fastrand::Rng;
use shakmaty::{Chess, Move, Position};

/// At most `plies` random legal moves from the start position. Castling, promotions and en passant are preferred, so that they occur.
pub(crate) fn game(random: &mut Rng, plies: usize) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < plies && !position.is_game_over() {
        let mut legal = position.legal_moves();
        if random.bool() && legal.iter().any(is_special) {
            legal.retain(|m| is_special(m));
        }
        let chosen = legal[random.usize(..legal.len())];
        position.play_unchecked(chosen);
        moves.push(chosen);
    }
    moves
}

const fn is_special(m: &Move) -> bool {
    m.is_castle() || m.is_promotion() || m.is_en_passant()
}
