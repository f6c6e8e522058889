//! The rows of a set of threats, as tables that are made at compile time.
//!
//! ```text
//!   row = first[attacker][from] + block[attacker][attacked] + squares below `to` among empty[attacker][from]
//! ```
//!
//! Source: fact sheet on Stockfish networks, section 5.5. Pieces are numbered `2 * kind + enemy`, squares are oriented.

use nnue_spec::ThreatPairs;

use super::super::attacks;
use crate::board::Piece;

/// The pair has no rows.
const NONE: u32 = 1 << 31;

/// The rows of a set of threats.
#[derive(Debug)]
pub(super) struct Table {
    /// by attacker and its square
    from: [[From; 64]; Piece::COUNT],
    /// by attacker, attacked piece, and whether `from < to`: rows of the attacker before the block of the attacked piece, or
    /// [`NONE`]
    block: [[[u32; 2]; Piece::COUNT]; Piece::COUNT],
}

/// An attacker on a square.
#[derive(Clone, Copy, Debug)]
struct From {
    /// what it attacks on an empty board
    empty: u64,
    /// its first row of a block
    first: u32,
}

impl Table {
    /// The rows of the set `pairs`.
    pub(super) const fn new(pairs: ThreatPairs) -> Self {
        let mut table = Self {
            from: [[From { empty: 0, first: 0 }; 64]; Piece::COUNT],
            block: [[[NONE; 2]; Piece::COUNT]; Piece::COUNT],
        };
        let (mut base, mut attacker) = (0, 0);
        while attacker < Piece::COUNT {
            // own pawn to own king, then enemy pawn to enemy king
            let (kind, enemy) = (attacker % 6, attacker / 6);
            let total = table.add_attacker(pairs, kind, enemy, base);
            base += 2 * pairs.slots(kind) as u32 * total;
            attacker += 1;
        }
        table
    }

    /// Fills in an attacker whose rows begin at `base`; returns its attacks on an empty board.
    const fn add_attacker(&mut self, pairs: ThreatPairs, kind: usize, enemy: usize, base: u32) -> u32 {
        let attacker = 2 * kind + enemy;
        let (mut total, mut square) = (0, 0);
        while square < 64 {
            let set = empty_attacks(kind, enemy, square, pairs.pushes());
            self.from[attacker][square] = From { empty: set, first: base + total };
            total += set.count_ones();
            square += 1;
        }
        let mut attacked = 0;
        while attacked < Piece::COUNT {
            let (other_kind, other_enemy) = (attacked / 2, attacked % 2);
            if let Some(slot) = pairs.slot(kind, other_kind) {
                let block = (other_enemy * pairs.slots(kind) + slot) as u32 * total;
                let is_mutual = kind == other_kind && (kind != 0 || enemy != other_enemy);
                self.block[attacker][attacked] = [block, if is_mutual { NONE } else { block }];
            }
            attacked += 1;
        }
        total
    }

    /// The row of an attack, if it has one. Pieces are relative, squares oriented; pieces are below 12, squares below 64.
    #[inline(always)]
    pub(super) fn row(&self, attacker: usize, from: usize, attacked: usize, to: usize) -> Option<u32> {
        let block = self.block[attacker][attacked][usize::from(from < to)];
        let From { empty, first } = self.from[attacker][from];
        let below = empty & ((1 << to) - 1);
        (block != NONE).then_some((first + below.count_ones()).wrapping_add(block))
    }

    /// What a piece attacks from a square on an empty board.
    #[inline(always)]
    pub(super) const fn empty(&self, attacker: usize, from: usize) -> u64 {
        self.from[attacker][from].empty
    }

    /// Whether attacks of one piece on another have rows; both seen from the same side.
    #[inline(always)]
    pub(super) const fn knows(&self, attacker: usize, attacked: usize) -> bool {
        self.block[attacker][attacked][0] != NONE
    }
}

/// What a piece attacks on an empty board; own pawns go up.
const fn empty_attacks(kind: usize, enemy: usize, square: usize, pushes: bool) -> u64 {
    match kind {
        0 => attacks::PAWN[enemy][square] | if pushes { attacks::PUSH[enemy][square] } else { 0 },
        1 => attacks::KNIGHT[square],
        2 => attacks::bishop(square, 0),
        3 => attacks::rook(square, 0),
        4 => attacks::bishop(square, 0) | attacks::rook(square, 0),
        _ => attacks::KING[square],
    }
}
