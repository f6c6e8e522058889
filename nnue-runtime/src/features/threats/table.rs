//! The rows of a set of threats, as tables that are computed at compile time.
//!
//! ```text
//!   row = block[attacker][attacked] + reach[attacker][from][to]
//!         first row of the attacker   its attacks on an empty board from squares below `from`,
//!         and rows of the blocks      and those from `from` to squares below `to`
//!         before the attacked piece
//! ```
//!
//! See `docs/threats.md`. Pieces are numbered `2 * kind + enemy`, squares are oriented. Attacks on
//! an empty board differ between sets only for pawns. So there are two tables of attacks, and a
//! small table of blocks for each set.

use nnue_spec::ThreatPairs;

use super::super::attacks;
use super::attack::Attack;
use crate::board::Piece;
use crate::simd::Simd;

/// Bit 31: the pair has no rows.
const NEVER: u32 = 1 << 31;
/// Bit 30: the pair has no row if `from < to`.
const FROM_ABOVE: u32 = 1 << 30;
/// Bit 15 of a reach: `from < to`.
const BELOW: u16 = 1 << 15;

/// The attacks of pieces on an empty board.
#[derive(Debug)]
pub(in crate::features) struct Reach {
    /// by attacker and its square
    empty: [[u64; 64]; Piece::COUNT],
    /// By attacker, `from` and `to`: the number of attacks before this one, and [`BELOW`]. There is
    /// one more entry at the end, so that four bytes can be read at every index.
    before: [u16; Piece::COUNT * 64 * 64 + 1],
}

/// The entries per attacker in [`Reach::before`].
const ENTRIES: usize = 64 * 64;

impl Reach {
    /// Tables without pushes.
    const fn new() -> Self {
        let mut reach = Self {
            empty: [[0; 64]; Piece::COUNT],
            before: [0; Piece::COUNT * ENTRIES + 1],
        };
        let mut attacker = 2;
        while attacker < Piece::COUNT {
            reach.add_attacker(attacker, false);
            reach.repeat(attacker);
            attacker += 2;
        }
        reach.with_pawns(false)
    }

    const fn with_pawns(mut self, pushes: bool) -> Self {
        self.add_attacker(0, pushes);
        self.add_attacker(1, pushes);
        self
    }

    /// Copies the attacks of an own piece to the enemy's, which are equal except for pawns. Copying
    /// reduces the compile time of every program that contains this.
    const fn repeat(&mut self, own: usize) {
        self.empty[own + 1] = self.empty[own];
        let (known, rest) = self.before.split_at_mut((own + 1) * ENTRIES);
        if let (Some(from), Some(to)) = (
            known.last_chunk::<ENTRIES>(),
            rest.first_chunk_mut::<ENTRIES>(),
        ) {
            *to = *from;
        }
    }

    const fn add_attacker(&mut self, attacker: usize, pushes: bool) {
        let (mut count, mut from) = (0, 0);
        while from < 64 {
            let set = empty_attacks(attacker / 2, attacker % 2, from, pushes);
            self.empty[attacker][from] = set;
            let mut to = 0;
            while to < 64 {
                let below = if from < to { BELOW } else { 0 };
                self.before[(64 * attacker + from) * 64 + to] = count | below;
                count += (set >> to & 1) as u16;
                to += 1;
            }
            from += 1;
        }
    }

    #[inline(always)]
    pub(super) const fn empty(&self, attacker: usize, from: usize) -> u64 {
        self.empty[attacker][from]
    }
}

const PLAIN: Reach = Reach::new();
static REACH: Reach = PLAIN;
static REACH_WITH_PUSHES: Reach = PLAIN.with_pawns(true);

/// The rows of a set of threats.
#[derive(Debug)]
pub(in crate::features) struct Table {
    pub(super) reach: &'static Reach,
    /// whether a pawn attacks the pawn in front of it
    pub(super) pushes: bool,
    /// by `16 * attacked + attacker`
    block: [i32; 256],
}

impl Table {
    pub(in crate::features) const fn new(pairs: ThreatPairs) -> Self {
        let reach = if pairs.pushes() {
            &REACH_WITH_PUSHES
        } else {
            &REACH
        };
        let mut table = Self {
            reach,
            pushes: pairs.pushes(),
            block: [NEVER.cast_signed(); 256],
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

    /// Fills in an attacker whose rows begin at `base`; returns its number of attacks on an empty
    /// board.
    const fn add_attacker(
        &mut self,
        pairs: ThreatPairs,
        kind: usize,
        enemy: usize,
        base: u32,
    ) -> u32 {
        let (mut total, mut square) = (0, 0);
        while square < 64 {
            total += empty_attacks(kind, enemy, square, pairs.pushes()).count_ones();
            square += 1;
        }
        let mut attacked = 0;
        while attacked < Piece::COUNT {
            let (other_kind, other_enemy) = (attacked / 2, attacked % 2);
            if let Some(slot) = pairs.slot(kind, other_kind) {
                let block = base + (other_enemy * pairs.slots(kind) + slot) as u32 * total;
                let is_mutual = kind == other_kind && (kind != 0 || enemy != other_enemy);
                let flag = if is_mutual { FROM_ABOVE } else { 0 };
                self.block[16 * attacked + 2 * kind + enemy] = (block | flag).cast_signed();
            }
            attacked += 1;
        }
        total
    }

    /// The row of an attack as the side sees it, if it has one.
    #[inline(always)]
    pub(super) fn row(&self, seen: Attack) -> Option<u32> {
        let before = self.reach.before[seen.reach()];
        let block = self.block[seen.block()].cast_unsigned();
        let is_dropped = u32::from(before & BELOW) << 16 & block << 1 | block;
        let row = u32::from(before & !BELOW) + (block & !FROM_ABOVE);
        (is_dropped & NEVER == 0).then_some(row)
    }

    /// [`Self::row`] of each lane. The second result is negative in the lanes that have no row.
    #[inline(always)]
    pub(super) fn rows<S: Simd>(&self, simd: S, seen: S::I32) -> (S::I32, S::I32) {
        let before = simd.gather_u16(
            &self.reach.before,
            simd.and_i32(seen, simd.splat_i32(Attack::REACH)),
        );
        let block = simd.and_i32(
            simd.shr_i32(seen, Attack::BLOCK_SHIFT),
            simd.splat_i32(Attack::BLOCK),
        );
        let block = simd.gather_i32(&self.block, block);
        let below = simd.and_i32(simd.shl_i32(before, 16), simd.shl_i32(block, 1));
        let before = simd.and_i32(before, simd.splat_i32((!BELOW).into()));
        let first = simd.and_i32(block, simd.splat_i32((!FROM_ABOVE).cast_signed()));
        (simd.add_i32(first, before), simd.or_i32(below, block))
    }

    /// Whether attacks of one piece on another have rows, both seen from the same side.
    #[inline(always)]
    pub(super) const fn knows(&self, attacker: usize, attacked: usize) -> bool {
        self.block[16 * attacked + attacker] >= 0
    }
}

/// The attacks of a piece on an empty board; own pawns move up.
const fn empty_attacks(kind: usize, enemy: usize, square: usize, pushes: bool) -> u64 {
    match kind {
        0 => {
            attacks::PAWN[enemy][square]
                | if pushes {
                    attacks::PUSH[enemy][square]
                } else {
                    0
                }
        }
        1 => attacks::KNIGHT[square],
        2 => attacks::bishop(square, 0),
        3 => attacks::rook(square, 0),
        4 => attacks::bishop(square, 0) | attacks::rook(square, 0),
        _ => attacks::KING[square],
    }
}
