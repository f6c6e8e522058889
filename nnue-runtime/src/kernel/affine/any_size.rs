//! Layers whose sizes are known only at run time: one function for each form and level, shared by
//! all of them.

use super::blocks::{self, Affine, Blocks};
use super::inputs::Inputs;
use super::pairs::InputPairs;
use super::whole::{AnyRows, Whole};
use crate::layer::Dot;
use crate::memory::{BlockList, Line};
use crate::simd::{Simd, Task};

/// Blocks of inputs: listed ones, or all.
pub(crate) struct ByBlocks<'a, B> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: B,
    pub(crate) weights: &'a [Line],
    pub(crate) dot: Dot,
}

impl<B: Blocks> ByBlocks<'_, B> {
    /// The usual layers have 16 or 32 outputs. With these constants the compiler knows the offsets
    /// of weights and checks no index. Other numbers use a separate function: in a loop over
    /// inputs, the compiler would hoist the setup of every variant out of the loop.
    #[inline(always)]
    pub(crate) fn add<S: Simd>(self, simd: S) {
        let Self {
            sums,
            blocks,
            weights,
            dot,
        } = self;
        if let Ok(sums) = <&mut [i32; 16]>::try_from(&mut *sums) {
            return Affine::<_, 16> {
                sums,
                blocks,
                weights,
            }
            .add_exactly(simd, dot);
        }
        if let Ok(sums) = <&mut [i32; 32]>::try_from(&mut *sums) {
            return Affine::<_, 32> {
                sums,
                blocks,
                weights,
            }
            .add_exactly(simd, dot);
        }
        simd.outline(Self {
            sums,
            blocks,
            weights,
            dot,
        });
    }
}

impl<B: Blocks> Task for ByBlocks<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            sums,
            blocks,
            weights,
            dot,
        } = self;
        Affine::<_, { blocks::ANY }> {
            sums,
            blocks,
            weights,
        }
        .add_exactly(simd, dot);
    }
}

pub(crate) struct ByVectors<'a> {
    pub(crate) sums: &'a mut [i32],
    /// without padding
    pub(crate) outputs: usize,
    pub(crate) inputs: &'a [Line],
    pub(crate) weights: &'a [Line],
    pub(crate) dot: Dot,
}

impl Task for ByVectors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            sums,
            outputs,
            inputs,
            weights,
            dot,
        } = self;
        Whole {
            sums,
            outputs,
            inputs,
            weights,
            last: AnyRows,
        }
        .add_exactly(simd, dot);
    }
}

/// Nonzero inputs, four at a time.
pub(crate) struct ByInputs<'a> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: BlockList<'a>,
    pub(crate) weights: &'a [Line],
    pub(crate) dot: Dot,
}

impl Task for ByInputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            sums,
            blocks,
            weights,
            dot,
        } = self;
        Inputs {
            sums,
            blocks,
            weights,
        }
        .add_exactly(simd, dot);
    }
}

/// Nonzero inputs, two at a time.
pub(crate) struct ByPairs<'a> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: BlockList<'a>,
    pub(crate) weights: &'a [Line],
}

impl Task for ByPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            sums,
            blocks,
            weights,
        } = self;
        InputPairs {
            sums,
            blocks,
            weights,
        }
        .add(simd);
    }
}
