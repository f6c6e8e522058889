//! The refresh cache: the last accumulators of each side and slot with their rows, so that a
//! refresh only applies the rows in which a position differs from the cached one.

use alloc::boxed::Box;

use super::rows::{ChangedRows, Rows};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// One entry per side and slot.
pub(super) struct RefreshCache<T: Transform> {
    entries: Box<[Entry<T>]>,
}

struct Entry<T: Transform> {
    accumulator: T::Accumulator,
    /// the rows of the accumulator, ascending; `None` before the first refresh
    rows: Option<Rows>,
}

impl<T: Transform> Clone for RefreshCache<T> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
        }
    }
}

impl<T: Transform> Clone for Entry<T> {
    fn clone(&self) -> Self {
        Self {
            accumulator: self.accumulator.clone(),
            rows: self.rows.clone(),
        }
    }
}

impl<T: Transform> RefreshCache<T> {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            entries: (0..2 * slots)
                .map(|_| Entry {
                    accumulator: T::zeroed(),
                    rows: None,
                })
                .collect(),
        }
    }

    /// Invalidates every entry.
    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.rows = None);
    }

    /// Computes the accumulator of `active` (ascending rows) into `target`: from entry `index`, or
    /// from the bias if that takes fewer rows. Updates the entry to these rows. `scratch` is
    /// overwritten.
    pub(super) fn refresh(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        index: usize,
        active: &Rows,
        target: &mut T::Accumulator,
        scratch: &mut ChangedRows,
    ) {
        let Entry { accumulator, rows } = &mut self.entries[index];
        let known = rows.as_ref().is_some_and(|old| {
            scratch.set_to_difference(old.as_slice(), active.as_slice());
            scratch.len() < active.as_slice().len()
        });
        let cached = accumulator;
        if known {
            let rows = RowChanges::pieces(scratch.added(), scratch.removed());
            transformer.pass(level, Frame::Renew { cached, target }, rows);
        } else {
            transformer.pass(
                level,
                Frame::Fill { cached, target },
                RowChanges::pieces(active.as_slice(), &[]),
            );
        }
        match rows {
            Some(rows) => rows.clone_from(active),
            None => *rows = Some(active.clone()),
        }
    }
}
