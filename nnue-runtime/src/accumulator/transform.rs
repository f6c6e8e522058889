//! The feature transformer of declared networks, as the stack and the cache use it: one dispatch per kernel.
//!
//! What decides which rows to add is compiled once, for every processor; only the kernels exist once per level.

use crate::architecture::Transform;
use crate::kernel::rows;
use crate::simd::{AvailableLevel, Simd, Task, dispatch};
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
        dispatch(level, Update { transformer: self, source, target, removed, added });
    }

    #[inline(always)]
    fn build(&self, level: AvailableLevel, target: &mut Self::Accumulator, added: &[u32]) {
        dispatch(level, Build { transformer: self, target, added });
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
        dispatch(level, Renew { transformer: self, cached, target, removed, added });
    }
}

struct Update<'a, const W: usize, const P: usize, const ROWS: usize> {
    transformer: &'a FeatureTransformer<W, P, ROWS>,
    source: &'a Accumulator<W, P>,
    target: &'a mut Accumulator<W, P>,
    removed: &'a [u32],
    added: &'a [u32],
}

impl<const W: usize, const P: usize, const ROWS: usize> Task for Update<'_, W, P, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        rows::update(simd, self.transformer, self.source, self.target, self.added, self.removed);
    }
}

struct Build<'a, const W: usize, const P: usize, const ROWS: usize> {
    transformer: &'a FeatureTransformer<W, P, ROWS>,
    target: &'a mut Accumulator<W, P>,
    added: &'a [u32],
}

impl<const W: usize, const P: usize, const ROWS: usize> Task for Build<'_, W, P, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        rows::refresh(simd, self.transformer, self.target, self.added);
    }
}

struct Renew<'a, const W: usize, const P: usize, const ROWS: usize> {
    transformer: &'a FeatureTransformer<W, P, ROWS>,
    cached: &'a mut Accumulator<W, P>,
    target: &'a mut Accumulator<W, P>,
    removed: &'a [u32],
    added: &'a [u32],
}

impl<const W: usize, const P: usize, const ROWS: usize> Task for Renew<'_, W, P, ROWS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        rows::update_cached(simd, self.transformer, self.cached, self.target, self.added, self.removed);
    }
}
