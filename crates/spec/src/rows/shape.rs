//! The sizes of positions that are lists of rows.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// A named part of the rows: `history: 1024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowGroup<'a> {
    /// the name in the declaration
    pub name: &'a str,
    /// its number of rows, which follow those of the groups before it
    pub rows: u32,
}

/// The sizes of the positions of a network whose rows the caller lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsShape<'a> {
    /// rows of the weight matrix
    pub rows: u32,
    /// greatest number of active rows in a list
    pub most_active: u32,
    /// lists of a position, one for each perspective that is read: 1 or 2
    pub lists: usize,
    /// the named parts of the rows; empty if they have no names
    pub groups: &'a [RowGroup<'a>],
}

impl RowsShape<'_> {
    /// The group of a row, and the number of the row in it; `None` without groups.
    pub(super) fn group(&self, row: u32) -> Option<(String, u32)> {
        let mut first = 0;
        for group in self.groups {
            if row - first < group.rows {
                return Some((group.name.to_owned(), row - first));
            }
            first += group.rows;
        }
        None
    }
}
