//! 128-bit vectors: SSSE3 and SSE4.1.

use core::arch::x86_64::*;

use crate::simd::intrinsics::{call, intrinsics};
use crate::simd::sealed::Token;
use crate::simd::set_bits::SetBits;
use crate::simd::{Level, Simd, Vector};

/// The token of [`Level::Sse41`].
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Sse41(());

impl Sse41 {
    /// # Safety
    ///
    /// The processor has the features of [`Level::Sse41`].
    #[inline(always)]
    pub(in crate::simd) unsafe fn assume() -> Self {
        Self(())
    }
}

// SAFETY: 16 bytes of integers, aligned to 16, every bit pattern valid.
unsafe impl Vector for __m128i {}

impl Token for Sse41 {}

impl Simd for Sse41 {
    type U8 = __m128i;
    type I16 = __m128i;
    type I32 = __m128i;
    type I8 = i64;
    type Blocks = i64;
    type Narrow = Self;

    const LEVEL: Level = Level::Sse41;
    const BYTES: usize = 16;
    const TILE: usize = 16;
    const PAIR_TILE: usize = 8;
    const CHAINS: usize = 4;
    const DOT_IS_EXACT: bool = false;
    const PACK_ORDER: &'static [usize] = &[0, 1];

    intrinsics! {
        add_i16(a: I16, b: I16) -> I16 = _mm_add_epi16;
        sub_i16(a: I16, b: I16) -> I16 = _mm_sub_epi16;
        min_i16(a: I16, b: I16) -> I16 = _mm_min_epi16;
        max_i16(a: I16, b: I16) -> I16 = _mm_max_epi16;
        mul_low_i16(a: I16, b: I16) -> I16 = _mm_mullo_epi16;
        mul_high_i16(a: I16, b: I16) -> I16 = _mm_mulhi_epi16;
        dot_i16(a: I16, b: I16) -> I32 = _mm_madd_epi16;
        narrow_i16_u8(a: I16, b: I16) -> U8 = _mm_packus_epi16;
        min_u8(a: U8, b: U8) -> U8 = _mm_min_epu8;
        add_i32(a: I32, b: I32) -> I32 = _mm_add_epi32;
        min_i32(a: I32, b: I32) -> I32 = _mm_min_epi32;
        max_i32(a: I32, b: I32) -> I32 = _mm_max_epi32;
        mul_low_i32(a: I32, b: I32) -> I32 = _mm_mullo_epi32;
    }

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn zero_i32(self) -> Self::I32 {
        call!(_mm_setzero_si128)
    }

    #[inline(always)]
    fn splat_i16(self, x: i16) -> Self::I16 {
        call!(_mm_set1_epi16, x)
    }

    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        self.splat_i32(i32::from(odd) << 16 | i32::from(even.cast_unsigned()))
    }

    #[inline(always)]
    fn splat_i32(self, x: i32) -> Self::I32 {
        call!(_mm_set1_epi32, x)
    }

    #[inline(always)]
    fn splat_u8(self, x: u8) -> Self::U8 {
        call!(_mm_set1_epi8, x.cast_signed())
    }

    #[inline(always)]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        call!(_mm_set1_epi32, x.cast_signed())
    }

    #[inline(always)]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm_sll_epi16, a, n)
    }

    #[inline(always)]
    fn widen_i8(self, a: Self::I8) -> Self::I16 {
        let a = call!(_mm_cvtsi64_si128, a);
        call!(_mm_cvtepi8_epi16, a)
    }

    #[inline(always)]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm_srl_epi16, a, n)
    }

    #[inline(always)]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm_sra_epi32, a, n)
    }

    #[inline(always)]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        let zero = self.zero_i32();
        let part = |i: usize| if i < PARTS { parts[i] } else { zero };
        let low = call!(_mm_packs_epi32, part(0), part(1));
        let high = call!(_mm_packs_epi32, part(2), part(3));
        let packed = call!(_mm_packs_epi16, low, high);
        call!(_mm_max_epi8, packed, zero)
    }

    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm_unpacklo_epi8, a, b),
            call!(_mm_unpackhi_epi8, a, b),
        ]
    }

    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm_unpacklo_epi16, a, b),
            call!(_mm_unpackhi_epi16, a, b),
        ]
    }

    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        self.zip_u16(a, b)
    }

    #[inline(always)]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        let swapped = call!(_mm_shuffle_epi32::<0b01_00_11_10>, a);
        let a = self.add_i32(a, swapped);
        let swapped = call!(_mm_shuffle_epi32::<0b10_11_00_01>, a);
        let a = self.add_i32(a, swapped);
        call!(_mm_cvtsi128_si32, a)
    }

    #[inline(always)]
    fn reduce_each_i32(self, rows: [Self::I32; 16]) -> Self::I32 {
        let [a, b, c, d, ..] = rows;
        let (ab, cd) = (call!(_mm_hadd_epi32, a, b), call!(_mm_hadd_epi32, c, d));
        call!(_mm_hadd_epi32, ab, cd)
    }

    #[inline(always)]
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        let pairs = call!(_mm_maddubs_epi16, u, w);
        let sums = call!(_mm_madd_epi16, pairs, self.splat_i16(1));
        self.add_i32(acc, sums)
    }

    #[inline(always)]
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        let even_u = call!(_mm_and_si128, u, self.splat_i16(0xff));
        let even_w = call!(_mm_slli_epi16::<8>, w);
        let even_w = call!(_mm_srai_epi16::<8>, even_w);
        let odd_u = call!(_mm_srli_epi16::<8>, u);
        let odd_w = call!(_mm_srai_epi16::<8>, w);
        let even = call!(_mm_madd_epi16, even_u, even_w);
        let odd = call!(_mm_madd_epi16, odd_u, odd_w);
        self.add_i32(acc, self.add_i32(even, odd))
    }

    #[inline(always)]
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32 {
        let first = call!(_mm_maddubs_epi16, u[0], w[0]);
        let second = call!(_mm_maddubs_epi16, u[1], w[1]);
        let sums = call!(
            _mm_madd_epi16,
            self.add_i16(first, second),
            self.splat_i16(1)
        );
        self.add_i32(acc, sums)
    }

    #[inline(always)]
    fn positive_i16(self, a: Self::I16) -> u32 {
        let positive = call!(_mm_cmpgt_epi16, a, self.zero_i32());
        let packed = call!(_mm_packs_epi16, positive, self.zero_i32());
        call!(_mm_movemask_epi8, packed).cast_unsigned()
    }

    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        let positive = call!(_mm_cmpgt_epi32, a, self.zero_i32());
        let positive = call!(_mm_castsi128_ps, positive);
        call!(_mm_movemask_ps, positive).cast_unsigned()
    }

    #[inline(always)]
    fn nonzero_u8(self, a: Self::U8) -> u64 {
        let zeros = call!(_mm_cmpeq_epi8, a, self.zero_i32());
        (call!(_mm_movemask_epi8, zeros).cast_unsigned() ^ 0xffff).into()
    }

    /// Looks up the bit count of each nibble.
    #[inline(always)]
    fn add_differing_u8(self, counts: Self::U8, a: Self::U8, b: Self::U8) -> Self::U8 {
        let (bits, halves) = (call!(_mm_xor_si128, a, b), self.splat_u8(0x0f));
        let ones = call!(
            _mm_setr_epi8,
            0,
            1,
            1,
            2,
            1,
            2,
            2,
            3,
            1,
            2,
            2,
            3,
            2,
            3,
            3,
            4
        );
        let low = call!(_mm_and_si128, bits, halves);
        let high = call!(_mm_and_si128, self.shr_u16(bits, 4), halves);
        let [low, high] = [
            call!(_mm_shuffle_epi8, ones, low),
            call!(_mm_shuffle_epi8, ones, high),
        ];
        let differing = call!(_mm_add_epi8, low, high);
        call!(_mm_add_epi8, counts, differing)
    }

    #[inline(always)]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        (u64::from(x) * 0x0001_0001_0001_0001).cast_signed()
    }

    #[inline(always)]
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks {
        // No lane carries into the next. This uses a general register, because a move to a vector
        // register takes longer.
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        let zeros = call!(_mm_cmpeq_epi32, a, self.zero_i32());
        let zeros = call!(_mm_castsi128_ps, zeros);
        let mask = (call!(_mm_movemask_ps, zeros) as usize & 15) ^ 15;
        let set = SetBits::of_four(mask);
        (self.add_blocks(set.numbers.cast_signed(), first), set.count)
    }
}
