//! The WebAssembly backend: the 128-bit vectors of simd128, with dot products by 16-bit pairs.
//!
//! Differences from the other backends:
//! * There is no product of bytes. Even and odd bytes are widened separately, as in the exact dot
//!   product of SSE, so that the values to add are in one lane and the result is exact for any
//!   inputs.
//! * There is no high half of a 16-bit product (it takes three instructions, which an engine
//!   compiles to more), so activations use the low half if they can ([`Simd::HAS_MUL_HIGH`]).
//! * An engine has few registers and checks each access, so tiles are short.
//!
//! Tried: the relaxed dot product (`i32x4.relaxed_dot_i8x16_i7x16_add_s`). On a processor with
//! AVX-VNNI, the experimental implementation of Node 20 drops the accumulator, so it is not used;
//! see `docs/platforms.md`.
#![expect(
    unsafe_code,
    reason = "the marker `Vector`, and the contract of tokens, which other levels need"
)]

mod bitboard;
mod float;

use core::arch::wasm32::*;

use super::intrinsics::{call, intrinsics};
use super::sealed::Token;
use super::set_bits::SetBits;
use super::{Level, Simd, Vector};

/// The token of [`Level::Simd128`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128(());

impl Simd128 {
    /// # Safety
    ///
    /// The engine has the features of [`Level::Simd128`].
    #[inline(always)]
    pub(super) unsafe fn assume() -> Self {
        Self(())
    }
}

// SAFETY: 16 bytes of integers, aligned to 16, every bit pattern valid.
unsafe impl Vector for v128 {}

impl Token for Simd128 {}

impl Simd for Simd128 {
    type U8 = v128;
    type I16 = v128;
    type I32 = v128;
    type I8 = i64;
    type Blocks = i64;
    type Narrow = Self;

    const LEVEL: Level = Level::Simd128;
    const BYTES: usize = 16;
    const TILE: usize = 8;
    const PAIR_TILE: usize = 4;
    const CHAINS: usize = 4;
    const DOT_IS_EXACT: bool = true;
    const HAS_MUL_HIGH: bool = false;
    const PACK_ORDER: &'static [usize] = &[0, 1];

    intrinsics! {
        add_i16(a: I16, b: I16) -> I16 = i16x8_add;
        dot_i16(a: I16, b: I16) -> I32 = i32x4_dot_i16x8;
        sub_i16(a: I16, b: I16) -> I16 = i16x8_sub;
        min_i16(a: I16, b: I16) -> I16 = i16x8_min;
        max_i16(a: I16, b: I16) -> I16 = i16x8_max;
        mul_low_i16(a: I16, b: I16) -> I16 = i16x8_mul;
        narrow_i16_u8(a: I16, b: I16) -> U8 = u8x16_narrow_i16x8;
        min_u8(a: U8, b: U8) -> U8 = u8x16_min;
        add_i32(a: I32, b: I32) -> I32 = i32x4_add;
        min_i32(a: I32, b: I32) -> I32 = i32x4_min;
        max_i32(a: I32, b: I32) -> I32 = i32x4_max;
        mul_low_i32(a: I32, b: I32) -> I32 = i32x4_mul;
    }

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn zero_i32(self) -> Self::I32 {
        self.splat_i32(0)
    }

    #[inline(always)]
    fn splat_i16(self, x: i16) -> Self::I16 {
        call!(i16x8_splat, x)
    }

    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        self.splat_i32(i32::from(odd) << 16 | i32::from(even.cast_unsigned()))
    }

    #[inline(always)]
    fn splat_i32(self, x: i32) -> Self::I32 {
        call!(i32x4_splat, x)
    }

    #[inline(always)]
    fn splat_u8(self, x: u8) -> Self::U8 {
        call!(u8x16_splat, x)
    }

    #[inline(always)]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        call!(u32x4_splat, x)
    }

    #[inline(always)]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        call!(i16x8_shl, a, n)
    }

    #[inline(always)]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        call!(u16x8_shr, a, n)
    }

    #[inline(always)]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        call!(i32x4_shr, a, n)
    }

    #[inline(always)]
    fn mul_high_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        let low = call!(i32x4_extmul_low_i16x8, a, b);
        let high = call!(i32x4_extmul_high_i16x8, a, b);
        call!(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>, low, high)
    }

    #[inline(always)]
    fn widen_i8(self, a: Self::I8) -> Self::I16 {
        call!(i16x8_extend_low_i8x16, call!(i64x2_splat, a))
    }

    #[inline(always)]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        let part = |i: usize| if i < PARTS { parts[i] } else { self.zero_i32() };
        let low = call!(i16x8_narrow_i32x4, part(0), part(1));
        let high = call!(i16x8_narrow_i32x4, part(2), part(3));
        call!(
            i8x16_max,
            call!(i8x16_narrow_i16x8, low, high),
            self.zero_i32()
        )
    }

    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(
                i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>,
                a,
                b
            ),
            call!(
                i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>,
                a,
                b
            ),
        ]
    }

    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>, a, b),
            call!(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>, a, b),
        ]
    }

    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        self.zip_u16(a, b)
    }

    #[inline(always)]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        let a = self.add_i32(a, call!(i32x4_shuffle::<2, 3, 0, 1>, a, a));
        let a = self.add_i32(a, call!(i32x4_shuffle::<1, 0, 3, 2>, a, a));
        call!(i32x4_extract_lane::<0>, a)
    }

    #[inline(always)]
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        self.dot_exact_u8i8(acc, u, w)
    }

    #[inline(always)]
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        let (even_u, odd_u) = (
            call!(v128_and, u, self.splat_i16(0xff)),
            call!(u16x8_shr, u, 8),
        );
        let (even_w, odd_w) = (
            call!(i16x8_shr, call!(i16x8_shl, w, 8), 8),
            call!(i16x8_shr, w, 8),
        );
        let even = call!(i32x4_dot_i16x8, even_u, even_w);
        let odd = call!(i32x4_dot_i16x8, odd_u, odd_w);
        self.add_i32(acc, self.add_i32(even, odd))
    }

    #[inline(always)]
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32 {
        self.dot_exact_u8i8(self.dot_exact_u8i8(acc, u[0], w[0]), u[1], w[1])
    }

    #[inline(always)]
    fn positive_i16(self, a: Self::I16) -> u32 {
        i16x8_bitmask(i16x8_gt(a, i16x8_splat(0))).into()
    }

    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        i32x4_bitmask(i32x4_gt(a, self.zero_i32())).into()
    }

    #[inline(always)]
    fn nonzero_u8(self, a: Self::U8) -> u64 {
        u8x16_bitmask(u8x16_ne(a, u8x16_splat(0))).into()
    }

    #[inline(always)]
    fn add_differing_u8(self, counts: Self::U8, a: Self::U8, b: Self::U8) -> Self::U8 {
        u8x16_add(counts, u8x16_popcnt(v128_xor(a, b)))
    }

    #[inline(always)]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        (u64::from(x) * 0x0001_0001_0001_0001).cast_signed()
    }

    #[inline(always)]
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks {
        call!(
            i64x2_extract_lane::<0>,
            self.add_i16(call!(i64x2_splat, a), call!(i64x2_splat, b))
        )
    }

    #[inline(always)]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        let nonzero = call!(i32x4_ne, a, self.zero_i32());
        let set = SetBits::of_four(call!(i32x4_bitmask, nonzero).into());
        (self.add_blocks(set.numbers.cast_signed(), first), set.count)
    }
}
