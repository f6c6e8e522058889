//! The transposition table.
//!
//! ```text
//!   hash   | upper bits: the place | .. |         each place has one position: the last that came there
//! ```
//!
//! Mate scores are stored relative to the position instead of the root, because the same position occurs at
//! different plies.

use cozy_chess::Move;

use super::line::DECIDED;

#[derive(Debug)]
pub(super) struct Table {
    places: Vec<(u64, Option<Entry>)>,
    shift: u32,
}

/// A searched position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: i32,
    pub(super) best: Option<Move>,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// What a value is to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// the true value is at least this
    Lower,
    /// the true value is at most this
    Upper,
}

impl Bound {
    /// The bound of the greatest value of all moves, after a search in a window.
    pub(super) const fn of(value: i32, [alpha, beta]: [i32; 2]) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether the value cuts off a search in the window.
    pub(super) const fn decides(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value <= alpha,
        }
    }
}

impl Table {
    pub(super) fn new(bits: u32) -> Self {
        assert!(bits <= 32, "a table of at most 2^32 positions");
        let bits = bits.max(1);
        Self {
            places: vec![(0, None); 1 << bits],
            shift: 64 - bits,
        }
    }

    pub(super) fn clear(&mut self) {
        self.places.fill((0, None));
    }

    /// Looks up a position; mate scores become relative to the root, `ply` plies before.
    pub(super) fn get(&self, hash: u64, ply: usize) -> Option<Entry> {
        let (found, entry) = self.places[(hash >> self.shift) as usize];
        let entry = entry.filter(|_| found == hash)?;
        Some(Entry {
            value: moved(entry.value, -(ply as i32)),
            ..entry
        })
    }

    pub(super) fn put(&mut self, hash: u64, entry: Entry, ply: usize) {
        let entry = Entry {
            value: moved(entry.value, ply as i32),
            ..entry
        };
        self.places[(hash >> self.shift) as usize] = (hash, Some(entry));
    }
}

/// Moves a mate score `plies` away from zero; other values stay unchanged.
const fn moved(value: i32, plies: i32) -> i32 {
    match value {
        _ if value >= DECIDED => value + plies,
        _ if value <= -DECIDED => value - plies,
        _ => value,
    }
}
