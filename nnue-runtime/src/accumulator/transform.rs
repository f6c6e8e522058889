//! The feature transformer of declared networks, as the stack and the cache use it: one dispatch per kernel.
//!
//! What decides which rows to add is compiled once, for every processor; only the kernels exist once per level.

use crate::architecture::Transform;
use crate::kernel::rows;
use crate::simd::AvailableLevel;
use crate::transformer::{Accumulator, FeatureTransformer};

impl<const W: usize, const P: usize, const ROWS: usize> Transform for FeatureTransformer<W, P, ROWS> {
    type Accumulator = Accumulator<W, P>;

    fn zeroed() -> Self::Accumulator {
        Accumulator::zeroed()
    }

    #[inline(always)]
    fn values(accumulator: &Self::Accumulator) -> &[i16] {
        &accumulator.values
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
    fn build(&self, level: AvailableLevel, target: &mut Self::Accumulator, added: &[u32]) {
        rows::refresh(level, self, target, added);
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
}
