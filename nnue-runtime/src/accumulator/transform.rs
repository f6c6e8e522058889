//! The feature transformer of declared networks, as the stack and the cache use it.

use crate::architecture::Transform;
use crate::kernel::rows;
use crate::simd::Simd;
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
    fn update<S: Simd>(
        &self,
        simd: S,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    ) {
        rows::update(simd, self, source, target, added, removed);
    }

    #[inline(always)]
    fn build<S: Simd>(&self, simd: S, target: &mut Self::Accumulator, added: &[u32]) {
        rows::refresh(simd, self, target, added);
    }

    #[inline(always)]
    fn renew<S: Simd>(
        &self,
        simd: S,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        removed: &[u32],
        added: &[u32],
    ) {
        rows::update_cached(simd, self, cached, target, added, removed);
    }
}
