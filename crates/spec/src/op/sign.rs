//! The sign, which binary layers take of what they read and which their weights are.
//!
//! ```text
//!   sign(x) = x > 0 ? 1 : -1          0, -0 and NaN have the sign -1
//! ```
//!
//! # Derivative
//!
//! The sign is flat, so training passes the gradient straight through it (Bengio, Leonard and Courville 2013), as if it were the
//! identity where `-1 <= x <= 1` and constant elsewhere.

use super::Real;

/// 1 where `x > 0`, otherwise -1.
pub fn sign<T: Real>(x: T) -> T {
    if x > T::ZERO { T::ONE } else { -T::ONE }
}

/// What training takes as the derivative of [`sign`]: 1 where `-1 <= x <= 1`, otherwise 0.
pub fn sign_slope<T: Real>(x: T) -> T {
    if -T::ONE <= x && x <= T::ONE {
        T::ONE
    } else {
        T::ZERO
    }
}
