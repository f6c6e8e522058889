//! The feature transformer of declared networks, as the stack and the cache use it: one dispatch per kernel.
//!
//! What decides which rows to add is compiled once, for every processor; only the kernels exist once per level.

use crate::architecture::{RowChanges, Transform};
use crate::kernel::{pair_rows, rows};
use crate::memory::prefetch;
use crate::simd::AvailableLevel;
use crate::transformer::{Accumulator, FeatureTransformer};

/// Cache lines of a row that are asked for ahead of its use; the processor itself follows from there. Measured on rows of
/// 6 KB that come from L3: 16 lines save 5 %, 8 lines 4 %, the whole row nothing.
const PREFETCHED_LINES: usize = 16;

/// The same for rows of pairs, of which many follow each other. Measured on rows of 1 KB: the whole row saves 13 %, half of it
/// 5 %, a quarter nothing.
const PREFETCHED_PAIR_LINES: usize = 32;

impl<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> Transform
    for FeatureTransformer<W, P, ROWS, PAIR_ROWS>
{
    type Accumulator = Accumulator<W, P>;

    fn zeroed() -> Self::Accumulator {
        Accumulator::zeroed()
    }

    #[inline(always)]
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator) {
        *accumulator = Accumulator { values: self.bias[0], psqt: [0; P] };
    }

    #[inline(always)]
    fn values(accumulator: &Self::Accumulator) -> [&[i16]; 2] {
        [&accumulator.values; 2]
    }

    #[inline(always)]
    fn psqt(accumulator: &Self::Accumulator) -> &[i32] {
        &accumulator.psqt
    }

    #[inline(always)]
    fn update(
        &self,
        level: AvailableLevel,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    ) {
        rows::update(level, self, source, target, added, removed);
    }

    #[inline(always)]
    fn update_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        targets: &mut [Self::Accumulator; 2],
        rows: [(&[u32], &[u32]); 2],
    ) {
        rows::update_both(level, self, sources, targets, rows);
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        if let (Some(weights), Some(psqt)) = (self.weight.get(row as usize), self.psqt.get(row as usize)) {
            prefetch(weights, PREFETCHED_LINES);
            prefetch(psqt, 1);
        }
    }

    #[inline(always)]
    fn build(&self, level: AvailableLevel, target: &mut Self::Accumulator, added: &[u32]) {
        rows::refresh(level, self, target, added);
    }

    #[inline(always)]
    fn fill(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        added: &[u32],
    ) {
        rows::refresh_cached(level, self, cached, target, added);
    }

    #[inline(always)]
    fn renew(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    ) {
        rows::update_cached(level, self, cached, target, added, removed);
    }

    #[inline(always)]
    fn update_pairs(
        &self,
        level: AvailableLevel,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        pair_rows::update(level, self, source, target, rows);
    }

    #[inline(always)]
    fn update_pairs_of_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        targets: &mut [Self::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        pair_rows::update_both(level, self, sources, targets, rows);
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        if let (Some(weights), Some(psqt)) = (self.pair_weight.get(row as usize), self.pair_psqt.get(row as usize)) {
            prefetch(weights, PREFETCHED_PAIR_LINES);
            prefetch(psqt, 1);
        }
    }

    #[inline(always)]
    fn build_pairs(&self, level: AvailableLevel, target: &mut Self::Accumulator, rows: RowChanges<'_>) {
        pair_rows::build(level, self, target, rows);
    }

    #[inline(always)]
    fn renew_pairs(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        pair_rows::renew(level, self, cached, target, rows);
    }

    #[inline(always)]
    fn replace_pieces(
        &self,
        level: AvailableLevel,
        source_and_left: [&Self::Accumulator; 2],
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        pair_rows::replace(level, self, source_and_left, cached, target, rows);
    }
}
