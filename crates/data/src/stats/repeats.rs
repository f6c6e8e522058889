//! How many positions repeat.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Record;
use crate::stored::store;

/// Positions that are compared: those of a beginning, as they are kept in memory.
const MOST: usize = 1 << 20;

/// Bytes of a stored record that hold its board, side to move, rights and en passant.
const BOARD: usize = 25;

/// Counts positions of a beginning that have been there before, whatever their clocks, scores and outcomes.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    seen: HashSet<u64>,
    compared: u64,
}

impl Repeats {
    pub(super) fn add(&mut self, record: &Record) {
        if self.compared as usize == MOST {
            return;
        }
        let mut hasher = DefaultHasher::new();
        store(record)[..BOARD].hash(&mut hasher);
        self.seen.insert(hasher.finish());
        self.compared += 1;
    }

    /// Positions that were compared: all, or the first 1048576.
    pub const fn compared(&self) -> u64 {
        self.compared
    }

    /// Those of them that had been there before.
    pub fn repeated(&self) -> u64 {
        self.compared - self.seen.len() as u64
    }
}
