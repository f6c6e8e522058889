//! The tensors of a feature transformer without sizes in their types.

use crate::memory::{ListedRows, view};
use crate::simd::{Simd, Vector};
use crate::transform::RowChanges;

/// The tensors of a feature transformer as slices, row after row.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// the values of an accumulator without features; its length is that of a row
    pub bias: &'a [i16],
    /// the number of rows of the set of pieces
    pub rows: usize,
    /// the weights of the set of pieces
    pub pieces: PieceWeights<'a>,
    /// the PSQT weights of the set of pieces
    pub psqt: &'a [i32],
    /// the number of rows of the sets of pairs
    pub pair_rows: usize,
    /// the weights of the sets of pairs
    pub pair_weight: &'a [i8],
    /// the PSQT weights of the sets of pairs
    pub pair_psqt: &'a [i32],
}

/// The rows of a set of pieces, one after the other, as numbers or as vectors.
#[derive(Clone, Copy, Debug)]
pub enum PieceWeights<'a, W = i16, B = i8> {
    /// of 16 bits
    Words(&'a [W]),
    /// of 8 bits, which are widened when they are added
    Bytes(&'a [B]),
}

impl<'a> PieceWeights<'a> {
    #[inline(always)]
    pub(super) fn vectors<S: Simd>(self) -> PieceWeights<'a, S::I16, S::I8> {
        match self {
            Self::Words(words) => PieceWeights::Words(view(words)),
            Self::Bytes(bytes) => PieceWeights::Bytes(view(bytes)),
        }
    }
}

impl<'a, W: Vector, B: Vector> PieceWeights<'a, W, B> {
    /// The listed rows of `width` vectors, as words and as bytes; one of the two is empty.
    ///
    /// # Panics
    ///
    /// If one of them does not exist.
    #[inline(always)]
    pub(super) fn listed(
        self,
        width: usize,
        numbers: &'a [u32],
    ) -> (ListedRows<'a, W>, ListedRows<'a, B>) {
        match self {
            Self::Words(words) => (
                ListedRows::new(words, width, numbers),
                ListedRows::new(&[], width, &[]),
            ),
            Self::Bytes(bytes) => (
                ListedRows::new(&[], width, &[]),
                ListedRows::new(bytes, width, numbers),
            ),
        }
    }
}

impl Weights<'_> {
    /// Checks each row separately. Most lists are short, and for the maximum of a list the compiler
    /// would generate a vectorised loop.
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
