//! Lists of rows that a user-defined feature set fills.

use alloc::vec::Vec;

/// A list of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    rows: Vec<u32>,
    /// the number of rows of the feature set
    limit: usize,
}

impl Rows {
    pub(super) fn below(limit: usize) -> Self {
        Self {
            rows: Vec::new(),
            limit,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it is not below [`Inputs::ROWS`](super::Inputs::ROWS).
    #[inline]
    #[track_caller]
    pub fn add(&mut self, row: u32) {
        assert!(
            (row as usize) < self.limit,
            "row {row} is not below {}, the number of inputs",
            self.limit
        );
        self.rows.push(row);
    }

    /// The rows, in the order in which they were added.
    pub fn as_slice(&self) -> &[u32] {
        &self.rows
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u32] {
        &mut self.rows
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(super) fn sort(&mut self) {
        self.rows.sort_unstable();
    }
}

/// The rows of one side that a change removes and adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRows {
    pub(super) removed: Rows,
    pub(super) added: Rows,
}

impl ChangedRows {
    pub(super) fn below(limit: usize) -> Self {
        Self {
            removed: Rows::below(limit),
            added: Rows::below(limit),
        }
    }

    /// Removes a row that was active.
    ///
    /// # Panics
    ///
    /// If it is not below [`Inputs::ROWS`](super::Inputs::ROWS).
    #[inline]
    #[track_caller]
    pub fn remove(&mut self, row: u32) {
        self.removed.add(row);
    }

    /// Adds a row that becomes active.
    ///
    /// # Panics
    ///
    /// If it is not below [`Inputs::ROWS`](super::Inputs::ROWS).
    #[inline]
    #[track_caller]
    pub fn add(&mut self, row: u32) {
        self.added.add(row);
    }

    /// The rows that are removed.
    pub fn removed(&self) -> &[u32] {
        self.removed.as_slice()
    }

    /// The rows that are added.
    pub fn added(&self) -> &[u32] {
        self.added.as_slice()
    }

    pub(super) fn len(&self) -> usize {
        self.removed.rows.len() + self.added.rows.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn clear(&mut self) {
        self.removed.clear();
        self.added.clear();
    }

    /// Moves the rows of `other` to the ends of these lists.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.removed.rows.append(&mut other.removed.rows);
        self.added.rows.append(&mut other.added.rows);
    }

    /// Drops rows that are both removed and added.
    pub(super) fn cancel(&mut self) {
        let added = &mut self.added.rows;
        self.removed
            .rows
            .retain(|row| match added.iter().position(|other| other == row) {
                Some(at) => {
                    added.swap_remove(at);
                    false
                }
                None => true,
            });
    }

    /// Sets the lists to the difference between the rows `old` and the rows `new`, both ascending.
    pub(super) fn set_to_difference(&mut self, mut old: &[u32], mut new: &[u32]) {
        self.clear();
        while let ([first_old, rest_old @ ..], [first_new, rest_new @ ..]) = (old, new) {
            if first_old <= first_new {
                old = rest_old;
            }
            if first_new <= first_old {
                new = rest_new;
            }
            if first_old < first_new {
                self.removed.rows.push(*first_old);
            } else if first_new < first_old {
                self.added.rows.push(*first_new);
            }
        }
        self.removed.rows.extend_from_slice(old);
        self.added.rows.extend_from_slice(new);
    }
}
