//! Perspectives with weights of their own.
//!
//! Which weights a side's accumulator needs depends on whether its perspective is the first or the second, which changes with every
//! move where the side to move is first. So each side has an accumulator of both kinds, made of the same rows, and layers read one of
//! each side:
//!
//! ```text
//!               weights of the first       weights of the second
//!   White       first ◄── read             second                    White to move
//!   Black       first                      second ◄── read
//! ```
//!
//! A step costs as much as one of accumulators twice as wide that share their weights.

use crate::architecture::{RowChanges, Transform};
use crate::simd::AvailableLevel;

/// What the first perspective has, and what the second has: feature transformers, or the accumulators that they make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separate<T> {
    /// of the first perspective: the side to move's, or White's if the network is declared `white_first`
    pub first: T,
    /// of the second
    pub second: T,
}

impl<T: Transform> Transform for Separate<T> {
    type Accumulator = Separate<T::Accumulator>;

    fn zeroed() -> Self::Accumulator {
        Separate { first: T::zeroed(), second: T::zeroed() }
    }

    #[inline(always)]
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator) {
        self.first.set_to_bias(&mut accumulator.first);
        self.second.set_to_bias(&mut accumulator.second);
    }

    #[inline(always)]
    fn values(accumulator: &Self::Accumulator) -> [&[i16]; 2] {
        let ([first, _], [_, second]) = (T::values(&accumulator.first), T::values(&accumulator.second));
        [first, second]
    }

    /// Those of the first perspective: networks with separate weights have none.
    #[inline(always)]
    fn psqt(accumulator: &Self::Accumulator) -> &[i32] {
        T::psqt(&accumulator.first)
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
        self.first.update(level, &source.first, &mut target.first, removed, added);
        self.second.update(level, &source.second, &mut target.second, removed, added);
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        self.first.prefetch(row);
        self.second.prefetch(row);
    }

    #[inline(always)]
    fn build(&self, level: AvailableLevel, target: &mut Self::Accumulator, added: &[u32]) {
        self.first.build(level, &mut target.first, added);
        self.second.build(level, &mut target.second, added);
    }

    #[inline(always)]
    fn fill(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        added: &[u32],
    ) {
        self.first.fill(level, &mut cached.first, &mut target.first, added);
        self.second.fill(level, &mut cached.second, &mut target.second, added);
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
        self.first.renew(level, &mut cached.first, &mut target.first, removed, added);
        self.second.renew(level, &mut cached.second, &mut target.second, removed, added);
    }

    #[inline(always)]
    fn update_pairs(
        &self,
        level: AvailableLevel,
        source: &Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        self.first.update_pairs(level, &source.first, &mut target.first, rows);
        self.second.update_pairs(level, &source.second, &mut target.second, rows);
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        self.first.prefetch_pair(row);
        self.second.prefetch_pair(row);
    }

    #[inline(always)]
    fn build_pairs(&self, level: AvailableLevel, target: &mut Self::Accumulator, rows: RowChanges<'_>) {
        self.first.build_pairs(level, &mut target.first, rows);
        self.second.build_pairs(level, &mut target.second, rows);
    }

    #[inline(always)]
    fn renew_pairs(
        &self,
        level: AvailableLevel,
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        self.first.renew_pairs(level, &mut cached.first, &mut target.first, rows);
        self.second.renew_pairs(level, &mut cached.second, &mut target.second, rows);
    }

    #[inline(always)]
    fn replace_pieces(
        &self,
        level: AvailableLevel,
        [source, left]: [&Self::Accumulator; 2],
        cached: &mut Self::Accumulator,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
    ) {
        let (first, second) = ([&source.first, &left.first], [&source.second, &left.second]);
        self.first.replace_pieces(level, first, &mut cached.first, &mut target.first, rows);
        self.second.replace_pieces(level, second, &mut cached.second, &mut target.second, rows);
    }
}
