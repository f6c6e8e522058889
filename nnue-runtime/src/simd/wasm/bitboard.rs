//! Bitboard and list operations of simd128: lane by lane, because a vector holds only two
//! bitboards.

use core::arch::wasm32::*;

use super::Simd128;
use crate::simd::bitboard::BitboardLanes;
use crate::simd::intrinsics::call;

impl BitboardLanes for Simd128 {
    type Words = v128;

    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::Words {
        call!(u64x2_splat, x)
    }
}
