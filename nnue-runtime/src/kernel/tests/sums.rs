//! Activations of sums.

use super::at_all_levels;
use crate::kernel::{Shr, crelu, quantmoid4, sqr_crelu};
use crate::memory::{Bytes, Sums};
use crate::simd::{Simd, Task};
use crate::testing::Random;

fn check<const N: usize, const NB: usize>(
    sums: &Sums<N>,
    actual: &Bytes<NB>,
    expected: fn(i64) -> i64,
) {
    let mut values: Vec<u8> = sums.0.iter().map(|&y| expected(y.into()) as u8).collect();
    values.resize(NB, 0);
    assert_eq!(actual.0.as_slice(), values, "{sums:?}");
}

macro_rules! check_each {
    ($simd:ident, $random:ident, $n:literal, $nb:literal: $kernel:ident, $definition:expr, [$($shift:literal)*]) => { $(
        for _ in 0..50 {
            let mut sums = Sums([0; $n]);
            sums.0.iter_mut().for_each(|y| *y = $random.i32());
            let actual: Bytes<$nb> = $kernel($simd, &sums, Shr::<$shift>);
            check(&sums, &actual, |y| $definition(y, $shift));
        }
    )* };
}

fn defined_crelu(y: i64, shift: u32) -> i64 {
    (y >> shift).clamp(0, 127)
}

fn defined_sqr_crelu(y: i64, shift: u32) -> i64 {
    ((y * y) >> shift).min(127)
}

fn defined_quantmoid4(y: i64, shift: u32) -> i64 {
    let z = y >> shift;
    let q = (127 - z.abs().min(127)).pow(2) >> 8;
    if z > 0 { 126 - q } else { q }
}

#[derive(Clone, Copy)]
struct Shifts;

impl Task for Shifts {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(1);
        check_each!(simd, random, 16, 64: crelu, defined_crelu, [0 1 6 7 15 31]);
        check_each!(simd, random, 16, 64: sqr_crelu, defined_sqr_crelu, [0 7 15 16 19 21 22 23 24 25 31 40 63]);
        check_each!(simd, random, 16, 64: quantmoid4, defined_quantmoid4, [0 1 6 7 20 31]);
        check_each!(simd, random, 112, 128: quantmoid4, defined_quantmoid4, [6]);
        check_each!(simd, random, 32, 64: crelu, defined_crelu, [6]);
        check_each!(simd, random, 32, 64: sqr_crelu, defined_sqr_crelu, [19]);
        check_each!(simd, random, 48, 64: crelu, defined_crelu, [6]);
        check_each!(simd, random, 112, 128: sqr_crelu, defined_sqr_crelu, [21 30]);
    }
}

#[test]
fn activations_of_sums_match_their_definitions() {
    at_all_levels(Shifts);
}

/// Tests sums around the smallest |y| that gives 127, for shifts with and without the fast path.
#[test]
fn squares_saturate_where_they_should() {
    #[derive(Clone, Copy)]
    struct Edges;

    impl Task for Edges {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            macro_rules! each { ($($shift:literal)*) => { $({
                let edge = (127_f64 * f64::from(1_u32 << $shift)).sqrt() as i32;
                let mut sums = Sums([0; 16]);
                for (y, i) in sums.0.iter_mut().zip(0..) {
                    *y = (edge + i % 8 - 4) * if i < 8 { 1 } else { -1 };
                }
                let actual: Bytes<64> = sqr_crelu(simd, &sums, Shr::<$shift>);
                check(&sums, &actual, |y| defined_sqr_crelu(y, $shift));
            })* } }
            each!(0 8 14 19 21 22 23 24 25);
        }
    }

    at_all_levels(Edges);
}

/// Tests every value on the curve, and the first few beyond both ends.
#[test]
fn the_curve_of_quantmoid4_is_exact_everywhere() {
    #[derive(Clone, Copy)]
    struct Curve;

    impl Task for Curve {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            for first in (-130..130).step_by(16) {
                let mut sums = Sums([0; 16]);
                for (y, z) in sums.0.iter_mut().zip(first..) {
                    *y = z * 64 + 63 * (z & 1);
                }
                let actual: Bytes<64> = quantmoid4(simd, &sums, Shr::<6>);
                let expected = sums.0.map(|y| defined_quantmoid4(y.into(), 6) as u8);
                assert_eq!(actual.0[..16], expected, "{sums:?}");
            }
        }
    }

    at_all_levels(Curve);
}
