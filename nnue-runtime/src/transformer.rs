//! The feature transformer's tensors, and the accumulators that are sums of its rows.
//!
//! ```text
//!   weight        | row 0: W x i16 | row 1: W x i16 | ..      of the set of pieces, or W x i8
//!   pair_weight   | row 0: W x i8 | row 1: W x i8 | ..        of the sets of pairs, one set after the other
//! ```
//!
//! Both are in file order at every level.

use crate::kernel::kind::{Any, Short, Words};
use crate::kernel::linear::COMMON;
use crate::kernel::rows::{self, Derivation, Side, Sums, SumsMut};
use crate::kernel::streams::LONG;
use crate::kernel::weights::{PieceWeights, Weights};
use crate::memory::{Number, Tensor, prefetch, prefetch_early};
use crate::prefetching::Prefetching;
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};

/// Calls the kernels for the kind of the weights. If the library contains the kernels of all kinds,
/// for networks that are described at run time, all networks use those.
macro_rules! by_kind {
    ($any:ident, $of:ident($($argument:expr),*)) => {
        if const { Self::IS_SHARED } {
            rows::$any($($argument),*)
        } else if const { Self::IS_OF_WORDS && P == 0 && W == COMMON } {
            rows::$of::<Words<false, true>>($($argument),*)
        } else if const { Self::IS_OF_WORDS && P == 0 } {
            rows::$of::<Words<false, false>>($($argument),*)
        } else if const { Self::IS_OF_WORDS && W == COMMON } {
            rows::$of::<Words<true, true>>($($argument),*)
        } else if const { Self::IS_OF_WORDS } {
            rows::$of::<Words<true, false>>($($argument),*)
        } else if const { Self::IS_SHORT } {
            rows::$of::<Short>($($argument),*)
        } else {
            rows::$of::<Any>($($argument),*)
        }
    };
}

/// The weight type of a set of pieces: i16 or i8.
pub trait PieceWeight: Number {
    /// Whether weights have 16 bits.
    const IS_WORD: bool;

    /// Rows of weights, for the kernels.
    fn rows(rows: &[Self]) -> PieceWeights<'_>;
}

impl PieceWeight for i16 {
    const IS_WORD: bool = true;

    #[inline(always)]
    fn rows(rows: &[Self]) -> PieceWeights<'_> {
        PieceWeights::Words(rows)
    }
}

impl PieceWeight for i8 {
    const IS_WORD: bool = false;

    #[inline(always)]
    fn rows(rows: &[Self]) -> PieceWeights<'_> {
        PieceWeights::Bytes(rows)
    }
}

/// `ROWS` features of pieces, with weights of type `T`, and `PAIR_ROWS` features of pairs of
/// pieces, each with a row of `W` accumulator weights and `P` PSQT weights.
#[derive(Clone, Debug)]
pub struct FeatureTransformer<
    const W: usize,
    const P: usize,
    const ROWS: usize,
    const PAIR_ROWS: usize = 0,
    T: PieceWeight = i16,
> {
    /// the values of an accumulator without features
    pub bias: Tensor<[i16; W], 1>,
    /// one row for each feature of the set of pieces
    pub weight: Tensor<[T; W], ROWS>,
    /// one PSQT row for each feature of the set of pieces
    pub psqt: Tensor<[i32; P], ROWS>,
    /// one row for each feature of the sets of pairs, one set after the other
    pub pair_weight: Tensor<[i8; W], PAIR_ROWS>,
    /// one PSQT row for each feature of the sets of pairs, one set after the other
    pub pair_psqt: Tensor<[i32; P], PAIR_ROWS>,
}

impl<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize, T: PieceWeight>
    FeatureTransformer<W, P, ROWS, PAIR_ROWS, T>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                W.is_multiple_of(32),
                "a row is whole vectors of the widest level"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            psqt: Tensor::zeroed(),
            pair_weight: Tensor::zeroed(),
            pair_psqt: Tensor::zeroed(),
        }
    }

    /// [`rows::pass`] for the kind of these weights.
    #[inline(always)]
    fn pass_sides(&self, level: AvailableLevel, sides: &mut [Side<'_>]) {
        let weights = self.weights();
        by_kind!(pass, pass_of(level, &weights, sides))
    }

    /// [`rows::derive`] for the kind of these weights.
    #[inline(always)]
    fn derive_one(&self, level: AvailableLevel, derivation: &mut Derivation<'_>) {
        let weights = self.weights();
        by_kind!(derive, derive_of(level, &weights, derivation))
    }

    const IS_SHARED: bool = cfg!(feature = "described");
    const IS_OF_WORDS: bool = T::IS_WORD && PAIR_ROWS == 0;
    const IS_SHORT: bool = T::IS_WORD || W < LONG;

    const PREFETCHING: Prefetching = Prefetching {
        has_pairs: PAIR_ROWS > 0,
        bytes: (ROWS * size_of::<T>() + PAIR_ROWS) * W,
    };

    /// The tensors as slices, for the kernels.
    #[inline(always)]
    fn weights(&self) -> Weights<'_> {
        Weights {
            bias: self.bias.flat(),
            rows: ROWS,
            pieces: T::rows(self.weight.flat()),
            psqt: self.psqt.flat(),
            pair_rows: PAIR_ROWS,
            pair_weight: self.pair_weight.flat(),
            pair_psqt: self.pair_psqt.flat(),
        }
    }
}

/// A frame of accumulators as slices, for the kernels.
#[inline(always)]
fn side<'a, const W: usize, const P: usize>(
    frame: Frame<&'a Accumulator<W, P>, &'a mut Accumulator<W, P>>,
    rows: RowChanges<'a>,
) -> Side<'a> {
    Side {
        frame: frame.map(sums, sums_mut),
        rows,
    }
}

#[inline(always)]
const fn sums<const W: usize, const P: usize>(accumulator: &Accumulator<W, P>) -> Sums<'_> {
    Sums {
        values: &accumulator.values,
        psqt: &accumulator.psqt,
    }
}

#[inline(always)]
const fn sums_mut<const W: usize, const P: usize>(
    accumulator: &mut Accumulator<W, P>,
) -> SumsMut<'_> {
    SumsMut {
        values: &mut accumulator.values,
        psqt: &mut accumulator.psqt,
    }
}

impl<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize, T: PieceWeight>
    Transform for FeatureTransformer<W, P, ROWS, PAIR_ROWS, T>
{
    type Accumulator = Accumulator<W, P>;

    fn zeroed() -> Self::Accumulator {
        Accumulator::zeroed()
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
    fn set_to_bias(&self, accumulator: &mut Self::Accumulator) {
        *accumulator = Accumulator {
            values: self.bias[0],
            psqt: [0; P],
        };
    }

    #[inline(always)]
    fn pass(
        &self,
        level: AvailableLevel,
        frame: Frame<&Self::Accumulator, &mut Self::Accumulator>,
        rows: RowChanges<'_>,
    ) {
        match frame {
            // a cached position again
            Frame::Renew { cached, target } if rows.is_empty() => *target = *cached,
            frame => self.pass_sides(level, &mut [side(frame, rows)]),
        }
    }

    #[inline(always)]
    fn pass_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        [white, black]: [&mut Self::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        // Written without `map`, which the compiler turns into a function.
        let white = side(
            Frame::Step {
                source: sources[0],
                target: white,
            },
            rows[0],
        );
        let black = side(
            Frame::Step {
                source: sources[1],
                target: black,
            },
            rows[1],
        );
        self.pass_sides(level, &mut [white, black]);
    }

    fn derive(
        &self,
        level: AvailableLevel,
        source: Option<&Self::Accumulator>,
        target: &mut Self::Accumulator,
        rows: RowChanges<'_>,
        next: Upcoming<'_>,
    ) {
        let mut derivation = Derivation {
            source: source.map(sums),
            target: sums_mut(target),
            rows,
            next,
        };
        self.derive_one(level, &mut derivation);
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        if let (Some(weights), Some(psqt)) =
            (self.weight.get(row as usize), self.psqt.get(row as usize))
        {
            Self::PREFETCHING.ply(weights);
            prefetch(psqt, 1);
        }
    }

    #[inline(always)]
    fn prefetch_refreshed(&self, row: u32) {
        if const { Self::PREFETCHING.covers_refreshes() }
            && let (Some(weights), Some(psqt)) =
                (self.weight.get(row as usize), self.psqt.get(row as usize))
        {
            prefetch_early(weights);
            prefetch(psqt, 1);
        }
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        if let (Some(weights), Some(psqt)) = (
            self.pair_weight.get(row as usize),
            self.pair_psqt.get(row as usize),
        ) {
            prefetch_early(weights);
            prefetch(psqt, 1);
        }
    }
}

/// The accumulator of one perspective: the bias plus the rows of the active features. Sums wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Accumulator<const W: usize, const P: usize> {
    /// one value per neuron
    pub values: [i16; W],
    /// one value per PSQT output
    pub psqt: [i32; P],
}

impl<const W: usize, const P: usize> Accumulator<W, P> {
    /// All zero.
    pub const fn zeroed() -> Self {
        Self {
            values: [0; W],
            psqt: [0; P],
        }
    }
}

impl<const W: usize, const P: usize> Default for Accumulator<W, P> {
    fn default() -> Self {
        Self::zeroed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;

    const ROWS: usize = 20;

    type Words<const W: usize, const P: usize> = FeatureTransformer<W, P, ROWS>;

    #[test]
    #[should_panic(expected = "row 20 does not exist")]
    fn a_row_that_does_not_exist_is_refused() {
        let transformer = Words::<32, 0>::zeroed();
        let mut target = Accumulator::zeroed();
        let level = Level::available().last().expect("scalar at least");
        let frame = Frame::Build {
            target: &mut target,
        };
        transformer.pass(level, frame, RowChanges::pieces(&[0, 1, 20], &[]));
    }

    #[test]
    #[should_panic(expected = "row 0 does not exist")]
    fn rows_of_pairs_do_not_exist_beside_words_alone() {
        let transformer = Words::<32, 0>::zeroed();
        let mut target = Accumulator::zeroed();
        let level = Level::available().last().expect("scalar at least");
        let frame = Frame::Build {
            target: &mut target,
        };
        let rows = RowChanges {
            pairs_added: &[0],
            ..RowChanges::default()
        };
        transformer.pass(level, frame, rows);
    }
}
