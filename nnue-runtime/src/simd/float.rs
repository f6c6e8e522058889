//! Operations on 32-bit floats: IEEE 754 binary32, rounded to nearest, ties to even, denormals
//! kept. All levels give the same bits, except for the sign and the payload of NaNs.
//! [`FloatLanes::max_f32`] and [`FloatLanes::min_f32`] define how NaNs are clipped.
//!
//! The processor must be in the floating-point mode that Rust requires of every program.

use super::Vector;
use super::scalar::{Lanes, Scalar};
use super::sealed::Token;
use crate::memory::lanes_mut;

/// The operations of [`super::Simd`] on floats.
pub trait FloatLanes: Token {
    /// f32: as many lanes as [`super::Simd::I32`]
    type F32: Vector;

    /// all lanes `x`
    fn splat_f32(self, x: f32) -> Self::F32;
    /// the nearest f32 of each i32 lane
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32;
    /// sum
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// product
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a > b ? a : b`: returns `b` if either is a NaN, and for zeros of different signs
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a < b ? a : b`: returns `b` if either is a NaN, and for zeros of different signs
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;

    /// difference
    #[inline(always)]
    fn sub_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        self.add_f32(a, self.mul_f32(b, self.splat_f32(-1.0)))
    }

    /// absolute value
    #[inline(always)]
    fn abs_f32(self, mut a: Self::F32) -> Self::F32 {
        for lane in lanes_mut::<_, f32>(&mut a) {
            *lane = lane.abs();
        }
        a
    }

    /// quotient
    #[inline(always)]
    fn div_f32(self, mut a: Self::F32, mut b: Self::F32) -> Self::F32 {
        for (a, b) in lanes_mut::<_, f32>(&mut a)
            .iter_mut()
            .zip(lanes_mut::<_, f32>(&mut b))
        {
            *a /= *b;
        }
        a
    }

    /// `2^n` for each lane `1.5 * 2^23 + n`, whose bits are those of `1.5 * 2^23` plus n.
    ///
    /// Contract: `-126 <= n <= 127`.
    #[inline(always)]
    fn power_of_two_f32(self, mut whole: Self::F32) -> Self::F32 {
        for lane in lanes_mut::<_, f32>(&mut whole) {
            *lane = f32::from_bits(lane.to_bits().wrapping_add(127) << 23);
        }
        whole
    }

    /// `a * b + c`, rounded once.
    ///
    /// Levels without the instruction use two f64 operations and a correction per lane.
    #[inline(always)]
    fn mul_add_f32(self, mut a: Self::F32, mut b: Self::F32, mut c: Self::F32) -> Self::F32 {
        let (a, b) = (lanes_mut::<_, f32>(&mut a), lanes_mut::<_, f32>(&mut b));
        for ((c, a), b) in lanes_mut::<_, f32>(&mut c).iter_mut().zip(a).zip(b) {
            *c = fused(*a, *b, *c);
        }
        c
    }
}

/// `a * b + c`, rounded once, without an FMA instruction.
///
/// The product is exact in f64. The f64 sum is rounded *to odd*: if it is not exact, the result is
/// the neighbour whose last bit is 1. Since f64 has more than twice the digits of f32 plus two,
/// rounding this to f32 equals a single rounding (Boldo and Melquiond, 2008).
#[inline(always)]
pub(super) fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let of_c = sum - product;
    // The exact rounding error of the sum (Knuth's two-sum). If the sum is not finite, the error is
    // a NaN, and the comparisons below count it as no error.
    let lost = (product - (sum - of_c)) + (c - of_c);
    let is_even = sum.to_bits() & 1 == 0;
    let away = u64::from(is_even && ((lost > 0.0 && sum > 0.0) || (lost < 0.0 && sum < 0.0)));
    let toward = u64::from(is_even && ((lost < 0.0 && sum > 0.0) || (lost > 0.0 && sum < 0.0)));
    f64::from_bits(sum.to_bits() + away - toward) as f32
}

// SAFETY: an array of 16 bytes of floats with alignment 16: no padding, every bit pattern valid.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for Lanes<f32, 4> {}

/// The specification: Rust's own operations.
impl FloatLanes for Scalar {
    type F32 = Lanes<f32, 4>;

    #[inline]
    fn splat_f32(self, x: f32) -> Self::F32 {
        Lanes([x; 4])
    }

    #[inline]
    fn f32_of_i32(self, bits: Self::F32) -> Self::F32 {
        Lanes(bits.0.map(|x| x.to_bits().cast_signed() as f32))
    }

    #[inline]
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        Lanes(core::array::from_fn(|i| a.0[i] + b.0[i]))
    }

    #[inline]
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        Lanes(core::array::from_fn(|i| a.0[i] * b.0[i]))
    }

    #[inline]
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        Lanes(core::array::from_fn(|i| {
            if a.0[i] > b.0[i] { a.0[i] } else { b.0[i] }
        }))
    }

    #[inline]
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        Lanes(core::array::from_fn(|i| {
            if a.0[i] < b.0[i] { a.0[i] } else { b.0[i] }
        }))
    }
}
