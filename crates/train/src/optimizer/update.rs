//! The update of a single parameter, for parameters that are stored elsewhere.
//!
//! An optimiser counts steps and computes constants such as corrections and rates. The rest is a formula of
//! one parameter `w`, its gradient `g` and its state. On the CPU [`Optimizer::step`](super::Optimizer::step)
//! does both; a device does the second part in its own memory.

/// An update of every parameter. States are counted as in
/// [`Remembered::numbers`](super::Remembered::numbers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update {
    /// `m = momentum * m + g`, `w = w - rate * m`; m is the first state
    Momentum {
        /// decay rate of the momentum
        momentum: f32,
        /// the step size
        rate: f32,
    },
    /// [`Quotient`] with the direction `m = kept_mean * m + new_mean * g`; m and v are the first and the
    /// second state
    Adam(Quotient),
    /// [`Quotient`] with the direction `2 m - old`; m, old and v are the first three states, and m and old
    /// are swapped after the update
    PositiveNegative(Quotient),
    /// the slow weights, the last state, become `share * w`
    SlowStart {
        /// 1: a copy of the weights; 0: zero
        share: f32,
    },
    /// `slow = slow + share * (w - slow)`, `w = slow`
    Lookahead {
        /// how far the slow weights move
        share: f32,
    },
}

/// `v = kept_square * v + new_square * g^2`, `w = kept * w - rate * direction / (trust * (sqrt(v) * root + epsilon) + untrusted)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quotient {
    /// decay rate of the mean
    pub kept_mean: f32,
    /// weight of the gradient in the mean
    pub new_mean: f32,
    /// decay rate of the mean square
    pub kept_square: f32,
    /// weight of the squared gradient in the mean square
    pub new_square: f32,
    /// factor of weight decay
    pub kept: f32,
    /// the step size, including the bias correction of the mean
    pub rate: f32,
    /// bias correction of the root
    pub root: f32,
    /// added to the root in the denominator
    pub epsilon: f32,
    /// 1, or 0 while the mean square is not reliable yet
    pub trust: f32,
    /// `1 - trust`
    pub untrusted: f32,
}
