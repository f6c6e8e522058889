//! Seeded random games: the same on every machine.

use shakmaty::{Chess, Move, Position};

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Numbers that depend on nothing but `seed`.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `bound - 1`, or 0.
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((((z ^ (z >> 31)) >> 32) * bound as u64) >> 32) as usize
    }
}

/// At most `plies` random legal moves from the start position. Castling, promotions and en passant are preferred, so that they occur.
pub(crate) fn game(random: &mut Random, plies: usize) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < plies && !position.is_game_over() {
        let mut legal = position.legal_moves();
        if random.below(2) == 0 && legal.iter().any(is_special) {
            legal.retain(|m| is_special(m));
        }
        let chosen = legal[random.below(legal.len())];
        position.play_unchecked(chosen);
        moves.push(chosen);
    }
    moves
}

const fn is_special(m: &Move) -> bool {
    m.is_castle() || m.is_promotion() || m.is_en_passant()
}
