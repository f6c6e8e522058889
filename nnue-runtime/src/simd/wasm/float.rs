//! Float operations of simd128, which has no FMA.

use core::arch::wasm32::*;

use super::Simd128;
use crate::simd::float::FloatLanes;
use crate::simd::intrinsics::{call, intrinsics};

impl FloatLanes for Simd128 {
    type F32 = v128;

    intrinsics! {
        add_f32(a: F32, b: F32) -> F32 = f32x4_add;
        mul_f32(a: F32, b: F32) -> F32 = f32x4_mul;
        f32_of_i32(bits: F32) -> F32 = f32x4_convert_i32x4;
    }

    #[inline(always)]
    fn splat_f32(self, x: f32) -> Self::F32 {
        call!(f32x4_splat, x)
    }

    /// `f32x4_pmax(b, a)` is `b < a ? a : b`.
    #[inline(always)]
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        call!(f32x4_pmax, b, a)
    }

    /// `f32x4_pmin(b, a)` is `a < b ? a : b`.
    #[inline(always)]
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        call!(f32x4_pmin, b, a)
    }
}
