//! The specification: every operation written out on arrays of 16 bytes, with its contract checked
//! in debug builds. Works on every processor.

use super::sealed::Token;
use super::{Level, Simd, Vector};

/// The token of [`Level::Scalar`]; every processor has it.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

/// 16 bytes as `N` lanes of `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Lanes<T, const N: usize>(pub(super) [T; N]);

// SAFETY: an array of 16 bytes of integers with alignment 16: no padding, every bit pattern valid.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Lanes<u8, 16> {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Lanes<i16, 8> {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Lanes<i32, 4> {}

/// 8 bytes, as lanes of i8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Half(pub(super) [i8; 8]);

// SAFETY: an array of 8 bytes of integers with alignment 8: no padding, every bit pattern valid.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Half {}

/// Four block numbers: half a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Four([u16; 4]);

// SAFETY: an array of 8 bytes of integers with alignment 8: no padding, every bit pattern valid.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Four {}

/// `f` of each pair of lanes.
#[inline]
fn zip<T: Copy, const N: usize>(
    a: Lanes<T, N>,
    b: Lanes<T, N>,
    f: impl Fn(T, T) -> T,
) -> Lanes<T, N> {
    Lanes(core::array::from_fn(|i| f(a.0[i], b.0[i])))
}

/// `f` of each lane.
#[inline]
fn map<T: Copy, const N: usize>(a: Lanes<T, N>, f: impl Fn(T) -> T) -> Lanes<T, N> {
    Lanes(a.0.map(f))
}

/// The sums of the products of neighbouring lanes: `u[2i] * w[2i] + u[2i + 1] * w[2i + 1]`.
#[inline]
fn pair_sums(u: Lanes<u8, 16>, w: Lanes<u8, 16>) -> [i32; 8] {
    let product = |k: usize| i32::from(u.0[k]) * i32::from(w.0[k].cast_signed());
    core::array::from_fn(|i| product(2 * i) + product(2 * i + 1))
}

fn fits_i16(x: i32) -> bool {
    i16::try_from(x).is_ok()
}

impl Token for Scalar {}

impl Simd for Scalar {
    type U8 = Lanes<u8, 16>;
    type I16 = Lanes<i16, 8>;
    type I32 = Lanes<i32, 4>;
    type I8 = Half;
    type Blocks = Four;
    type Narrow = Self;

    const LEVEL: Level = Level::Scalar;
    const BYTES: usize = 16;
    const TILE: usize = 8;
    const PAIR_TILE: usize = 4;
    const CHAINS: usize = 1;
    /// Release builds do not check contracts, so all dot products are equal here, and the choice
    /// among them need not be compiled.
    const DOT_IS_EXACT: bool = !cfg!(debug_assertions);
    const PACK_ORDER: &'static [usize] = &[0, 1];

    #[inline]
    fn narrow(self) -> Self {
        self
    }

    #[inline]
    fn zero_i32(self) -> Self::I32 {
        Lanes([0; 4])
    }

    #[inline]
    fn splat_i16(self, x: i16) -> Self::I16 {
        Lanes([x; 8])
    }

    #[inline]
    fn splat_i32(self, x: i32) -> Self::I32 {
        Lanes([x; 4])
    }

    #[inline]
    fn splat_u8(self, x: u8) -> Self::U8 {
        Lanes([x; 16])
    }

    #[inline]
    fn splat_u8x4(self, x: u32) -> Self::U8 {
        Lanes(core::array::from_fn(|i| x.to_le_bytes()[i % 4]))
    }

    #[inline]
    fn add_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, i16::wrapping_add)
    }

    #[inline]
    fn sub_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, i16::wrapping_sub)
    }

    #[inline]
    fn min_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, i16::min)
    }

    #[inline]
    fn max_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, i16::max)
    }

    #[inline]
    fn shl_i16(self, a: Self::I16, n: u32) -> Self::I16 {
        debug_assert!(n < 16);
        map(a, |x| x << n)
    }

    #[inline]
    fn widen_i8(self, a: Self::I8) -> Self::I16 {
        Lanes(a.0.map(i16::from))
    }

    #[inline]
    fn shr_u16(self, a: Self::I16, n: u32) -> Self::I16 {
        debug_assert!(n < 16);
        map(a, |x| (x.cast_unsigned() >> n).cast_signed())
    }

    #[inline]
    fn mul_low_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, i16::wrapping_mul)
    }

    #[inline]
    fn mul_high_i16(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        zip(a, b, |x, y| ((i32::from(x) * i32::from(y)) >> 16) as i16)
    }

    #[inline]
    fn narrow_i16_u8(self, a: Self::I16, b: Self::I16) -> Self::U8 {
        Lanes(core::array::from_fn(|i| {
            if i < 8 { a.0[i] } else { b.0[i - 8] }.clamp(0, 255) as u8
        }))
    }

    #[inline]
    fn min_u8(self, a: Self::U8, b: Self::U8) -> Self::U8 {
        zip(a, b, u8::min)
    }

    #[inline]
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        zip(a, b, i32::wrapping_add)
    }

    #[inline]
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        zip(a, b, i32::min)
    }

    #[inline]
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        zip(a, b, i32::max)
    }

    #[inline]
    fn mul_low_i32(self, a: Self::I32, b: Self::I32) -> Self::I32 {
        zip(a, b, i32::wrapping_mul)
    }

    #[inline]
    fn shr_i32(self, a: Self::I32, n: u32) -> Self::I32 {
        debug_assert!(n < 32);
        map(a, |x| x >> n)
    }

    #[inline]
    fn narrow_i32_u8<const PARTS: usize>(self, parts: [Self::I32; 4]) -> Self::U8 {
        Lanes(core::array::from_fn(|i| {
            if i / 4 < PARTS {
                parts[i / 4].0[i % 4].clamp(0, 127) as u8
            } else {
                0
            }
        }))
    }

    #[inline]
    fn reduce_i32(self, a: Self::I32) -> i32 {
        a.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
    }

    #[inline]
    fn dot_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        debug_assert!(
            pair_sums(u, w).into_iter().all(fits_i16),
            "dot_u8i8: a sum of two products leaves i16"
        );
        self.dot_exact_u8i8(acc, u, w)
    }

    #[inline]
    fn dot_exact_u8i8(self, acc: Self::I32, u: Self::U8, w: Self::U8) -> Self::I32 {
        let pairs = pair_sums(u, w);
        Lanes(core::array::from_fn(|i| {
            acc.0[i].wrapping_add(pairs[2 * i] + pairs[2 * i + 1])
        }))
    }

    #[inline]
    fn dot2_u8i8(self, acc: Self::I32, u: [Self::U8; 2], w: [Self::U8; 2]) -> Self::I32 {
        debug_assert!(
            pair_sums(u[0], w[0])
                .into_iter()
                .zip(pair_sums(u[1], w[1]))
                .all(|(x, y)| fits_i16(x + y)),
            "dot2_u8i8: a sum of four products leaves i16"
        );
        let acc = self.dot_u8i8(acc, u[0], w[0]);
        self.dot_u8i8(acc, u[1], w[1])
    }

    #[inline]
    fn splat_blocks(self, x: u16) -> Self::Blocks {
        Four([x; 4])
    }

    #[inline]
    fn add_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks {
        debug_assert!(
            (0..4).all(|i| a.0[i].checked_add(b.0[i]).is_some()),
            "add_blocks: a number does not fit"
        );
        Four(core::array::from_fn(|i| a.0[i].wrapping_add(b.0[i])))
    }

    #[inline]
    fn nonzero_blocks(self, a: Self::U8, first: Self::Blocks) -> (Self::Blocks, usize) {
        debug_assert!(
            first.0 == [first.0[0]; 4],
            "nonzero_blocks: the lanes of the first number differ"
        );
        let mut found = ([0; 4], 0);
        for (block, number) in a.0.as_chunks::<4>().0.iter().zip(0..) {
            found.0[found.1] = first.0[0].wrapping_add(number);
            found.1 += usize::from(*block != [0; 4]);
        }
        (Four(found.0), found.1)
    }
}
