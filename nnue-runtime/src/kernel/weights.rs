//! The tensors of a feature transformer without their sizes.

use crate::transform::RowChanges;

/// The tensors of a feature transformer as slices, row after row.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// the values of an accumulator without features; as many as a row has
    pub bias: &'a [i16],
    /// the number of rows of the set of pieces
    pub rows: usize,
    /// their weights
    pub weight: &'a [i16],
    /// their PSQT weights
    pub psqt: &'a [i32],
    /// the number of rows of the sets of pairs
    pub pair_rows: usize,
    /// their weights
    pub pair_weight: &'a [i8],
    /// their PSQT weights
    pub pair_psqt: &'a [i32],
}

impl Weights<'_> {
    /// Checks each row alone. Most lists are short, and of the greatest row of a list the compiler makes a loop over vectors.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    #[inline(always)]
    pub(super) fn check(&self, changes: &RowChanges<'_>) {
        check(changes.added, self.rows);
        check(changes.removed, self.rows);
        check(changes.pairs_added, self.pair_rows);
        check(changes.pairs_removed, self.pair_rows);
    }
}

/// # Panics
///
/// If a row of the list is not less than `rows`.
#[inline(always)]
fn check(list: &[u32], rows: usize) {
    for &row in list {
        assert!((row as usize) < rows, "row {row} does not exist");
    }
}
