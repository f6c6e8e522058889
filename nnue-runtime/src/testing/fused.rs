//! `a * b + c`, rounded once, by integer arithmetic: the reference for operations and kernels.
//!
//! Not `f32::mul_add`: on processors without such an instruction it calls the C library, and those
//! of wasi and of glibc under QEMU round ties and the edge of the denormals wrongly.

/// A finite nonzero float: `(-1)^negative * digits * 2^exponent`, with the highest bit of `digits`
/// at [`HIGHEST`].
struct Parts {
    negative: bool,
    digits: i128,
    exponent: i32,
}

/// Room above for a carry and the sign, room below for the digits of a smaller number.
const HIGHEST: u32 = 122;

/// The digits of the significand of an f32, and the exponent of the last digit of the smallest.
const DIGITS: u32 = 24;
const LOWEST: i32 = -149;

impl Parts {
    fn new(negative: bool, digits: i128, exponent: i32) -> Self {
        let shift = digits.leading_zeros() - (127 - HIGHEST);
        Self {
            negative,
            digits: digits << shift,
            exponent: exponent - shift as i32,
        }
    }

    fn of(x: f32) -> Self {
        let (bits, field) = (x.to_bits(), (x.to_bits() >> 23 & 0xFF) as i32);
        let hidden = if field == 0 { 0 } else { 1 << 23 };
        Self::new(
            x.is_sign_negative(),
            i128::from(bits & 0x007F_FFFF | hidden),
            field.max(1) - 150,
        )
    }

    fn product(a: f32, b: f32) -> Self {
        let (a, b) = (Self::of(a), Self::of(b));
        // 24 digits each: no digit is shifted out.
        let (x, y) = (a.digits >> (HIGHEST - 23), b.digits >> (HIGHEST - 23));
        Self::new(
            a.negative != b.negative,
            x * y,
            a.exponent + b.exponent + 2 * (HIGHEST as i32 - 23),
        )
    }

    fn signed(&self, exponent: i32) -> i128 {
        let shift = (exponent - self.exponent) as u32;
        // Neither operand has more than 48 digits: the digits shifted out are below all digits of
        // the other operand, so only their existence and sign matter.
        let kept = self.digits.checked_shr(shift).unwrap_or(0);
        let lost = kept.checked_shl(shift).unwrap_or(0) != self.digits;
        let digits = kept | i128::from(lost);
        if self.negative { -digits } else { digits }
    }

    fn plus(&self, other: &Self) -> i128 {
        let exponent = self.exponent.max(other.exponent);
        self.signed(exponent) + other.signed(exponent)
    }
}

/// To nearest, ties to even.
fn round(sum: i128, exponent: i32) -> f32 {
    let digits = sum.unsigned_abs();
    let drop = (128 - digits.leading_zeros())
        .saturating_sub(DIGITS)
        .max((LOWEST - exponent).max(0) as u32);
    let kept = digits.checked_shr(drop).unwrap_or(0);
    let rest = digits - kept.checked_shl(drop).unwrap_or(0);
    let half = 1_u128
        .checked_shl(drop.wrapping_sub(1))
        .unwrap_or(u128::MAX);
    let up = drop > 0 && (rest > half || (rest == half && kept & 1 == 1));
    // At most 24 digits and a power of two from 2^-149 to above the greatest f32: exact in f64, and
    // in f32 exact or an overflow.
    let power = f64::from_bits(((1023 + exponent + drop as i32) as u64) << 52);
    let magnitude = ((kept + u128::from(up)) as f64 * power) as f32;
    if sum < 0 { -magnitude } else { magnitude }
}

/// `a * b + c` as IEEE 754 defines it; any NaN stands for all NaNs.
pub(crate) fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        // With finite factors the sum is `c`, even if the product alone overflows.
        return if a.is_finite() && b.is_finite() {
            c
        } else {
            a * b + c
        };
    }
    if a == 0.0 || b == 0.0 {
        return a * b + c;
    }
    let product = Parts::product(a, b);
    if c == 0.0 {
        let rounded = round(product.signed(product.exponent), product.exponent);
        return if rounded == 0.0 && product.negative {
            -0.0
        } else {
            rounded
        };
    }
    let c = Parts::of(c);
    let (sum, exponent) = (product.plus(&c), product.exponent.max(c.exponent));
    let rounded = round(sum, exponent);
    // A sum of exactly zero is +0; one that is rounded to zero keeps its sign.
    if rounded == 0.0 && sum < 0 {
        -0.0
    } else {
        rounded
    }
}

#[test]
fn products_are_rounded_once() {
    let tiny = f32::from_bits(1);
    let cases = [
        ((3.0, 5.0, 7.0), 22.0),
        // 1 - 2^-46: the product alone rounds to 1.
        (
            (1.0 + 2_f32.powi(-23), 1.0 - 2_f32.powi(-23), -1.0),
            -2_f32.powi(-46),
        ),
        // A tie goes to the even neighbour; a bit far below breaks the tie.
        (
            (1.0 + 2_f32.powi(-23), 2_f32.powi(-24), 1.0),
            1.0 + 2_f32.powi(-23),
        ),
        ((1.0, 2_f32.powi(-24), 1.0), 1.0),
        (
            (2_f32.powi(-12), 2_f32.powi(-12), 1.0 + 2_f32.powi(-23)),
            1.0 + 2_f32.powi(-22),
        ),
        ((tiny, 0.5, 0.0), 0.0),
        ((tiny, 0.75, 0.0), tiny),
        ((tiny, -0.5, 2.0 * tiny), 2.0 * tiny),
        // The greatest denormal minus almost half of the smallest.
        (
            (
                f32::from_bits(0x007F_FFFF),
                -2_f32.powi(-24),
                f32::from_bits(0x007F_FFFF),
            ),
            f32::from_bits(0x007F_FFFF),
        ),
        ((f32::MAX, 2.0, f32::NEG_INFINITY), f32::NEG_INFINITY),
        ((f32::MAX, 2.0, -f32::MAX), f32::MAX),
        ((f32::MAX, 2.0, 0.0), f32::INFINITY),
    ];
    for ((a, b, c), expected) in cases {
        assert_eq!(multiply_add(a, b, c), expected, "{a:?} * {b:?} + {c:?}");
        assert_eq!(multiply_add(-a, b, -c), -expected, "-{a:?} * {b:?} - {c:?}");
    }
}
