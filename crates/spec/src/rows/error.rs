//! What is wrong with a list of rows or a change.

use alloc::string::String;
use core::fmt;

use super::RowsShape;

/// A row in a message: its number, its group, and the list that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRow {
    /// its number
    pub row: u32,
    /// the group that it belongs to and its number there, if the rows have groups
    pub group: Option<(String, u32)>,
    /// the list: 0 or 1; `None` if a position has one list
    pub list: Option<usize>,
}

impl ListedRow {
    /// A row of list `list` of positions with these sizes.
    pub fn new(shape: &RowsShape<'_>, list: usize, row: u32) -> Self {
        Self {
            row,
            group: shape.group(row),
            list: (shape.lists > 1).then_some(list),
        }
    }
}

/// `row 4113 (row 17 of `history`) of the second list`
impl fmt::Display for ListedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row)?;
        if let Some((name, row)) = &self.group {
            write!(f, " (row {row} of `{name}`)")?;
        }
        f.write_str(of_list(self.list))
    }
}

/// Which list it is, after the words for a row.
pub(super) fn of_list(list: Option<usize>) -> &'static str {
    match list {
        Some(0) => " of the first list",
        Some(_) => " of the second list",
        None => "",
    }
}

/// Why a list of rows or a change of one is refused. The rows are then as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowsError {
    /// a position has another number of lists, one for each perspective
    Lists {
        /// the number of lists that were given
        found: usize,
        /// the number of lists of a position
        expected: usize,
    },
    /// there is no such row
    OutOfRange {
        /// the row
        row: ListedRow,
        /// the number of rows
        rows: u32,
    },
    /// a number is negative or above 32 bits, so that no network has such a row
    Number {
        /// the number, in decimal
        found: String,
        /// the list: 0 or 1; `None` if a position has one list
        list: Option<usize>,
        /// the number of rows
        rows: u32,
    },
    /// a row is listed twice
    Repeated(ListedRow),
    /// a row is added that is active
    Active(ListedRow),
    /// a row is removed that is not active
    Inactive(ListedRow),
    /// more rows are active than the declaration allows
    TooMany {
        /// the number of active rows
        found: usize,
        /// the number after `active` in the declaration
        most: u32,
    },
    /// a text is not a list of rows or a change
    Text {
        /// what was expected
        expected: &'static str,
        /// the word that stands there instead, at most 32 characters of it
        found: String,
    },
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lists { found, expected } => write!(
                f,
                "a position of this network has {expected} list{} of rows, found {found}",
                if *expected == 1 { "" } else { "s" }
            ),
            Self::OutOfRange { row, rows } => write!(f, "{row}: there are only {rows} rows"),
            Self::Number { found, list, rows } => {
                write!(
                    f,
                    "row {found}{}: there are only {rows} rows",
                    of_list(*list)
                )
            }
            Self::Repeated(row) => write!(f, "{row} is listed twice"),
            Self::Active(row) => write!(f, "{row} is active already, it cannot be added"),
            Self::Inactive(row) => write!(f, "{row} is not active, it cannot be removed"),
            Self::TooMany { found, most } => write!(
                f,
                "{found} rows are active, the declaration allows {most} (`active {most}`)"
            ),
            Self::Text { expected, found } => write!(f, "expected {expected}, found `{found}`"),
        }
    }
}

impl core::error::Error for RowsError {}
