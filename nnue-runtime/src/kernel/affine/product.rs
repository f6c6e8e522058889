//! Products of four inputs with four weights, added: the ways of a level to do so.

use crate::simd::Simd;

/// A way to multiply and add.
pub(crate) trait Product {
    /// Blocks that one step takes: 1 or 2.
    const STEP: usize;
    /// One block.
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32;
    /// One step. With `STEP == 1` the two blocks are the same and count once.
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32;
}

/// Two blocks at once; the sums of their pairs fit in i16 together.
pub(crate) struct Pair;

impl Product for Pair {
    const STEP: usize = 2;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot2_u8i8(acc, u, w)
    }
}

/// One block; the sums of its pairs fit in i16.
pub(crate) struct Single;

impl Product for Single {
    const STEP: usize = 1;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot_u8i8(acc, u[0], w[0])
    }
}

/// One block of any weights and inputs.
pub(crate) struct Exact;

impl Product for Exact {
    const STEP: usize = 1;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_exact_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn step<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot_exact_u8i8(acc, u[0], w[0])
    }
}
