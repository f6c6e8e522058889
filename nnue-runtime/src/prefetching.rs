//! How rows are prefetched, which depends on how they are read.
//!
//! ```text
//!   rows                                of a ply                of a refresh
//!   of pieces, without pairs            16 lines, into L1       whole, into L2, if the tensors are large
//!   of pieces, beside rows of pairs     whole, into L2          whole, into L2, if the tensors are large
//!   of pairs                            whole, into L2          whole, into L2
//! ```
//!
//! Without pairs, a ply reads a few rows from start to end, and the processor's own prefetcher
//! continues where the hints end. Measured on rows of 6 KB from L3: 16 lines save 5 %, 8 lines 4 %,
//! the whole row nothing or, in trees, it adds 6 %.
//!
//! With pairs, a pass reads many rows piece by piece, which the processor cannot predict. Its rows
//! are more lines than L1 holds beside accumulators and layers, so they go to L2: SFNNv16 takes 0.8
//! of the time for a ply and for a refresh on a Zen 4.
//!
//! The rows of a refresh are read as soon as they are listed, so that hints gain only where rows
//! come from memory and not from L3.

use crate::memory::{prefetch, prefetch_early};

/// Cache lines that are prefetched of a row that is read from start to end.
const LINES: usize = 16;

/// Bytes of all rows from which on those of a refresh are prefetched: three times a common L3.
/// Measured on a Zen 4 with 32 MB of L3: 46 MB of rows lose 5 %, 92 MB gain or lose 3 %, 107 and
/// more gain 3 to 10 %.
const LARGE: usize = 96 << 20;

/// What is known about the rows of a transformer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetching {
    /// whether there are rows of pairs
    pub(crate) has_pairs: bool,
    /// of the tensors of rows together
    pub(crate) bytes: usize,
}

impl Prefetching {
    /// Prefetches a row of pieces that a ply changes.
    #[inline(always)]
    pub(crate) fn ply<T>(self, row: &[T]) {
        if self.has_pairs {
            prefetch_early(row);
        } else {
            prefetch(row, LINES);
        }
    }

    /// Whether rows of pieces of a refresh are prefetched.
    #[inline(always)]
    pub(crate) const fn covers_refreshes(self) -> bool {
        self.bytes >= LARGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refreshes_are_prefetched_if_their_rows_exceed_a_cache() {
        let of = |bytes| Prefetching {
            has_pairs: false,
            bytes,
        };
        let (sfnnv5, sfnnv9) = (22_528 * 2 * 1024, 22_528 * 2 * 3072);
        let sfnnv16 = sfnnv5 + (59_808 + 4_560) * 1024;
        assert!(!of(sfnnv5).covers_refreshes());
        assert!(of(sfnnv9).covers_refreshes() && of(sfnnv16).covers_refreshes());
    }
}
