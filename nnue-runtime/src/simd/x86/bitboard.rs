//! Bitboard and list operations of the x86 levels. Only 512-bit vectors hold the eight lines
//! through a square, and only AVX-512 compresses.

use core::arch::x86_64::*;

use super::avx2::{Avx2, Dot256};
use super::avx512::{Avx512, Dot512};
use super::sse41::Sse41;
use crate::memory::lanes_mut;
use crate::simd::Simd;
use crate::simd::bitboard::BitboardLanes;
use crate::simd::intrinsics::call;

impl BitboardLanes for Sse41 {
    type Words = __m128i;

    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::Words {
        call!(_mm_set1_epi64x, x.cast_signed())
    }
}

impl<D: Dot256> BitboardLanes for Avx2<D> {
    type Words = __m256i;

    /// For each half board: spreads the byte of each rank over the rank, then each square keeps its
    /// bit.
    #[inline(always)]
    fn bytes_of_planes(self, planes: [u64; 4]) -> [u8; 64] {
        let mut result = [0; 64];
        let own_bit = call!(_mm256_set1_epi64x, 0x8040_2010_0804_0201_u64.cast_signed());
        let [zeros, ones, twos, threes] =
            [0, 1, 2, 3].map(|rank: i64| 0x0101_0101_0101_0101 * rank);
        let ranks = call!(_mm256_setr_epi64x, zeros, ones, twos, threes);
        for (half, bytes) in result.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let plane = |b: usize| {
                let bits = call!(_mm256_set1_epi32, (planes[b] >> (32 * half)) as i32);
                let bits = call!(_mm256_shuffle_epi8, bits, ranks);
                let bit = self.and_i32(bits, own_bit);
                let is_set = call!(_mm256_cmpeq_epi8, bit, own_bit);
                self.and_i32(is_set, self.splat_u8(1 << b))
            };
            let mut numbers = self.or_i32(
                self.or_i32(plane(0), plane(1)),
                self.or_i32(plane(2), plane(3)),
            );
            bytes.copy_from_slice(lanes_mut(&mut numbers));
        }
        result
    }

    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::Words {
        call!(_mm256_set1_epi64x, x.cast_signed())
    }
}

impl<D: Dot512> BitboardLanes for Avx512<D> {
    type Words = __m512i;

    const GATHERS: bool = true;
    const LINES: bool = true;

    #[inline(always)]
    fn negative_i32(self, a: Self::Words) -> u32 {
        call!(_mm512_movepi32_mask, a).into()
    }

    #[inline(always)]
    fn compress_i32(self, a: Self::Words, keep: u32) -> Self::Words {
        call!(_mm512_maskz_compress_epi32, keep as u16, a)
    }

    #[inline(always)]
    fn gather_u16(self, table: &[u16], index: Self::Words) -> Self::Words {
        assert!(table.len() >= 2);
        let last = self.splat_i32((table.len() - 2).min(i32::MAX as usize) as i32);
        let index = call!(_mm512_min_epu32, index, last);
        // SAFETY: every index is at most the length less 2, so the four bytes starting there are in
        // the table.
        let found = unsafe { _mm512_i32gather_epi32::<2>(index, table.as_ptr().cast()) };
        self.and_i32(found, self.splat_i32(0xffff))
    }

    #[inline(always)]
    fn gather_i32(self, table: &[i32], index: Self::Words) -> Self::Words {
        assert!(!table.is_empty());
        let last = self.splat_i32((table.len() - 1).min(i32::MAX as usize) as i32);
        let index = call!(_mm512_min_epu32, index, last);
        // SAFETY: every index is below the length.
        unsafe { _mm512_i32gather_epi32::<4>(index, table.as_ptr()) }
    }

    /// Each plane is a mask of bytes.
    #[inline(always)]
    fn bytes_of_planes(self, planes: [u64; 4]) -> [u8; 64] {
        let plane = |b: usize| call!(_mm512_maskz_set1_epi8, planes[b], 1 << b);
        let mut bytes = self.or_i32(
            self.or_i32(plane(0), plane(1)),
            self.or_i32(plane(2), plane(3)),
        );
        let mut result = [0; 64];
        result.copy_from_slice(lanes_mut(&mut bytes));
        result
    }

    #[inline(always)]
    fn splat_u64(self, x: u64) -> Self::Words {
        call!(_mm512_set1_epi64, x.cast_signed())
    }

    #[inline(always)]
    fn meet_u64(self, a: Self::Words, b: Self::Words) -> u32 {
        call!(_mm512_test_epi64_mask, a, b).into()
    }

    #[inline(always)]
    fn nearest_u64(self, a: Self::Words) -> Self::Words {
        let negative = call!(_mm512_sub_epi64, self.zero_i32(), a);
        let lowest_or_all = call!(_mm512_mask_and_epi64, a, 0x0f, a, negative);
        let zeros = call!(_mm512_lzcnt_epi64, lowest_or_all);
        call!(_mm512_srlv_epi64, self.splat_u64(1 << 63), zeros)
    }

    #[inline(always)]
    fn swap_halves(self, a: Self::Words) -> Self::Words {
        call!(_mm512_shuffle_i64x2::<0b01_00_11_10>, a, a)
    }

    #[inline(always)]
    fn numbers_u64(self, a: Self::Words, b: Self::Words) -> Self::Words {
        let zeros = |bits| {
            let zeros = call!(_mm512_lzcnt_epi64, bits);
            call!(_mm512_cvtepi64_epi32, zeros)
        };
        let a = call!(_mm512_zextsi256_si512, zeros(a));
        let zeros = call!(_mm512_inserti64x4::<1>, a, zeros(b));
        call!(_mm512_andnot_si512, zeros, self.splat_i32(63))
    }

    /// A permutation selects the word of each byte, a shift the byte in it.
    #[inline(always)]
    fn gather_u8(self, table: &[u8; 64], index: Self::Words) -> Self::Words {
        let mut words = self.zero_i32();
        lanes_mut(&mut words).copy_from_slice(table);
        let number = self.shr_i32(index, 2);
        let word = call!(_mm512_permutexvar_epi32, number, words);
        let shift = self.shl_i32(self.and_i32(index, self.splat_i32(3)), 3);
        let byte = call!(_mm512_srlv_epi32, word, shift);
        self.and_i32(byte, self.splat_i32(0xff))
    }
}
