//! Which accumulators have a row, for all rows.
//!
//! ```text
//!   accumulators      0: rows 2, 5     1: rows 5, 7     2: rows 2, 7
//!   sorted by row     . . | 0 2 | . . | 0 1 | . | 1 2
//!   begins            0     0 (of row 2)  2 (of row 5) ..
//! ```
//!
//! They are counted and put into their places: two passes over the rows of all positions, and one over all counts.

use std::ops::Range;

use crate::batch::Batch;

/// The accumulators that have each row. Where the second perspective has rows of its own, these are counted in turn with those of the first:
/// number `2 * row + perspective`.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// where those of each number end among `accumulators`; they begin where those before end
    ends: Vec<u32>,
    /// `position * perspectives + perspective`, positions counted from the first of those that were sorted
    accumulators: Vec<i32>,
}

impl Pairs {
    /// For so many numbers of rows.
    pub(super) fn new(numbers: usize) -> Self {
        Self {
            ends: vec![0; numbers],
            accumulators: Vec::new(),
        }
    }

    /// Replaces all by those of these positions.
    ///
    /// # Panics
    ///
    /// If there is no such row.
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
            // From here it grows with each that is put there, and is the end at last.
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

    /// The accumulators that have a row, ascending.
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
