//! Perspectives with separate weights.
//!
//! Which weights a side's accumulator needs depends on whether its perspective is the first or the
//! second. Where the side to move is first, that changes with every move. So each side has two
//! accumulators of the same rows, one for each set of weights, and layers read one of each side:
//!
//! ```text
//!               weights of the first       weights of the second
//!   White       first ◄── read             second                    White to move
//!   Black       first                      second ◄── read
//! ```
//!
//! A step costs as much as a step of accumulators twice as wide that share their weights.

use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};

/// A value for the first perspective and one for the second: feature transformers, or their
/// accumulators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separate<T> {
    /// of the first perspective: the side to move's, or White's if the network is declared `white_first`
    pub first: T,
    /// of the second perspective
    pub second: T,
}

impl<T: Transform> Transform for Separate<T> {
    type Accumulator = Separate<T::Accumulator>;

    fn zeroed() -> Self::Accumulator {
        Separate {
            first: T::zeroed(),
            second: T::zeroed(),
        }
    }

    #[inline(always)]
    fn values(accumulator: &Self::Accumulator) -> [&[i16]; 2] {
        let ([first, _], [_, second]) = (
            T::values(&accumulator.first),
            T::values(&accumulator.second),
        );
        [first, second]
    }

    /// The PSQT outputs of the first perspective: networks with separate weights have none.
    #[inline(always)]
    fn psqt(accumulator: &Self::Accumulator) -> &[i32] {
        T::psqt(&accumulator.first)
    }

    #[inline(always)]
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator) {
        self.first.set_to_bias(&mut accumulator.first);
        self.second.set_to_bias(&mut accumulator.second);
    }

    #[inline(always)]
    fn pass(
        &self,
        level: AvailableLevel,
        frame: Frame<&Self::Accumulator, &mut Self::Accumulator>,
        rows: RowChanges<'_>,
    ) {
        let both = frame.map(
            |both| (&both.first, &both.second),
            |both| (&mut both.first, &mut both.second),
        );
        let (first, second) = both.unzip();
        self.first.pass(level, first, rows);
        self.second.pass(level, second, rows);
    }

    fn derive(
        &self,
        level: AvailableLevel,
        source: Option<&Self::Accumulator>,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
        next: Upcoming<'_>,
    ) {
        self.first.derive(
            level,
            source.map(|both| &both.first),
            &mut target.first,
            rows,
            next,
        );
        self.second.derive(
            level,
            source.map(|both| &both.second),
            &mut target.second,
            rows,
            next,
        );
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        self.first.prefetch(row);
        self.second.prefetch(row);
    }

    #[inline(always)]
    fn prefetch_refreshed(&self, row: u32) {
        self.first.prefetch_refreshed(row);
        self.second.prefetch_refreshed(row);
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        self.first.prefetch_pair(row);
        self.second.prefetch_pair(row);
    }
}
