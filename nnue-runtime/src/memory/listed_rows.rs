//! The rows of a tensor that a list names, tile by tile.
//!
//! ```text
//!   values    | row 0: width vectors | row 1 | row 2 | row 3 | ..
//!   numbers   1  3  ..                                             each compared with the tensor once
//!   tile      LEN vectors of row 1, of row 3, ..                   the same ones of each row
//! ```
//!
//! A pass over rows reads each row once per tile. Checking the row numbers for each tile would add
//! five instructions to the twelve to twenty of a row and leave fewer loads in flight from slow
//! memory, which costs 2 to 5 % of a refresh on a Zen 5. So the numbers are checked once.
#![expect(unsafe_code, reason = "rows whose numbers are compared once")]

use core::slice;

use crate::simd::Vector;

/// A list of rows, each of `width` vectors.
#[derive(Clone, Copy)]
pub(crate) struct ListedRows<'a, V> {
    /// for each `row` in it, `values[row * width..][..width]` exists
    numbers: &'a [u32],
    values: &'a [V],
    width: usize,
}

impl<'a, V: Vector> ListedRows<'a, V> {
    /// The rows of `values` with these numbers.
    ///
    /// # Panics
    ///
    /// If one of them does not exist.
    #[inline(always)]
    pub(crate) fn new(values: &'a [V], width: usize, numbers: &'a [u32]) -> Self {
        for &row in numbers {
            let end = (u64::from(row) + 1) * width as u64;
            assert!(end <= values.len() as u64, "row {row} does not exist");
        }
        Self {
            numbers,
            values,
            width,
        }
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.numbers.len()
    }

    /// Row `numbers[at]`.
    ///
    /// # Panics
    ///
    /// If the list is shorter.
    #[inline(always)]
    pub(crate) fn row(self, at: usize) -> &'a [V] {
        &self.values[self.numbers[at] as usize * self.width..][..self.width]
    }

    /// The vectors `first..first + LEN` of each row.
    ///
    /// # Panics
    ///
    /// If rows are narrower.
    #[inline(always)]
    pub(crate) fn tile<const LEN: usize>(self, first: usize) -> Tile<'a, V, LEN> {
        assert!(
            first <= self.width && LEN <= self.width - first,
            "a tile does not end within a row"
        );
        Tile {
            numbers: self.numbers.iter(),
            values: self.values,
            width: self.width,
            first,
        }
    }
}

/// An iterator over the same `LEN` vectors of each listed row.
pub(crate) struct Tile<'a, V, const LEN: usize> {
    /// as in [`ListedRows`]
    numbers: slice::Iter<'a, u32>,
    values: &'a [V],
    width: usize,
    /// at most `width - LEN`
    first: usize,
}

impl<'a, V: Vector, const LEN: usize> Iterator for Tile<'a, V, LEN> {
    type Item = &'a [V; LEN];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let row = *self.numbers.next()? as usize;
        let start = row * self.width + self.first;
        debug_assert!(start + LEN <= self.values.len());
        let tile = self.values.as_ptr().wrapping_add(start).cast::<[V; LEN]>();
        // SAFETY: the row has `width` vectors from `row * width` on, and `first + LEN` is at most
        // `width`. An array has the layout of a slice of its length.
        Some(unsafe { &*tile })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Simd};

    #[test]
    fn a_tile_has_the_same_vectors_of_each_row() {
        let values: Vec<_> = (0..12).map(|k| Scalar.splat_i16(k)).collect();
        let rows = ListedRows::new(&values, 4, &[2, 0, 2]);
        let tile = rows.tile::<2>(1).map(|&[a, b]| (a, b)).collect::<Vec<_>>();
        assert_eq!(
            tile,
            [
                (values[9], values[10]),
                (values[1], values[2]),
                (values[9], values[10])
            ]
        );
        assert_eq!(rows.tile::<4>(0).count(), 3);
        assert_eq!((rows.len(), rows.row(1)), (3, &values[..4]));
        assert_eq!(ListedRows::new(&values, 4, &[]).tile::<1>(3).count(), 0);
    }

    #[test]
    #[should_panic(expected = "row 3 does not exist")]
    fn rows_after_the_last_are_refused() {
        ListedRows::new(&[Scalar.splat_i16(0); 15], 4, &[2, 3]);
    }

    #[test]
    #[should_panic(expected = "row 4294967295 does not exist")]
    fn the_greatest_number_is_refused() {
        ListedRows::new(&[Scalar.splat_i16(0); 4], 1 << 30, &[u32::MAX]);
    }

    #[test]
    #[should_panic(expected = "a tile does not end within a row")]
    fn tiles_that_leave_the_row_are_refused() {
        ListedRows::new(&[Scalar.splat_i16(0); 8], 4, &[0]).tile::<2>(3);
    }
}
