//! 256-bit vectors: AVX2, with dot products by `vpmaddubsw` or by AVX-VNNI.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::Sse41;
use crate::simd::intrinsics::{call, intrinsics};
use crate::simd::sealed::Token;
use crate::simd::set_bits::set_bits;
use crate::simd::{Level, Simd, Vector};

/// The token of [`Level::Avx2`] or, with another `D`, of [`Level::AvxVnni`].
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Avx2<D = Maddubs>(PhantomData<D>);

/// The token of [`Level::AvxVnni`].
pub(in crate::simd) type AvxVnni = Avx2<Vnni>;

impl<D> Avx2<D> {
    /// # Safety
    ///
    /// The processor has the features of [`Level::Avx2`] or, with `D` = [`Vnni`], of
    /// [`Level::AvxVnni`].
    #[inline(always)]
    pub(in crate::simd) unsafe fn assume() -> Self {
        Self(PhantomData)
    }
}

// SAFETY: 32 bytes of integers, aligned to 32, every bit pattern valid.
unsafe impl Vector for __m256i {}

/// For a mask of eight blocks: the indices of the set bits, ascending, one per byte.
static NUMBERS: [u64; 256] = set_bits(8);

/// The dot products of a 256-bit level.
pub(in crate::simd) trait Dot256: Copy + Send + Sync + 'static {
    const LEVEL: Level;
    const CHAINS: usize;
    const IS_EXACT: bool;
    fn dot(simd: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i;
    fn dot_exact(simd: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i;
    fn dot2(simd: Avx2<Self>, acc: __m256i, u: [__m256i; 2], w: [__m256i; 2]) -> __m256i;
}

/// `vpmaddubsw`: products added in pairs in 16 bits, saturating, then widened.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Maddubs;

impl Dot256 for Maddubs {
    const LEVEL: Level = Level::Avx2;
    const CHAINS: usize = 4;
    const IS_EXACT: bool = false;

    #[inline(always)]
    fn dot(simd: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i {
        let pairs = call!(_mm256_maddubs_epi16, u, w);
        let sums = call!(_mm256_madd_epi16, pairs, simd.splat_i16(1));
        simd.add_i32(acc, sums)
    }

    #[inline(always)]
    fn dot_exact(simd: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i {
        let even_u = call!(_mm256_and_si256, u, simd.splat_i16(0xff));
        let even_w = call!(_mm256_slli_epi16::<8>, w);
        let even_w = call!(_mm256_srai_epi16::<8>, even_w);
        let odd_u = call!(_mm256_srli_epi16::<8>, u);
        let odd_w = call!(_mm256_srai_epi16::<8>, w);
        let even = call!(_mm256_madd_epi16, even_u, even_w);
        let odd = call!(_mm256_madd_epi16, odd_u, odd_w);
        simd.add_i32(acc, simd.add_i32(even, odd))
    }

    #[inline(always)]
    fn dot2(simd: Avx2<Self>, acc: __m256i, u: [__m256i; 2], w: [__m256i; 2]) -> __m256i {
        let first = call!(_mm256_maddubs_epi16, u[0], w[0]);
        let second = call!(_mm256_maddubs_epi16, u[1], w[1]);
        let sums = call!(
            _mm256_madd_epi16,
            simd.add_i16(first, second),
            simd.splat_i16(1)
        );
        simd.add_i32(acc, sums)
    }
}

/// VNNI: one instruction adds groups of four products in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Vnni;

impl Dot256 for Vnni {
    const LEVEL: Level = Level::AvxVnni;
    const CHAINS: usize = 8;
    const IS_EXACT: bool = true;

    #[inline(always)]
    fn dot(_: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i {
        call!(_mm256_dpbusd_avx_epi32, acc, u, w)
    }

    #[inline(always)]
    fn dot_exact(simd: Avx2<Self>, acc: __m256i, u: __m256i, w: __m256i) -> __m256i {
        Self::dot(simd, acc, u, w)
    }

    #[inline(always)]
    fn dot2(simd: Avx2<Self>, acc: __m256i, u: [__m256i; 2], w: [__m256i; 2]) -> __m256i {
        Self::dot(simd, Self::dot(simd, acc, u[0], w[0]), u[1], w[1])
    }
}

impl<D: Dot256> Token for Avx2<D> {}

impl<D: Dot256> Simd for Avx2<D> {
    type U8 = __m256i;
    type I16 = __m256i;
    type I32 = __m256i;
    type I8 = __m128i;
    type Blocks = __m128i;
    type Narrow = Sse41;

    const LEVEL: Level = D::LEVEL;
    const BYTES: usize = 32;
    const TILE: usize = 16;
    const PAIR_TILE: usize = 8;
    const CHAINS: usize = D::CHAINS;
    const DOT_IS_EXACT: bool = D::IS_EXACT;
    const LOOKS_UP: bool = true;
    const PACK_ORDER: &'static [usize] = &[0, 2, 1, 3];

    intrinsics! {
        widen_i8(a: I8) -> I16 = _mm256_cvtepi8_epi16;
        add_i16(a: I16, b: I16) -> I16 = _mm256_add_epi16;
        sub_i16(a: I16, b: I16) -> I16 = _mm256_sub_epi16;
        min_i16(a: I16, b: I16) -> I16 = _mm256_min_epi16;
        max_i16(a: I16, b: I16) -> I16 = _mm256_max_epi16;
        mul_low_i16(a: I16, b: I16) -> I16 = _mm256_mullo_epi16;
        mul_high_i16(a: I16, b: I16) -> I16 = _mm256_mulhi_epi16;
        dot_i16(a: I16, b: I16) -> I32 = _mm256_madd_epi16;
        narrow_i16_u8(a: I16, b: I16) -> U8 = _mm256_packus_epi16;
        min_u8(a: U8, b: U8) -> U8 = _mm256_min_epu8;
        add_i32(a: I32, b: I32) -> I32 = _mm256_add_epi32;
        min_i32(a: I32, b: I32) -> I32 = _mm256_min_epi32;
        max_i32(a: I32, b: I32) -> I32 = _mm256_max_epi32;
        mul_low_i32(a: I32, b: I32) -> I32 = _mm256_mullo_epi32;
        and_i32(a: I32, b: I32) -> I32 = _mm256_and_si256;
        or_i32(a: I32, b: I32) -> I32 = _mm256_or_si256;
        xor_i32(a: I32, b: I32) -> I32 = _mm256_xor_si256;
    }

    #[inline(always)]
    fn narrow(self) -> Sse41 {
        // SAFETY: the features of the 256-bit levels imply those of `Level::Sse41`.
        unsafe { Sse41::assume() }
    }

    #[inline(always)]
    fn zero_i32(self) -> Self::I32 {
        call!(_mm256_setzero_si256)
    }

    #[inline(always)]
    fn splat_i16(self, x: i16) -> Self::I16 {
        call!(_mm256_set1_epi16, x)
    }

    #[inline(always)]
    fn splat_i16x2(self, [even, odd]: [i16; 2]) -> Self::I16 {
        self.splat_i32(i32::from(odd) << 16 | i32::from(even.cast_unsigned()))
    }

    #[inline(always)]
    fn splat_i32(self, x: i32) -> Self::I32 {
        call!(_mm256_set1_epi32, x)
    }

    #[inline(always)]
    fn splat_u8(self, x: u8) -> Self::U8 {
        call!(_mm256_set1_epi8, x.cast_signed())
    }

    #[inline(always)]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        call!(_mm256_set1_epi32, x.cast_signed())
    }

    #[inline(always)]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm256_sll_epi16, a, n)
    }

    #[inline(always)]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm256_srl_epi16, a, n)
    }

    #[inline(always)]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        let n = call!(_mm_cvtsi32_si128, n.cast_signed());
        call!(_mm256_sra_epi32, a, n)
    }

    #[inline(always)]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        let zero = self.zero_i32();
        let part = |i: usize| if i < PARTS { parts[i] } else { zero };
        let low = call!(_mm256_packs_epi32, part(0), part(1));
        let high = call!(_mm256_packs_epi32, part(2), part(3));
        let packed = call!(_mm256_packs_epi16, low, high);
        let clamped = call!(_mm256_max_epi8, packed, zero);
        // The instructions pack within 128-bit halves: the low half of every part comes first.
        let order = call!(_mm256_setr_epi32, 0, 4, 1, 5, 2, 6, 3, 7);
        call!(_mm256_permutevar8x32_epi32, clamped, order)
    }

    #[inline(always)]
    fn zip_u8(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm256_unpacklo_epi8, a, b),
            call!(_mm256_unpackhi_epi8, a, b),
        ]
    }

    #[inline(always)]
    fn zip_u16(self, a: Self::U8, b: Self::U8) -> [Self::U8; 2] {
        [
            call!(_mm256_unpacklo_epi16, a, b),
            call!(_mm256_unpackhi_epi16, a, b),
        ]
    }

    #[inline(always)]
    fn zip_i16(self, a: Self::I16, b: Self::I16) -> [Self::I16; 2] {
        self.zip_u16(a, b)
    }

    #[inline(always)]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        let high = call!(_mm256_extracti128_si256::<1>, a);
        let low = call!(_mm256_castsi256_si128, a);
        let simd = self.narrow();
        simd.reduce_i32(simd.add_i32(low, high))
    }

    #[inline(always)]
    fn reduce_each_i32(self, rows: [Self::I32; 16]) -> Self::I32 {
        let [a, b, c, d, e, f, g, h, ..] = rows;
        // in each half: the sums of that half's lanes, of four rows
        let (ab, cd) = (
            call!(_mm256_hadd_epi32, a, b),
            call!(_mm256_hadd_epi32, c, d),
        );
        let (ef, gh) = (
            call!(_mm256_hadd_epi32, e, f),
            call!(_mm256_hadd_epi32, g, h),
        );
        let (abcd, efgh) = (
            call!(_mm256_hadd_epi32, ab, cd),
            call!(_mm256_hadd_epi32, ef, gh),
        );
        let low = call!(_mm256_permute2x128_si256::<0x20>, abcd, efgh);
        let high = call!(_mm256_permute2x128_si256::<0x31>, abcd, efgh);
        self.add_i32(low, high)
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
    fn positive_i16(self, a: Self::I16) -> u32 {
        let positive = call!(_mm256_cmpgt_epi16, a, self.zero_i32());
        // Packed within halves: bytes 0 to 7 are the lanes of the low half, bytes 16 to 23 those of
        // the high half.
        let packed = call!(_mm256_packs_epi16, positive, self.zero_i32());
        let mask = call!(_mm256_movemask_epi8, packed).cast_unsigned();
        (mask | mask >> 8) & 0xffff
    }

    #[inline(always)]
    fn positive_i32(self, a: Self::I32) -> u32 {
        let positive = call!(_mm256_cmpgt_epi32, a, self.zero_i32());
        let positive = call!(_mm256_castsi256_ps, positive);
        call!(_mm256_movemask_ps, positive).cast_unsigned()
    }

    #[inline(always)]
    fn nonzero_u8(self, a: Self::U8) -> u64 {
        let zeros = call!(_mm256_cmpeq_epi8, a, self.zero_i32());
        (!call!(_mm256_movemask_epi8, zeros).cast_unsigned()).into()
    }

    /// Looks up the bit count of each nibble.
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
        let ones = call!(_mm256_broadcastsi128_si256, ones);
        let low = self.and_i32(bits, self.splat_u8(0x0f));
        let high = self.and_i32(self.shr_u16(bits, 4), self.splat_u8(0x0f));
        let [low, high] = [
            call!(_mm256_shuffle_epi8, ones, low),
            call!(_mm256_shuffle_epi8, ones, high),
        ];
        let differing = call!(_mm256_add_epi8, low, high);
        call!(_mm256_add_epi8, counts, differing)
    }

    #[inline(always)]
    fn add_looked_up_u8(
        self,
        counts: Self::U8,
        w: Self::U8,
        low: Self::U8,
        high: Self::U8,
    ) -> Self::U8 {
        let halves = [
            self.and_i32(w, self.splat_u8(0x0f)),
            self.and_i32(self.shr_u16(w, 4), self.splat_u8(0x0f)),
        ];
        let [low, high] = [
            call!(_mm256_shuffle_epi8, low, halves[0]),
            call!(_mm256_shuffle_epi8, high, halves[1]),
        ];
        let sums = call!(_mm256_add_epi8, low, high);
        call!(_mm256_add_epi8, counts, sums)
    }

    #[inline(always)]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        call!(_mm_set1_epi16, x.cast_signed())
    }

    #[inline(always)]
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks {
        call!(_mm_add_epi16, a, b)
    }

    #[inline(always)]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        let zeros = call!(_mm256_cmpeq_epi32, a, self.zero_i32());
        let zeros = call!(_mm256_castsi256_ps, zeros);
        let mask = call!(_mm256_movemask_ps, zeros) as u8 ^ 0xff;
        let blocks = call!(_mm_cvtsi64_si128, NUMBERS[usize::from(mask)].cast_signed());
        let blocks = call!(_mm_cvtepu8_epi16, blocks);
        (self.add_blocks(blocks, first), mask.count_ones() as usize)
    }
}
