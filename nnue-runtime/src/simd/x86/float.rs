//! Operations on floats of the x86 levels. Those of 256 and 512 bits have fused products; SSE has not.

use core::arch::x86_64::*;

use super::avx2::{Avx2, Dot256};
use super::avx512::{Avx512, Dot512};
use super::sse41::Sse41;
use crate::simd::Vector;
use crate::simd::float::FloatLanes;
use crate::simd::intrinsics::{call, intrinsics};

// SAFETY: 16 bytes of floats, aligned to 16, every bit pattern valid.
unsafe impl Vector for __m128 {}
// SAFETY: 32 bytes of floats, aligned to 32, every bit pattern valid.
unsafe impl Vector for __m256 {}
// SAFETY: 64 bytes of floats, aligned to 64, every bit pattern valid.
unsafe impl Vector for __m512 {}

impl FloatLanes for Sse41 {
    type F32 = __m128;

    intrinsics! {
        add_f32(a: F32, b: F32) -> F32 = _mm_add_ps;
        mul_f32(a: F32, b: F32) -> F32 = _mm_mul_ps;
        max_f32(a: F32, b: F32) -> F32 = _mm_max_ps;
        min_f32(a: F32, b: F32) -> F32 = _mm_min_ps;
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> Self::F32 {
        call!(_mm_set1_ps, x)
    }

    #[inline(always)]
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32 {
        let bits = call!(_mm_castps_si128, bits);
        call!(_mm_cvtepi32_ps, bits)
    }
}

impl<D: Dot256> FloatLanes for Avx2<D> {
    type F32 = __m256;

    intrinsics! {
        add_f32(a: F32, b: F32) -> F32 = _mm256_add_ps;
        mul_f32(a: F32, b: F32) -> F32 = _mm256_mul_ps;
        max_f32(a: F32, b: F32) -> F32 = _mm256_max_ps;
        min_f32(a: F32, b: F32) -> F32 = _mm256_min_ps;
        mul_add_f32(a: F32, b: F32, c: F32) -> F32 = _mm256_fmadd_ps;
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> Self::F32 {
        call!(_mm256_set1_ps, x)
    }

    #[inline(always)]
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32 {
        let bits = call!(_mm256_castps_si256, bits);
        call!(_mm256_cvtepi32_ps, bits)
    }
}

impl<D: Dot512> FloatLanes for Avx512<D> {
    type F32 = __m512;

    intrinsics! {
        add_f32(a: F32, b: F32) -> F32 = _mm512_add_ps;
        mul_f32(a: F32, b: F32) -> F32 = _mm512_mul_ps;
        max_f32(a: F32, b: F32) -> F32 = _mm512_max_ps;
        min_f32(a: F32, b: F32) -> F32 = _mm512_min_ps;
        mul_add_f32(a: F32, b: F32, c: F32) -> F32 = _mm512_fmadd_ps;
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> Self::F32 {
        call!(_mm512_set1_ps, x)
    }

    #[inline(always)]
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32 {
        let bits = call!(_mm512_castps_si512, bits);
        call!(_mm512_cvtepi32_ps, bits)
    }
}
