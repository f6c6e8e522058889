//! The feature transformer's tensors and the accumulators that its columns are added into.
//!
//! ```text
//!   weight        | row 0: W x i16 | row 1: W x i16 | ..      of the set of pieces
//!   pair_weight   | row 0: W x i8 | row 1: W x i8 | ..        of the sets of pairs, one set after the other
//! ```
//!
//! Both are in file order at every level.

use crate::memory::Tensor;

/// `ROWS` features of pieces and `PAIR_ROWS` features of pairs of pieces, each with a row of `W` accumulator weights and `P`
/// PSQT weights.
#[derive(Clone, Debug)]
pub struct FeatureTransformer<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize = 0> {
    /// what an accumulator without features holds
    pub bias: Tensor<[i16; W], 1>,
    /// the row that each active feature of the set of pieces adds
    pub weight: Tensor<[i16; W], ROWS>,
    /// the PSQT row that each active feature of the set of pieces adds
    pub psqt: Tensor<[i32; P], ROWS>,
    /// the row that each active feature of the sets of pairs adds: one set after the other
    pub pair_weight: Tensor<[i8; W], PAIR_ROWS>,
    /// the PSQT row that each active feature of the sets of pairs adds: one set after the other
    pub pair_psqt: Tensor<[i32; P], PAIR_ROWS>,
}

impl<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>
    FeatureTransformer<W, P, ROWS, PAIR_ROWS>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const { assert!(W.is_multiple_of(32), "a row is whole vectors of the widest level") }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            psqt: Tensor::zeroed(),
            pair_weight: Tensor::zeroed(),
            pair_psqt: Tensor::zeroed(),
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
        Self { values: [0; W], psqt: [0; P] }
    }
}

impl<const W: usize, const P: usize> Default for Accumulator<W, P> {
    fn default() -> Self {
        Self::zeroed()
    }
}
