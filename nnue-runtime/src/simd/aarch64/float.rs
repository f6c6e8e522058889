//! Float operations of the NEON levels. The maximum and minimum instructions propagate NaNs;
//! [`FloatLanes`] does not, so they are a comparison and a selection.

use core::arch::aarch64::*;

use super::{Dot, Neon};
use crate::simd::Vector;
use crate::simd::float::FloatLanes;
use crate::simd::intrinsics::{call, intrinsics};

// SAFETY: 16 bytes of floats, aligned to 16, every bit pattern valid.
unsafe impl Vector for float32x4_t {}

impl<D: Dot> FloatLanes for Neon<D> {
    type F32 = float32x4_t;

    intrinsics! {
        add_f32(a: F32, b: F32) -> F32 = vaddq_f32;
        mul_f32(a: F32, b: F32) -> F32 = vmulq_f32;
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> Self::F32 {
        call!(vdupq_n_f32, x)
    }

    #[inline(always)]
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32 {
        let bits = call!(vreinterpretq_s32_f32, bits);
        call!(vcvtq_f32_s32, bits)
    }

    #[inline(always)]
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        let greater = call!(vcgtq_f32, a, b);
        call!(vbslq_f32, greater, a, b)
    }

    #[inline(always)]
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        let less = call!(vcltq_f32, a, b);
        call!(vbslq_f32, less, a, b)
    }

    #[inline(always)]
    fn mul_add_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32 {
        call!(vfmaq_f32, c, a, b)
    }
}
