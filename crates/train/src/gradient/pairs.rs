//! The accumulators of each row.
//!
//! ```text
//!   accumulators      0: rows 2, 5     1: rows 5, 7     2: rows 2, 7
//!   sorted by row     . . | 0 2 | . . | 0 1 | . | 1 2
//!   begins            0     0 (of row 2)  2 (of row 5) ..
//! ```
//!
//! A counting sort: two passes over the rows of all positions, and one over all counts.

use std::ops::Range;

use crate::batch::Batch;

/// The accumulators that have each row. If the second perspective has weights of its own, keys are
/// `2 * row + perspective`, otherwise rows.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// end of each key's accumulators; they start where those of the previous key end
    ends: Vec<u32>,
    /// `position * perspectives + perspective`, with positions counted from the first sorted one
    accumulators: Vec<i32>,
}

impl Pairs {
    /// Allocates for `numbers` keys.
    pub(super) fn new(numbers: usize) -> Self {
        Self {
            ends: vec![0; numbers],
            accumulators: Vec::new(),
        }
    }

    /// Replaces the pairs by those of these positions.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    pub(super) fn sort(&mut self, batch: &Batch, positions: Range<usize>, separate: bool) {
        self.ends.fill(0);
        let number = |row: i32, side: usize| {
            if separate {
                2 * row as usize + side
            } else {
                row as usize
            }
        };
        let mut count = 0;
        for position in positions.clone() {
            for side in 0..batch.perspectives() {
                let rows = batch.rows(position, side);
                count += rows.len();
                for &row in rows {
                    self.ends[number(row, side)] += 1;
                }
            }
        }
        let mut begin = 0;
        for end in &mut self.ends {
            // The start for now; each placed accumulator advances it, up to the end.
            begin += std::mem::replace(end, begin);
        }
        self.accumulators.resize(count, 0);
        let mut accumulator = 0;
        for position in positions {
            for side in 0..batch.perspectives() {
                for &row in batch.rows(position, side) {
                    let end = &mut self.ends[number(row, side)];
                    self.accumulators[*end as usize] = accumulator;
                    *end += 1;
                }
                accumulator += 1;
            }
        }
    }

    /// The accumulators of a key, ascending.
    #[inline(always)]
    pub(super) fn of(&self, number: usize) -> &[i32] {
        let begin = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        &self.accumulators[begin as usize..self.ends[number] as usize]
    }
}
