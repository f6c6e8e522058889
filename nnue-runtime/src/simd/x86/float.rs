//! Float operations of the x86 levels. Levels of 256 and 512 bits have FMA; SSE rounds to odd in
//! f64.

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

    /// Computes the lanes in f64, two at a time.
    #[inline(always)]
    fn mul_add_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32 {
        let [high_a, high_b, high_c] = [a, b, c].map(|x| call!(_mm_movehl_ps, x, x));
        let (low, high) = (
            self.fused_low(a, b, c),
            self.fused_low(high_a, high_b, high_c),
        );
        call!(_mm_movelh_ps, low, high)
    }
}

impl Sse41 {
    /// `a * b + c` of the lower two lanes, rounded once: a branch-free
    /// [`fused`](crate::simd::float::fused).
    #[inline(always)]
    fn fused_low(self, a: __m128, b: __m128, c: __m128) -> __m128 {
        let [a, b, c] = [a, b, c].map(|x| call!(_mm_cvtps_pd, x));
        let product = call!(_mm_mul_pd, a, b);
        let sum = call!(_mm_add_pd, product, c);
        let of_c = call!(_mm_sub_pd, sum, product);
        let of_product = call!(_mm_sub_pd, sum, of_c);
        let (lost_of_product, lost_of_c) = (
            call!(_mm_sub_pd, product, of_product),
            call!(_mm_sub_pd, c, of_c),
        );
        let lost = call!(_mm_add_pd, lost_of_product, lost_of_c);
        let [sum, lost_bits] = [sum, lost].map(|x| call!(_mm_castpd_si128, x));
        let odd = self.to_odd(sum, lost_bits, self.is_not_zero(lost));
        call!(_mm_cvtpd_ps, odd)
    }

    /// All bits set in the lanes that are not zero. A NaN counts as zero.
    #[inline(always)]
    fn is_not_zero(self, x: __m128d) -> __m128i {
        let (sign, zero) = (call!(_mm_set1_pd, -0.0), call!(_mm_setzero_pd));
        let size = call!(_mm_andnot_pd, sign, x);
        let is_above = call!(_mm_cmplt_pd, zero, size);
        call!(_mm_castpd_si128, is_above)
    }

    /// Rounds to odd: each even lane of `sum` with a rounding error `lost` becomes its neighbour
    /// towards the exact sum, away from zero if the signs are the same.
    #[inline(always)]
    fn to_odd(self, sum: __m128i, lost: __m128i, has_lost: __m128i) -> __m128d {
        let one = call!(_mm_set1_epi64x, 1);
        let is_even = call!(_mm_andnot_si128, sum, one);
        let step = call!(_mm_and_si128, has_lost, is_even);
        let signs = call!(_mm_xor_si128, lost, sum);
        let differ = call!(_mm_srli_epi64::<63>, signs);
        let back = call!(_mm_and_si128, step, differ);
        let back = call!(_mm_add_epi64, back, back);
        let away = call!(_mm_add_epi64, sum, step);
        let odd = call!(_mm_sub_epi64, away, back);
        call!(_mm_castsi128_pd, odd)
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
