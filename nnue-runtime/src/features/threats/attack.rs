//! Attacks in one number each, and lists of them.

use super::table::Table;
use crate::board::Square;
use crate::features::changed_rows::{ChangedRows, RowChange};
use crate::features::pair_view::PairView;
use crate::memory::lanes_mut;
use crate::simd::Simd;

/// An attack of a piece on another, and what becomes of it.
///
/// ```text
///   bit    31                     16..20       12..16      6..12   0..6
///          0 removed, 1 added     attacked     attacker    from    to
///          |                      `-- block -----'
///          |                                   `------ reach ------'
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attack(i32);

impl Attack {
    pub(super) const TO: u32 = 0;
    pub(super) const FROM: u32 = 6;
    pub(super) const ATTACKER: u32 = 12;
    pub(super) const ATTACKED: u32 = 16;
    /// the bits of the attacker and of both squares
    pub(super) const REACH: i32 = 0xffff;
    /// where both pieces begin, and their bits
    pub(super) const BLOCK_SHIFT: u32 = Self::ATTACKER;
    pub(super) const BLOCK: i32 = 0xff;

    /// What becomes of an attack, as bits to be added.
    #[inline(always)]
    pub(super) const fn becomes(change: RowChange) -> i32 {
        (change as i32) << 31
    }

    /// The bits of an attack by a piece, those of what it attacks left out.
    #[inline(always)]
    pub(super) const fn by(change: RowChange, (piece, square): (u8, Square)) -> i32 {
        Self::becomes(change) | (piece as i32) << Self::ATTACKER | (square.index() as i32) << Self::FROM
    }

    /// The bits of an attack on a piece, those of what attacks it left out.
    #[inline(always)]
    pub(super) const fn on(change: RowChange, (piece, square): (u8, Square)) -> i32 {
        Self::becomes(change) | (piece as i32) << Self::ATTACKED | (square.index() as i32) << Self::TO
    }

    /// On a piece that there is not: it has no row, for either side.
    const NOTHING: i32 = 0xe << Self::ATTACKED;

    /// A piece on a square attacks another.
    #[inline(always)]
    pub(super) const fn new(change: RowChange, attacker: (u8, Square), attacked: (u8, Square)) -> Self {
        Self(Self::by(change, attacker) | Self::on(change, attacked))
    }

    /// The bits that are different as `view` sees attacks.
    #[inline(always)]
    fn difference(view: PairView) -> i32 {
        let (color, squares) = (view.perspective as i32, i32::from(view.orientation));
        color << Self::ATTACKED | color << Self::ATTACKER | squares << Self::FROM | squares << Self::TO
    }

    /// As a view sees it.
    #[inline(always)]
    pub(super) fn seen(self, view: PairView) -> Self {
        Self(self.0 ^ Self::difference(view))
    }

    /// The number of attacker and squares: below `12 * 64 * 64`.
    #[inline(always)]
    pub(super) const fn reach(self) -> usize {
        (self.0 & Self::REACH) as usize
    }

    /// The number of both pieces: below 256.
    #[inline(always)]
    pub(super) const fn block(self) -> usize {
        (self.0 >> Self::BLOCK_SHIFT & Self::BLOCK) as usize
    }

    #[inline(always)]
    const fn change(self) -> RowChange {
        RowChange::ALL[(self.0 < 0) as usize]
    }
}

/// No two boards have more attacks together: 64 pieces that each attack 8 others on both.
const MOST: usize = 2 * 8 * 64;

/// Attacks that were lost and found.
#[derive(Debug)]
pub(in crate::features) struct AttackList {
    /// with room for the end of the last vector
    attacks: [i32; MOST + 16],
    len: usize,
}

impl AttackList {
    pub(in crate::features) const fn new() -> Self {
        Self { attacks: [0; MOST + 16], len: 0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// One more attack, if it is `wanted`, without a branch.
    #[inline(always)]
    pub(super) fn push_if(&mut self, wanted: bool, attack: Attack) {
        self.attacks[self.len] = attack.0;
        self.len += usize::from(wanted);
    }

    /// Adds the lanes whose bits of `keep` are set; the vector has at most 16 lanes.
    #[inline(always)]
    pub(super) fn append<S: Simd>(&mut self, simd: S, attacks: S::I32, keep: u32) {
        let mut kept = simd.compress_i32(attacks, keep);
        let lanes = lanes_mut(&mut kept);
        self.attacks[self.len..][..lanes.len()].copy_from_slice(lanes);
        self.len += keep.count_ones() as usize;
    }
}

impl ChangedRows {
    /// The rows of all attacks that are listed, as each of `views` sees them, with `first` added to their numbers.
    #[inline(always)]
    pub(super) fn number<S: Simd, const N: usize>(&mut self, simd: S, table: &Table, views: [PairView; N], first: u32) {
        let len = self.attacks.len;
        if !S::GATHERS {
            for at in 0..len {
                let attack = Attack(self.attacks.attacks[at]);
                for view in views {
                    let row = table.row(attack.seen(view));
                    let list = self.list(attack.change(), view.perspective);
                    list.push_if(row.is_some(), first + row.unwrap_or(0));
                }
            }
            return;
        }
        self.attacks.attacks[len..][..16].fill(Attack::NOTHING);
        for at in (0..len).step_by(S::BYTES / 4) {
            let mut attacks = simd.zero_i32();
            lanes_mut(&mut attacks).copy_from_slice(&self.attacks.attacks[at..][..S::BYTES / 4]);
            let added = simd.negative_i32(attacks);
            for view in views {
                let seen = simd.xor_i32(attacks, simd.splat_i32(Attack::difference(view)));
                let (numbers, dropped) = table.rows(simd, seen);
                let numbers = simd.add_i32(numbers, simd.splat_i32(first.cast_signed()));
                let kept = !simd.negative_i32(dropped) & u32::MAX >> (32 - S::BYTES / 4);
                for (change, keep) in RowChange::ALL.into_iter().zip([kept & !added, kept & added]) {
                    let list = self.list(change, view.perspective);
                    list.append(simd.compress_i32(numbers, keep), keep.count_ones() as usize);
                }
            }
        }
    }
}
