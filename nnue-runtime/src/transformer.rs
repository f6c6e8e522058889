//! The feature transformer's tensors and the accumulators that its columns are added into.
//!
//! ```text
//!   weight        | row 0: W x i16 | row 1: W x i16 | ..      of the set of pieces, or W x i8
//!   pair_weight   | row 0: W x i8 | row 1: W x i8 | ..        of the sets of pairs, one set after the other
//! ```
//!
//! Both are in file order at every level.

use crate::kernel::rows::{self, Derivation, Side, Sums, SumsMut};
use crate::kernel::weights::{PieceWeights, Weights};
use crate::memory::{Number, Tensor, prefetch};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform, Upcoming};

/// Cache lines of a row that are asked for ahead of its use; the processor itself follows from there. Measured on rows of
/// 6 KB that come from L3: 16 lines save 5 %, 8 lines 4 %, the whole row nothing.
pub(crate) const PREFETCHED_LINES: usize = 16;

/// The same for rows of pairs, of which many follow each other. Measured on SFNNv16, whose rows of pairs have 1 KB: with 8 lines instead
/// of all 16, updates take 7 to 8 % less time on a Zen 5 and 6 % less on a Zen 3. (Since no others than the rows of a ply are prefetched, 4 to 16 lines make
/// no difference on the Zen 5.)
pub(crate) const PREFETCHED_PAIR_LINES: usize = 8;

/// The type of the weights of a set of pieces: i16 or i8.
pub trait PieceWeight: Number {
    /// Rows of them, for the kernels.
    fn rows(rows: &[Self]) -> PieceWeights<'_>;
}

impl PieceWeight for i16 {
    #[inline(always)]
    fn rows(rows: &[Self]) -> PieceWeights<'_> {
        PieceWeights::Words(rows)
    }
}

impl PieceWeight for i8 {
    #[inline(always)]
    fn rows(rows: &[Self]) -> PieceWeights<'_> {
        PieceWeights::Bytes(rows)
    }
}

/// `ROWS` features of pieces, with weights of type `T`, and `PAIR_ROWS` features of pairs of pieces, each with a row of `W` accumulator
/// weights and `P` PSQT weights.
#[derive(Clone, Debug)]
pub struct FeatureTransformer<
    const W: usize,
    const P: usize,
    const ROWS: usize,
    const PAIR_ROWS: usize = 0,
    T: PieceWeight = i16,
> {
    /// what an accumulator without features holds
    pub bias: Tensor<[i16; W], 1>,
    /// the row that each active feature of the set of pieces adds
    pub weight: Tensor<[T; W], ROWS>,
    /// the PSQT row that each active feature of the set of pieces adds
    pub psqt: Tensor<[i32; P], ROWS>,
    /// the row that each active feature of the sets of pairs adds: one set after the other
    pub pair_weight: Tensor<[i8; W], PAIR_ROWS>,
    /// the PSQT row that each active feature of the sets of pairs adds: one set after the other
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

    /// The tensors without their sizes, for the kernels.
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

/// A frame of accumulators without their sizes, for the kernels.
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

/// An accumulator without its sizes.
#[inline(always)]
const fn sums<const W: usize, const P: usize>(accumulator: &Accumulator<W, P>) -> Sums<'_> {
    Sums {
        values: &accumulator.values,
        psqt: &accumulator.psqt,
    }
}

/// The same, mutably.
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
            // a cached position once more
            Frame::Renew { cached, target } if rows.is_empty() => *target = *cached,
            frame => rows::pass(level, &self.weights(), &mut [side(frame, rows)]),
        }
    }

    #[inline(always)]
    fn pass_both(
        &self,
        level: AvailableLevel,
        sources: [&Self::Accumulator; 2],
        [white, black]: &mut [Self::Accumulator; 2],
        rows: [RowChanges<'_>; 2],
    ) {
        // Without `map`, of which the compiler makes a function.
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
        rows::pass(level, &self.weights(), &mut [white, black]);
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
        rows::derive(level, &self.weights(), &mut derivation);
    }

    #[inline(always)]
    fn prefetch(&self, row: u32) {
        if let (Some(weights), Some(psqt)) =
            (self.weight.get(row as usize), self.psqt.get(row as usize))
        {
            prefetch(weights, PREFETCHED_LINES);
            prefetch(psqt, 1);
        }
    }

    #[inline(always)]
    fn prefetch_pair(&self, row: u32) {
        if let (Some(weights), Some(psqt)) = (
            self.pair_weight.get(row as usize),
            self.pair_psqt.get(row as usize),
        ) {
            prefetch(weights, PREFETCHED_PAIR_LINES);
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
