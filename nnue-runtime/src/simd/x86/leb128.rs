//! Decodes LEB128 numbers 64 bytes at a time, with the byte compression of AVX-512 VBMI2.
//!
//! ```text
//!   bytes      05 C3 02 7F ..                 continued: bit 7 of each byte   starts: bytes after one that is not continued
//!   low        compress(starts, bytes)        05 C3 7F ..                     the first byte of each number
//!   high       compress(starts, bytes + 1)    C3 02 ..                        the second byte, if there is one
//!   number     continued: sign-extend 14 bits of high:low       otherwise: sign-extend 7 bits of low
//! ```
//!
//! No branch depends on the numbers. On a Zen 5 it decodes 3 times as many bytes per second as the
//! portable decoder, which saves 13 of the 33 ms of loading SFNNv9. Tried: a table of shuffles
//! (SSSE3, AVX2) is a quarter faster than the portable decoder, which does not justify its length.

use core::arch::x86_64::*;

use nnue_format::leb128::{Decoder, NumberError, Progress, REACH, decode_i16_by, decode_i32};

use crate::memory::lanes_mut;

/// A decoder that exists only if the processor has the required features.
pub(in crate::simd) struct Compressing(());

impl Compressing {
    /// `Some` if this processor has AVX-512 F, BW, VBMI2 and POPCNT.
    pub(in crate::simd) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

impl Decoder for Compressing {
    fn decode_i16(&self, bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError> {
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
        fn shell(bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError> {
            decode_i16_by(|bytes, out| decode_window(bytes, out), bytes, out)
        }
        // SAFETY: a `Compressing` is made only if the processor has these features.
        unsafe { shell(bytes, out) }
    }

    fn decode_i32(&self, bytes: &[u8], out: &mut [i32]) -> Result<Progress, NumberError> {
        decode_i32(bytes, out)
    }
}

/// Decodes the numbers that end in the first 64 bytes, if each has one or two bytes and no
/// superfluous byte.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn decode_window(bytes: &[u8; REACH], out: &mut [i16; REACH]) -> Option<Progress> {
    let here = load(&bytes[..64]);
    let continued = _mm512_movepi8_mask(here);
    if continued & continued << 1 != 0 {
        return None;
    }
    // A two-byte number that starts at the last byte is left to the next window.
    let cut = continued & 1 << 63;
    let starts = !(continued << 1) & !cut;
    let low = _mm512_maskz_compress_epi8(starts, here);
    let high = _mm512_maskz_compress_epi8(starts, load(&bytes[1..65]));
    let two_bytes = _mm512_movepi8_mask(low);
    let (first, first_is_longer) = numbers(
        _mm512_castsi512_si256(low),
        _mm512_castsi512_si256(high),
        two_bytes as u32,
    );
    let (second, second_is_longer) = numbers(
        _mm512_extracti64x4_epi64::<1>(low),
        _mm512_extracti64x4_epi64::<1>(high),
        (two_bytes >> 32) as u32,
    );
    if first_is_longer | second_is_longer {
        return None;
    }
    store(first, &mut out[..32]);
    store(second, &mut out[32..64]);
    Some(Progress {
        bytes: 64 - cut.count_ones() as usize,
        numbers: starts.count_ones() as usize,
    })
}

/// 32 numbers from their low and high bytes, and whether one of the two-byte numbers needs only one
/// byte.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn numbers(low: __m256i, high: __m256i, two_bytes: u32) -> (__m512i, bool) {
    let low = _mm512_slli_epi16::<9>(_mm512_cvtepu8_epi16(low));
    let high = _mm512_slli_epi16::<9>(_mm512_cvtepu8_epi16(high));
    let one = _mm512_srai_epi16::<9>(low);
    let two = _mm512_srai_epi16::<2>(_mm512_or_si512(_mm512_srli_epi16::<7>(low), high));
    let longer = _mm512_mask_cmpeq_epi16_mask(two_bytes, one, two);
    (_mm512_mask_mov_epi16(one, two_bytes, two), longer != 0)
}

#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8]) -> __m512i {
    let mut vector = _mm512_setzero_si512();
    lanes_mut(&mut vector).copy_from_slice(bytes);
    vector
}

#[target_feature(enable = "avx512f")]
fn store(mut vector: __m512i, numbers: &mut [i16]) {
    numbers.copy_from_slice(lanes_mut(&mut vector));
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue_format::leb128::{Portable, encode};

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    fn check(decoder: &Compressing, bytes: &[u8], room: usize) {
        let (mut out, mut portable) = (vec![0; room], vec![0; room]);
        let decoded = decoder.decode_i16(bytes, &mut out);
        assert_eq!(decoded, Portable.decode_i16(bytes, &mut portable));
        let numbers = decoded.unwrap_or_else(|error| error.at).numbers;
        assert_eq!(out[..numbers], portable[..numbers]);
    }

    #[test]
    fn decodes_what_the_portable_decoder_does() {
        let Some(decoder) = Compressing::detect() else {
            eprintln!("not run: this processor has no AVX-512 VBMI2");
            return;
        };
        let mut random = Random(1);
        for _ in 0..5000 {
            let (len, long) = (random.below(600), random.below(12));
            let number = |random: &mut Random| {
                let bits = if random.below(10) < long {
                    random.below(16)
                } else {
                    random.below(7)
                };
                (random.below(1 << bits) as i64 - random.below(1 << bits) as i64) as i16
            };
            let numbers: Vec<i16> = (0..len).map(|_| number(&mut random)).collect();
            let mut bytes = Vec::new();
            encode(&numbers, &mut bytes);
            check(&decoder, &bytes, numbers.len() + random.below(100) as usize);
            for _ in 0..random.below(4) {
                if let Some(byte) = bytes.get_mut(random.below(1 + len) as usize) {
                    *byte = random.below(256) as u8;
                }
            }
            check(&decoder, &bytes, random.below(1 + len) as usize);
        }
    }
}
