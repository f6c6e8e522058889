//! Attacks between pieces, and lists of them that need no allocation.

use crate::board::{Piece, Square};

/// "`attacker` on `from` attacks `attacked` on `to`", whoever looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// the piece that attacks
    pub attacker: Piece,
    /// where it stands
    pub from: Square,
    /// the piece that is attacked, of either colour
    pub attacked: Piece,
    /// where that stands
    pub to: Square,
}

/// Most threats of a list. A move changes four squares at most; on each, a piece attacks at most 9 others and is
/// attacked by at most 18, and 8 sliders look through it: fewer than 160 in all, on any board.
pub const CAPACITY: usize = 256;

/// Up to [`CAPACITY`] threats.
#[derive(Clone, Debug)]
pub struct ThreatList {
    threats: [Threat; CAPACITY],
    len: usize,
}

impl Default for ThreatList {
    fn default() -> Self {
        let (piece, square) = (Piece::ALL[0], Square::new(0));
        let nothing = Threat { attacker: piece, from: square, attacked: piece, to: square };
        Self { threats: [nothing; CAPACITY], len: 0 }
    }
}

impl ThreatList {
    /// Adds one.
    ///
    /// # Panics
    ///
    /// If the list is full.
    #[inline(always)]
    pub(super) fn push(&mut self, threat: Threat) {
        self.threats[self.len] = threat;
        self.len += 1;
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }
}

impl core::ops::Deref for ThreatList {
    type Target = [Threat];

    #[inline(always)]
    fn deref(&self) -> &[Threat] {
        &self.threats[..self.len]
    }
}

/// How the threats on two boards differ: each threat that is on one of them only stands once in its list.
#[derive(Clone, Debug, Default)]
pub struct ThreatChanges {
    /// on the board before, and not on the one after
    pub removed: ThreatList,
    /// on the board after, and not on the one before
    pub added: ThreatList,
}
