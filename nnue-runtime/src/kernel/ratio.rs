//! The forward neuron's part of the output: `trunc(x * NUM / DEN)`.

/// `trunc(x * NUM / DEN)` with a wrapping 32-bit product, like the networks with a forward neuron
/// of 2022 to 2025.
///
/// `DEN` must be greater than 0, and both must fit in i32.
#[inline(always)]
pub fn ratio_wrapping<const NUM: i64, const DEN: i64>(x: i32) -> i32 {
    const { assert!(NUM as i32 as i64 == NUM && DEN as i32 as i64 == DEN && DEN > 0) }
    x.wrapping_mul(NUM as i32) / DEN as i32
}

/// `trunc(x * NUM / DEN)` with the product in 64 bits. The quotient wraps to i32.
///
/// `NUM` must fit in i32, so that the product fits in 64 bits; `DEN` must be greater than 0.
#[inline(always)]
pub fn ratio_wide<const NUM: i64, const DEN: i64>(x: i32) -> i32 {
    const { assert!(NUM as i32 as i64 == NUM && DEN > 0) }
    (i64::from(x) * NUM / DEN) as i32
}

/// A named output as a float: `value * unit`.
#[inline(always)]
pub fn in_unit(value: f32, unit: f32) -> f32 {
    value * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_truncate_toward_zero() {
        assert_eq!(ratio_wrapping::<9600, 8128>(-1), -1);
        assert_eq!(ratio_wrapping::<9600, 16384>(-1), 0);
        assert_eq!(ratio_wide::<9600, 16384>(-3), -1);
        assert_eq!(ratio_wide::<9600, 16384>(3), 1);
    }

    #[test]
    fn products_wrap_or_do_not() {
        assert_eq!(
            ratio_wrapping::<9600, 8128>(223_697),
            (223_697_i32.wrapping_mul(9600)) / 8128
        );
        assert!(ratio_wrapping::<9600, 8128>(223_697) < 0);
        assert_eq!(ratio_wide::<9600, 16384>(i32::MIN), -1_258_291_200);
    }
}
