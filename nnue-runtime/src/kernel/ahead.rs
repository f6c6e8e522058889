//! Prefetches, during a pass over tiles, for the passes after it.
//!
//! ```text
//!   this pass     tile 0 of its rows    tile 1 of its rows    ..       read and added
//!   next ones     tile 0 of new rows    tile 1 of new rows    ..       asked for meanwhile
//! ```
//!
//! Prefetched all at once, the rows of a pass are more cache lines than the processor can have in
//! flight. So their requests are spread over the tiles of the previous pass. They go to the
//! second-level cache: in the first they would displace the rows that are being added.

use core::marker::PhantomData;

use super::kind::Kind;
use super::weights::Weights;
use crate::memory::{ListedRows, prefetch, prefetch_early};
use crate::simd::Simd;
use crate::transform::Upcoming;

/// The prefetches of a pass.
pub(super) trait Ahead: Copy {
    /// Prefetches `LEN` vectors of each row, from vector `first` on.
    fn load<const LEN: usize>(self, first: usize);
}

/// No prefetches.
impl Ahead for () {
    #[inline(always)]
    fn load<const LEN: usize>(self, _: usize) {}
}

/// Rows of pieces, of words or of bytes.
pub(super) struct UpcomingRows<'a, S: Simd, K> {
    words: ListedRows<'a, S::I16>,
    bytes: ListedRows<'a, S::I8>,
    kind: PhantomData<K>,
}

impl<S: Simd, K: Kind> Clone for UpcomingRows<'_, S, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd, K: Kind> Copy for UpcomingRows<'_, S, K> {}

impl<'a, S: Simd, K: Kind> UpcomingRows<'a, S, K> {
    /// The neurons of these rows. Prefetches their PSQT values, a line each, at once.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    #[inline(always)]
    pub(super) fn new(
        weights: &Weights<'a>,
        next: Upcoming<'a>,
        width: usize,
        psqt: usize,
    ) -> Self {
        let (words, bytes) = weights.pieces.vectors::<S>().listed(width, next.pieces);
        for &row in next.pieces {
            prefetch(&weights.psqt[row as usize * psqt..][..psqt], 1);
        }
        Self {
            words,
            bytes,
            kind: PhantomData,
        }
    }
}

impl<S: Simd, K: Kind> Ahead for UpcomingRows<'_, S, K> {
    #[inline(always)]
    fn load<const LEN: usize>(self, first: usize) {
        for row in self.words.tile::<LEN>(first) {
            prefetch_early(row);
        }
        if const { K::WORDS } {
            return;
        }
        for row in self.bytes.tile::<LEN>(first) {
            prefetch_early(row);
        }
    }
}
