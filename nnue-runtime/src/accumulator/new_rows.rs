//! Tracks which rows of a tensor a batch has not read yet.
//!
//! Rows that it has read are likely to be in a near cache. The others are far away, so they are
//! prefetched.

use alloc::vec::Vec;

/// The rows that are needed next and were not needed before.
pub(crate) struct NewRows {
    /// one bit per row: whether it was needed
    known: Vec<u64>,
    new: Vec<u32>,
}

impl NewRows {
    pub(crate) const fn new() -> Self {
        Self {
            known: Vec::new(),
            new: Vec::new(),
        }
    }

    /// Starts over with a tensor of `rows` rows.
    pub(crate) fn forget(&mut self, rows: usize) {
        self.known.clear();
        self.known.resize(rows.div_ceil(64), 0);
    }

    /// Sets the rows that are needed next and marks them as known. Rows that do not exist are
    /// ignored; reading them reports the error.
    #[inline]
    pub(crate) fn set(&mut self, needed: &[u32]) {
        self.new.clear();
        for &row in needed {
            let Some(known) = self.known.get_mut(row as usize / 64) else {
                continue;
            };
            let bit = 1 << (row % 64);
            if *known & bit == 0 {
                self.new.push(row);
            }
            *known |= bit;
        }
    }

    /// Those rows of the last [`Self::set`] that were not needed before.
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_new_once() {
        let mut rows = NewRows::new();
        rows.forget(70);
        rows.set(&[3, 69, 64, 3]);
        assert_eq!(rows.as_slice(), [3, 69, 64]);
        rows.set(&[63, 64, 3]);
        assert_eq!(rows.as_slice(), [63]);
        rows.set(&[]);
        assert!(rows.as_slice().is_empty());
        rows.forget(70);
        rows.set(&[64]);
        assert_eq!(rows.as_slice(), [64]);
    }

    #[test]
    fn rows_that_do_not_exist_are_never_new() {
        let mut rows = NewRows::new();
        rows.forget(64);
        rows.set(&[64, u32::MAX, 63]);
        assert_eq!(rows.as_slice(), [63]);
    }
}
