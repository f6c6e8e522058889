//! Dot products of groups of four inputs and four weights: the variants that a level has.

use crate::simd::Simd;

/// A variant of the dot product.
pub(crate) trait Product {
    /// Whether two blocks at once are less work than one after the other.
    const PAIRS: bool = false;
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32;
    #[inline(always)]
    fn two<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        Self::one(simd, Self::one(simd, acc, u[0], w[0]), u[1], w[1])
    }
}

/// Two blocks at once; their pair sums fit in i16 together.
pub(crate) struct Pair;

impl Product for Pair {
    const PAIRS: bool = true;

    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn two<S: Simd>(simd: S, acc: S::I32, u: [S::U8; 2], w: [S::U8; 2]) -> S::I32 {
        simd.dot2_u8i8(acc, u, w)
    }
}

/// One block; its pair sums fit in i16.
pub(crate) struct Single;

impl Product for Single {
    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_u8i8(acc, u, w)
    }
}

/// One block of any weights and inputs.
pub(crate) struct Exact;

impl Product for Exact {
    #[inline(always)]
    fn one<S: Simd>(simd: S, acc: S::I32, u: S::U8, w: S::U8) -> S::I32 {
        simd.dot_exact_u8i8(acc, u, w)
    }
}
