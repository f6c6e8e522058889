//! 512-bit vectors: AVX-512 F, CD, BW, VL and DQ, with dot products by `vpmaddubsw` or by AVX-512 VNNI.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::avx2::{Avx2, Maddubs};
use crate::simd::intrinsics::{call, intrinsics};
use crate::simd::sealed::Token;
use crate::simd::{Level, Simd, Vector, lists};

/// The token of [`Level::Avx512`] or, with another `D`, of [`Level::Avx512Vnni`].
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Avx512<D = Maddubs>(PhantomData<D>);

/// The token of [`Level::Avx512Vnni`].
pub(in crate::simd) type Avx512Vnni = Avx512<Vnni>;

/// The token of levels that count bits by AVX-512 VPOPCNTDQ.
pub(in crate::simd) type Avx512Counting = Avx512<Counting>;

impl<D> Avx512<D> {
    /// # Safety
    ///
    /// The processor has the features of [`Level::Avx512`] or, with `D` = [`Vnni`], of
    /// [`Level::Avx512Vnni`], or, with `D` = [`Counting`], AVX-512 VPOPCNTDQ as well.
    #[inline(always)]
    pub(in crate::simd) unsafe fn assume() -> Self {
        Self(PhantomData)
    }
}

/// Steps of [`Simd::reduce_each_i32`].
impl<D: Dot512> Avx512<D> {
    /// In each 128-bit part: the sums of lanes 0 and 2 and of lanes 1 and 3 of `a` and of `b`,
    /// interleaved.
    #[inline(always)]
    fn add_two(self, a: __m512i, b: __m512i) -> __m512i {
        self.add_i32(
            call!(_mm512_unpacklo_epi32, a, b),
            call!(_mm512_unpackhi_epi32, a, b),
        )
    }

    /// In each 128-bit part: the sums of that part's lanes of `a`, `b`, `c` and `d`.
    #[inline(always)]
    fn add_four(self, a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> __m512i {
        let (ab, cd) = (self.add_two(a, b), self.add_two(c, d));
        self.add_i32(
            call!(_mm512_unpacklo_epi64, ab, cd),
            call!(_mm512_unpackhi_epi64, ab, cd),
        )
    }

    /// The sums of 128-bit parts 0 and 1 and of parts 2 and 3 of `a`, then those of `b`.
    #[inline(always)]
    fn add_parts(self, a: __m512i, b: __m512i) -> __m512i {
        let even = call!(_mm512_shuffle_i32x4::<0b10_00_10_00>, a, b);
        let odd = call!(_mm512_shuffle_i32x4::<0b11_01_11_01>, a, b);
        self.add_i32(even, odd)
    }
}

// SAFETY: 64 bytes of integers, aligned to 64, every bit pattern valid.
unsafe impl Vector for __m512i {}

/// The dot products of a 512-bit level.
pub(in crate::simd) trait Dot512: Copy + Send + Sync + 'static {
    const LEVEL: Level;
    const CHAINS: usize;
    const IS_EXACT: bool;
    const COUNTS_WORDS: bool = false;
    fn dot(simd: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i;
    fn dot_exact(simd: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i;
    fn dot2(simd: Avx512<Self>, acc: __m512i, u: [__m512i; 2], w: [__m512i; 2]) -> __m512i;

    /// The number of bits set in each 32-bit lane.
    #[inline(always)]
    fn count_ones(_: Avx512<Self>, a: __m512i) -> __m512i {
        lists::zip(a, a, |a, _| a.count_ones().cast_signed())
    }
}

impl Dot512 for Maddubs {
    const LEVEL: Level = Level::Avx512;
    const CHAINS: usize = 4;
    const IS_EXACT: bool = false;

    #[inline(always)]
    fn dot(simd: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        let pairs = call!(_mm512_maddubs_epi16, u, w);
        let sums = call!(_mm512_madd_epi16, pairs, simd.splat_i16(1));
        simd.add_i32(acc, sums)
    }

    #[inline(always)]
    fn dot_exact(simd: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        let even_u = call!(_mm512_and_si512, u, simd.splat_i16(0xff));
        let even_w = call!(_mm512_slli_epi16::<8>, w);
        let even_w = call!(_mm512_srai_epi16::<8>, even_w);
        let odd_u = call!(_mm512_srli_epi16::<8>, u);
        let odd_w = call!(_mm512_srai_epi16::<8>, w);
        let even = call!(_mm512_madd_epi16, even_u, even_w);
        let odd = call!(_mm512_madd_epi16, odd_u, odd_w);
        simd.add_i32(acc, simd.add_i32(even, odd))
    }

    #[inline(always)]
    fn dot2(simd: Avx512<Self>, acc: __m512i, u: [__m512i; 2], w: [__m512i; 2]) -> __m512i {
        let first = call!(_mm512_maddubs_epi16, u[0], w[0]);
        let second = call!(_mm512_maddubs_epi16, u[1], w[1]);
        let sums = call!(
            _mm512_madd_epi16,
            simd.add_i16(first, second),
            simd.splat_i16(1)
        );
        simd.add_i32(acc, sums)
    }
}

/// VNNI: one instruction adds groups of four products in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Vnni;

impl Dot512 for Vnni {
    const LEVEL: Level = Level::Avx512Vnni;
    const CHAINS: usize = 8;
    const IS_EXACT: bool = true;

    #[inline(always)]
    fn dot(_: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        call!(_mm512_dpbusd_epi32, acc, u, w)
    }

    #[inline(always)]
    fn dot_exact(simd: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        Self::dot(simd, acc, u, w)
    }

    #[inline(always)]
    fn dot2(simd: Avx512<Self>, acc: __m512i, u: [__m512i; 2], w: [__m512i; 2]) -> __m512i {
        Self::dot(simd, Self::dot(simd, acc, u[0], w[0]), u[1], w[1])
    }
}

/// [`Maddubs`] plus an instruction that counts the set bits of each lane.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Counting;

impl Dot512 for Counting {
    const LEVEL: Level = Maddubs::LEVEL;
    const CHAINS: usize = Maddubs::CHAINS;
    const IS_EXACT: bool = Maddubs::IS_EXACT;
    const COUNTS_WORDS: bool = true;

    #[inline(always)]
    fn dot(_: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        Maddubs::dot(Avx512(PhantomData), acc, u, w)
    }

    #[inline(always)]
    fn dot_exact(_: Avx512<Self>, acc: __m512i, u: __m512i, w: __m512i) -> __m512i {
        Maddubs::dot_exact(Avx512(PhantomData), acc, u, w)
    }

    #[inline(always)]
    fn dot2(_: Avx512<Self>, acc: __m512i, u: [__m512i; 2], w: [__m512i; 2]) -> __m512i {
        Maddubs::dot2(Avx512(PhantomData), acc, u, w)
    }

    #[inline(always)]
    fn count_ones(_: Avx512<Self>, a: __m512i) -> __m512i {
        call!(_mm512_popcnt_epi32, a)
    }
}

impl<D: Dot512> Token for Avx512<D> {}

impl<D: Dot512> Simd for Avx512<D> {
    type U8 = __m512i;
    type I16 = __m512i;
    type I32 = __m512i;
    type I8 = __m256i;
    type Blocks = __m256i;
    type Narrow = Avx2;

    const LEVEL: Level = D::LEVEL;
    const BYTES: usize = 64;
    const TILE: usize = 8;
    const PAIR_TILE: usize = 16;
    const CHAINS: usize = D::CHAINS;
    const DOT_IS_EXACT: bool = D::IS_EXACT;
    const COUNTS_WORDS: bool = D::COUNTS_WORDS;
    const PACK_ORDER: &'static [usize] = &[0, 4, 1, 5, 2, 6, 3, 7];

    intrinsics! {
        widen_i8(a: I8) -> I16 = _mm512_cvtepi8_epi16;
        add_i16(a: I16, b: I16) -> I16 = _mm512_add_epi16;
        sub_i16(a: I16, b: I16) -> I16 = _mm512_sub_epi16;
        min_i16(a: I16, b: I16) -> I16 = _mm512_min_epi16;
        max_i16(a: I16, b: I16) -> I16 = _mm512_max_epi16;
        mul_low_i16(a: I16, b: I16) -> I16 = _mm512_mullo_epi16;
        mul_high_i16(a: I16, b: I16) -> I16 = _mm512_mulhi_epi16;
        dot_i16(a: I16, b: I16) -> I32 = _mm512_madd_epi16;
        narrow_i16_u8(a: I16, b: I16) -> U8 = _mm512_packus_epi16;
        min_u8(a: U8, b: U8) -> U8 = _mm512_min_epu8;
        add_i32(a: I32, b: I32) -> I32 = _mm512_add_epi32;
        min_i32(a: I32, b: I32) -> I32 = _mm512_min_epi32;
        max_i32(a: I32, b: I32) -> I32 = _mm512_max_epi32;
        mul_low_i32(a: I32, b: I32) -> I32 = _mm512_mullo_epi32;
        and_i32(a: I32, b: I32) -> I32 = _mm512_and_si512;
        or_i32(a: I32, b: I32) -> I32 = _mm512_or_si512;
        xor_i32(a: I32, b: I32) -> I32 = _mm512_xor_si512;
    }

    #[inline(always)]
    fn narrow(self) -> Avx2 {
        // SAFETY: the features of the 512-bit levels imply those of `Level::Avx2`.
        unsafe { Avx2::assume() }
    }

    #[inline(always)]
    fn zero_i32(self) -> Self::I32 {
        call!(_mm512_setzero_si512)
    }

    #[inline(always)]
    fn splat_i16(self, x: i16) -> Self::I16 {
        call!(_mm512_set1_epi16, x)
    }

    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        self.splat_i32(i32::from(odd) << 16 | i32::from(even.cast_unsigned()))
    }

    #[inline(always)]
    fn splat_i32(self, x: i32) -> Self::I32 {
        call!(_mm512_set1_epi32, x)
    }

    #[inline(always)]
    fn splat_u8(self, x: u8) -> Self::U8 {
        call!(_mm512_set1_epi8, x.cast_signed())
    }

    #[inline(always)]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        call!(_mm512_set1_epi32, x.cast_signed())
    }

    #[inline(always)]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm512_sll_epi16, a, n)
    }

    #[inline(always)]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm512_srl_epi16, a, n)
    }

    #[inline(always)]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm512_sra_epi32, a, n)
    }

    #[inline(always)]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        let part = |i: usize| call!(_mm512_cvtsepi32_epi8, parts[i]);
        let mut packed = call!(_mm512_zextsi128_si512, part(0));
        if PARTS > 1 {
            packed = call!(_mm512_inserti32x4::<1>, packed, part(1));
        }
        if PARTS > 2 {
            packed = call!(_mm512_inserti32x4::<2>, packed, part(2));
        }
        if PARTS > 3 {
            packed = call!(_mm512_inserti32x4::<3>, packed, part(3));
        }
        call!(_mm512_max_epi8, packed, self.zero_i32())
    }

    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm512_unpacklo_epi8, a, b),
            call!(_mm512_unpackhi_epi8, a, b),
        ]
    }

    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm512_unpacklo_epi16, a, b),
            call!(_mm512_unpackhi_epi16, a, b),
        ]
    }

    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        self.zip_u16(a, b)
    }

    #[inline(always)]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        let high = call!(_mm512_extracti64x4_epi64::<1>, a);
        let low = call!(_mm512_castsi512_si256, a);
        let simd = self.narrow();
        simd.reduce_i32(simd.add_i32(low, high))
    }

    /// A tree: interleaves and adds neighbouring rows until each 128-bit part has the partial sums
    /// of four rows; then gathers and adds the parts in the same way.
    #[inline(always)]
    fn reduce_each_i32(self, rows: [Self::I32; 16]) -> Self::I32 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = rows;
        let (abcd, efgh) = (self.add_four(a, b, c, d), self.add_four(e, f, g, h));
        let (ijkl, mnop) = (self.add_four(i, j, k, l), self.add_four(m, n, o, p));
        self.add_parts(self.add_parts(abcd, efgh), self.add_parts(ijkl, mnop))
    }

    #[inline(always)]
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        D::dot(self, acc, u, w)
    }

    #[inline(always)]
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        D::dot_exact(self, acc, u, w)
    }

    #[inline(always)]
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32 {
        D::dot2(self, acc, u, w)
    }

    #[inline(always)]
    fn shl_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm512_sll_epi32, a, n)
    }

    #[inline(always)]
    fn positive_i16(self, a: Self::I16) -> u32 {
        call!(_mm512_cmpgt_epi16_mask, a, self.zero_i32())
    }

    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        call!(_mm512_cmpgt_epi32_mask, a, self.zero_i32()).into()
    }

    #[inline(always)]
    fn nonzero_u8(self, a: Self::U8) -> u64 {
        call!(_mm512_test_epi8_mask, a, a)
    }

    /// As on AVX2.
    #[inline(always)]
    fn add_differing_u8(self, counts: Self::U8, a: Self::U8, b: Self::U8) -> Self::U8 {
        let bits = self.xor_i32(a, b);
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
        let ones = call!(_mm512_broadcast_i32x4, ones);
        let low = self.and_i32(bits, self.splat_u8(0x0f));
        let high = self.and_i32(self.shr_u16(bits, 4), self.splat_u8(0x0f));
        let [low, high] = [
            call!(_mm512_shuffle_epi8, ones, low),
            call!(_mm512_shuffle_epi8, ones, high),
        ];
        let differing = call!(_mm512_add_epi8, low, high);
        call!(_mm512_add_epi8, counts, differing)
    }

    #[inline(always)]
    fn add_differing_i32(self, counts: Self::I32, a: Self::I32, b: Self::I32) -> Self::I32 {
        self.add_i32(counts, D::count_ones(self, self.xor_i32(a, b)))
    }

    #[inline(always)]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        call!(_mm256_set1_epi16, x.cast_signed())
    }

    #[inline(always)]
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks {
        call!(_mm256_add_epi16, a, b)
    }

    #[inline(always)]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        let mask = call!(_mm512_test_epi32_mask, a, a);
        let numbers = call!(
            _mm512_setr_epi32,
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            12,
            13,
            14,
            15
        );
        // Compressed in a register, because compressing into memory is microcoded on Zen.
        let blocks = call!(_mm512_maskz_compress_epi32, mask, numbers);
        let blocks = call!(_mm512_cvtepi32_epi16, blocks);
        (self.add_blocks(blocks, first), mask.count_ones() as usize)
    }
}
