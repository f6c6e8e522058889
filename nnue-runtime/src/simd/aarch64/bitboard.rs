//! Bitboard and list operations of the NEON levels: lane by lane, because a vector holds only two
//! bitboards.

use core::arch::aarch64::*;

use super::{Dot, Neon};
use crate::simd::bitboard::BitboardLanes;
use crate::simd::intrinsics::call;

impl<D: Dot> BitboardLanes for Neon<D> {
    type Words = int32x4_t;

    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::Words {
        let words = call!(vdupq_n_u64, x);
        call!(vreinterpretq_s32_u64, words)
    }
}
