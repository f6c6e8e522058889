//! The fused product and sum of floats, without an instruction for it.

/// `a * b + c` rounded once. The product of two f32 is exact in f64; the sum with `c` is rounded to odd
/// there, so that the second rounding to f32 gives the correctly rounded result.
pub(crate) fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The exact rounding error of the sum (two-sum).
    let (from_c, from_product) = (sum - product, sum - (sum - product));
    let lost = (product - from_product) + (c - from_c);
    if lost == 0.0 || !sum.is_finite() || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    // The neighbour in the direction of the error is odd.
    let up = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if up {
        sum.to_bits() + 1
    } else {
        sum.to_bits() - 1
    }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_product_is_rounded_once() {
        extern crate std;
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((state >> 33) as u32 % 0x2000_0000 + 0x3000_0000)
                * if state >> 63 == 0 { 1.0 } else { -1.0 }
        };
        let mut differ = 0;
        for _ in 0..100_000 {
            let (a, b, c) = (next(), next(), next());
            assert_eq!(
                mul_add(a, b, c).to_bits(),
                std::primitive::f32::mul_add(a, b, c).to_bits()
            );
            differ += usize::from(mul_add(a, b, c) != a * b + c);
        }
        assert!(differ > 100, "{differ}");
    }
}
