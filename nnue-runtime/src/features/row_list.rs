//! A list of rows with a fixed capacity, without allocation.

use crate::memory::lanes_mut;
use crate::simd::Vector;

/// At most `CAP` rows.
#[derive(Debug)]
pub(crate) struct RowList<const CAP: usize> {
    rows: [u32; CAP],
    len: usize,
}

impl<const CAP: usize> RowList<CAP> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            rows: [0; CAP],
            len: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// # Panics
    ///
    /// If the list is full.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: u32) {
        self.rows[self.len] = row;
        self.len += 1;
    }

    /// Adds `row` if `wanted`, without a branch.
    ///
    /// # Panics
    ///
    /// If the list is full.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, wanted: bool, row: u32) {
        self.rows[self.len] = row;
        self.len += usize::from(wanted);
    }

    /// Adds the first `count` lanes of a vector.
    ///
    /// # Panics
    ///
    /// If there is no room for the whole vector.
    #[inline(always)]
    pub(crate) fn append<V: Vector>(&mut self, mut lanes: V, count: usize) {
        let lanes = lanes_mut(&mut lanes);
        self.rows[self.len..][..lanes.len()].copy_from_slice(lanes);
        self.len += count;
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.rows[..self.len.min(CAP)]
    }

    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u32] {
        &mut self.rows[..self.len.min(CAP)]
    }

    /// Removes `row` from the list if it contains it.
    pub(crate) fn cancel(&mut self, row: u32) -> bool {
        let Some(at) = self.as_slice().iter().position(|&other| other == row) else {
            return false;
        };
        self.len -= 1;
        self.rows[at] = self.rows[self.len];
        true
    }
}
