//! Rules that choose a layer stack by the active rows: `by row_count / 8`, `by row_count(history) / 2`,
//! `by row(phase)`.

use alloc::format;
use alloc::string::String;

use super::{RowGroup, RowSets};

/// A rule over the active rows of a group, or over all rows.
///
/// Of two lists it reads that of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRule {
    /// the first row of the group; 0 for all rows
    pub first: u32,
    /// the number of rows of the group, or of the network
    pub rows: u32,
    /// how these rows choose
    pub by: RowMeasure,
}

/// How active rows choose a layer stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMeasure {
    /// `(row_count - minus) / divide`, 0 for fewer than `minus` rows
    Count {
        /// subtracted first
        minus: u32,
        /// then divided by this, rounding down
        divide: u32,
    },
    /// `row(phase)`: the number of the active row in its group; the lowest of several, 0 without any
    Row,
}

impl RowRule {
    /// The stack for these active rows. It is not held to the number of stacks.
    pub fn select(self, active: &[u32]) -> usize {
        let in_group = active
            .iter()
            .map(|row| row.wrapping_sub(self.first))
            .filter(|row| *row < self.rows);
        match self.by {
            RowMeasure::Count { minus, divide } => {
                (in_group.count() as u32).saturating_sub(minus) as usize / divide as usize
            }
            RowMeasure::Row => in_group.min().unwrap_or(0) as usize,
        }
    }

    /// The rule as written in a declaration whose rows have these groups.
    pub fn text(self, groups: &[RowGroup<'_>]) -> String {
        let mut first = 0;
        let mut group = groups.iter().filter(|group| {
            let begins = first;
            first += group.rows;
            begins == self.first && group.rows == self.rows
        });
        let of = match group.next() {
            Some(group) => format!("({})", group.name),
            None => String::new(),
        };
        match self.by {
            RowMeasure::Row => format!("row{of}"),
            RowMeasure::Count { minus: 0, divide } => format!("row_count{of} / {divide}"),
            RowMeasure::Count { minus, divide } => format!("(row_count{of} - {minus}) / {divide}"),
        }
    }
}

impl RowSets {
    /// The active rows of the side to move; with one list, that one.
    #[inline]
    pub fn own_list(&self) -> &[u32] {
        self.list(usize::from(self.black_to_move()).min(self.lists() - 1))
    }
}
