//! Floats of features, which are added to the output: `psqt 3: f32`.
//!
//! ```text
//!   pieces        | row 0: K x f32 | row 1: K x f32 | ..      of the set of pieces
//!   pairs         | row 0: K x f32 | row 1: K x f32 | ..      of the sets of pairs, one set after the other
//!
//!   output[k] + (((0 + row[k] of the first active feature) + row[k] of the second) + ..)
//! ```
//!
//! Float sums depend on the order of the additions, so they are not updated incrementally like
//! accumulators: every evaluation adds the rows of the active features of the first perspective, in
//! ascending order, pieces before pairs. All levels use scalar additions, so evaluations after any
//! moves, in batches and from scratch are bit-identical.

use crate::memory::Tensor;

/// Most neurons of an output that gives a value.
pub(crate) const MOST: usize = 3;

/// `K` floats for each of `ROWS` features of pieces and `PAIR_ROWS` features of pairs.
#[derive(Clone, Debug)]
pub struct FeatureFloats<const K: usize, const ROWS: usize, const PAIR_ROWS: usize> {
    /// one row for each feature of the set of pieces
    pub pieces: Tensor<[f32; K], ROWS>,
    /// one row for each feature of the sets of pairs, one set after the other
    pub pairs: Tensor<[f32; K], PAIR_ROWS>,
}

impl<const K: usize, const ROWS: usize, const PAIR_ROWS: usize> FeatureFloats<K, ROWS, PAIR_ROWS> {
    /// All zero.
    pub fn zeroed() -> Self {
        const { assert!(K <= MOST, "an output has up to three neurons") }
        Self {
            pieces: Tensor::zeroed(),
            pairs: Tensor::zeroed(),
        }
    }

    /// All rows as slices.
    pub fn rows(&self) -> FloatRows<'_> {
        FloatRows::new(K, self.pieces.flat(), self.pairs.flat())
    }
}

/// The floats of all features, without their sizes in the type.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloatRows<'a> {
    columns: usize,
    pieces: &'a [f32],
    pairs: &'a [f32],
}

impl<'a> FloatRows<'a> {
    /// `columns` is at most [`MOST`].
    pub(crate) fn new(columns: usize, pieces: &'a [f32], pairs: &'a [f32]) -> Self {
        Self {
            columns,
            pieces,
            pairs,
        }
    }

    /// Sorts the row numbers and sums the rows. Columns that do not exist are zero.
    pub(crate) fn sum(&self, pieces: &mut [u32], pairs: &mut [u32]) -> [f32; MOST] {
        let mut sums = [0.0; MOST];
        for (table, rows) in [(self.pieces, pieces), (self.pairs, pairs)] {
            rows.sort_unstable();
            for &row in &*rows {
                let row = &table[row as usize * self.columns..][..self.columns];
                sums.iter_mut()
                    .zip(row)
                    .for_each(|(sum, float)| *sum += float);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_in_ascending_order_whatever_the_order_in_which_they_are_listed() {
        let mut floats = FeatureFloats::<1, 4, 2>::zeroed();
        // The order matters: single floats added to 1e8 one by one are lost.
        floats
            .pieces
            .flat_mut()
            .copy_from_slice(&[3.0, 1e8, 3.0, -1e8]);
        floats.pairs.flat_mut().copy_from_slice(&[0.25, 5.0]);
        let expected = (((0.0_f32 + 3.0) + 1e8) + 3.0 - 1e8) + 0.25;
        for mut pieces in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            assert_eq!(
                floats.rows().sum(&mut pieces, &mut [0]),
                [expected, 0.0, 0.0]
            );
        }
        assert_ne!(expected, 6.25);
    }
}
