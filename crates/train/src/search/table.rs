//! Positions that were searched.
//!
//! ```text
//!   hash   | upper bits: the place | .. |         each place has one position: the last that came there
//! ```
//!
//! A mate is as many plies away from a position, wherever that stands in a line: in the table it is counted from the position.

use cozy_chess::Move;

use super::line::DECIDED;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    places: Vec<(u64, Option<Entry>)>,
    shift: u32,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: i32,
    pub(super) best: Option<Move>,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// it is this or more
    Lower,
    /// it is this or less
    Upper,
}

impl Bound {
    /// That of the greatest value of all moves, after a search in a window.
    pub(super) const fn of(value: i32, [alpha, beta]: [i32; 2]) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether nothing more has to be known in a window.
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

    /// What is known of the position with this hash, seen from this ply of a line.
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

/// A mate so many plies nearer; other values as they are.
const fn moved(value: i32, plies: i32) -> i32 {
    match value {
        _ if value >= DECIDED => value + plies,
        _ if value <= -DECIDED => value - plies,
        _ => value,
    }
}
