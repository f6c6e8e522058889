//! The sign: the inputs and weights of binary layers.
//!
//! ```text
//!   sign(x) = x > 0 ? 1 : -1          0, -0 and NaN have the sign -1
//! ```
//!
//! # Derivative
//!
//! Straight-through estimator (Bengio, Leonard and Courville 2013): that of the identity where
//! `-1 <= x <= 1`, 0 elsewhere, because the sign itself is flat.

use super::Real;

/// 1 where `x > 0`, otherwise -1.
pub fn sign<T: Real>(x: T) -> T {
    if x > T::ZERO { T::ONE } else { -T::ONE }
}

/// The derivative of [`sign`] in training: 1 where `-1 <= x <= 1`, otherwise 0.
pub fn sign_slope<T: Real>(x: T) -> T {
    if -T::ONE <= x && x <= T::ONE {
        T::ONE
    } else {
        T::ZERO
    }
}
