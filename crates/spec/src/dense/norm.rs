//! Batch normalisation at inference: a scale and a shift per channel.

/// Default term added to variances: PyTorch's.
pub const DEFAULT_EPS: f64 = 1e-5;

/// `(scale, shift)` of a channel, so that `(x - mean) / sqrt(variance + eps) * weight + bias` is
/// `x * scale + shift`: `scale = weight / sqrt(variance + eps)`, `shift = bias - mean * scale`, computed in
/// 64-bit floats and rounded once.
///
/// ```
/// use nnue_spec::dense::normalization;
/// assert_eq!(normalization([3.0, 1.0, 0.5, 4.0], 0.0), (1.5, 0.25));
/// ```
///
/// # Panics
///
/// If the variance plus `eps` is not a positive normal number; readers of files refuse such variances.
pub fn normalization([weight, bias, mean, variance]: [f32; 4], eps: f64) -> (f32, f32) {
    let scale = f64::from(weight) / square_root(f64::from(variance) + eps);
    (
        scale as f32,
        (f64::from(bias) - f64::from(mean) * scale) as f32,
    )
}

/// The correctly rounded square root of a normal positive number. `core` has none, and results must not
/// depend on a library.
///
/// `x = m * 2^e`. `m` is shifted so that the exponent is even and the integer root of `m` has more bits than
/// a float; the remainder only tells whether the root is exact.
fn square_root(x: f64) -> f64 {
    assert!(
        x.is_normal() && x > 0.0,
        "{x} has no root, or none that is a normal number"
    );
    let exponent = (x.to_bits() >> 52) as i32 - 1075;
    let zeros = 64 + (exponent & 1);
    let square = u128::from(x.to_bits() & ((1 << 52) - 1) | 1 << 52) << zeros;
    let root = square.isqrt();
    let with_rest = (root << 1) as u64 | u64::from(root * root != square);
    with_rest as f64 * power_of_two((exponent - zeros) / 2 - 1)
}

/// `2^n`, for a normal result.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_rounded_as_the_processor_does() {
        let mut state = 1_u64;
        for _ in 0..100_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let x = f64::from_bits(state >> 2 | 1 << 60);
            assert_eq!(
                square_root(x).to_bits(),
                std::primitive::f64::sqrt(x).to_bits(),
                "{x}"
            );
        }
        assert_eq!(
            [4.0, 2.25, 1.0, f64::MIN_POSITIVE].map(square_root),
            [2.0, 1.5, 1.0, 1.491_668_146_240_041_3e-154]
        );
    }
}
