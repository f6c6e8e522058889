//! Attacks, each packed into one integer, and lists of them.

use crate::board::Square;
use crate::features::pair_view::PairView;
use crate::features::row_change::RowChange;
use crate::memory::lanes_mut;
use crate::simd::Simd;

/// An attack of one piece on another, and whether it was added or removed.
///
/// ```text
///   bit    31                     16..20       12..16      6..12   0..6
///          0 removed, 1 added     attacked     attacker    from    to
///          |                      `-- block -----'
///          |                                   `------ reach ------'
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attack(pub(super) i32);

impl Attack {
    pub(super) const TO: u32 = 0;
    pub(super) const FROM: u32 = 6;
    pub(super) const ATTACKER: u32 = 12;
    pub(super) const ATTACKED: u32 = 16;
    /// a mask of the attacker and of both squares
    pub(super) const REACH: i32 = 0xffff;
    /// the lowest bit of the two pieces, and their mask after the shift
    pub(super) const BLOCK_SHIFT: u32 = Self::ATTACKER;
    pub(super) const BLOCK: i32 = 0xff;

    /// The bit that says whether an attack was added or removed.
    #[inline(always)]
    pub(super) const fn becomes(change: RowChange) -> i32 {
        (change as i32) << 31
    }

    /// The bits of an attack by this piece, except those of the attacked piece.
    #[inline(always)]
    pub(super) const fn by(change: RowChange, (piece, square): (u8, Square)) -> i32 {
        Self::becomes(change)
            | (piece as i32) << Self::ATTACKER
            | (square.index() as i32) << Self::FROM
    }

    /// The bits of an attack on this piece, except those of the attacker.
    #[inline(always)]
    pub(super) const fn on(change: RowChange, (piece, square): (u8, Square)) -> i32 {
        Self::becomes(change)
            | (piece as i32) << Self::ATTACKED
            | (square.index() as i32) << Self::TO
    }

    /// An attack on a nonexistent piece, which has no row for either side.
    pub(super) const NOTHING: i32 = 0xe << Self::ATTACKED;

    #[inline(always)]
    pub(super) const fn new(
        change: RowChange,
        attacker: (u8, Square),
        attacked: (u8, Square),
    ) -> Self {
        Self(Self::by(change, attacker) | Self::on(change, attacked))
    }

    /// The bits to flip to convert an attack to the view of `view`.
    #[inline(always)]
    pub(super) fn difference(view: PairView) -> i32 {
        let (color, squares) = (view.perspective as i32, i32::from(view.orientation));
        color << Self::ATTACKED
            | color << Self::ATTACKER
            | squares << Self::FROM
            | squares << Self::TO
    }

    #[inline(always)]
    pub(super) fn seen(self, view: PairView) -> Self {
        Self(self.0 ^ Self::difference(view))
    }

    /// The index of attacker and squares: below `12 * 64 * 64`.
    #[inline(always)]
    pub(super) const fn reach(self) -> usize {
        (self.0 & Self::REACH) as usize
    }

    /// The index of both pieces: below 256.
    #[inline(always)]
    pub(super) const fn block(self) -> usize {
        (self.0 >> Self::BLOCK_SHIFT & Self::BLOCK) as usize
    }

    #[inline(always)]
    pub(super) const fn change(self) -> RowChange {
        RowChange::ALL[(self.0 < 0) as usize]
    }
}

/// The most attacks that two boards can have together: 64 pieces on each, of which each attacks 8
/// others.
const MOST: usize = 2 * 8 * 64;

/// Attacks that were removed and added.
#[derive(Debug)]
pub(in crate::features) struct AttackList {
    /// has room for a whole vector after the last attack
    pub(super) attacks: [i32; MOST + 16],
    pub(super) len: usize,
}

impl AttackList {
    pub(in crate::features) const fn new() -> Self {
        Self {
            attacks: [0; MOST + 16],
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds an attack if it is `wanted`, without a branch.
    #[inline(always)]
    pub(super) fn push_if(&mut self, wanted: bool, attack: Attack) {
        self.attacks[self.len] = attack.0;
        self.len += usize::from(wanted);
    }

    /// Adds the lanes whose bit of `keep` is set; the vector has at most 16 lanes.
    #[inline(always)]
    pub(super) fn append<S: Simd>(&mut self, simd: S, attacks: S::I32, keep: u32) {
        let mut kept = simd.compress_i32(attacks, keep);
        let lanes = lanes_mut(&mut kept);
        self.attacks[self.len..][..lanes.len()].copy_from_slice(lanes);
        self.len += keep.count_ones() as usize;
    }
}
