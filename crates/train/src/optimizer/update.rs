//! What a step does to every number by itself, for whoever keeps the numbers elsewhere.
//!
//! An optimiser counts steps and computes what is the same for all numbers, corrections and rates; what is left is a formula of one number, of
//! its gradient `g`, and of what is remembered of it. On a processor [`Optimizer::step`](super::Optimizer::step) does both; a device does the
//! second part where its numbers are.

/// A formula that is applied to every number. Numbers that are remembered are counted as in [`Remembered::numbers`](super::Remembered::numbers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update {
    /// `m = momentum * m + g`, `w = w - rate * m`; m is the first that is remembered
    Momentum {
        /// share of the old mean that is kept
        momentum: f32,
        /// of the step
        rate: f32,
    },
    /// [`Quotient`] with the direction `m = kept_mean * m + new_mean * g`, the first that is remembered; `v` is the second
    Adam(Quotient),
    /// [`Quotient`] with the direction `2 m - old`: m and old are the first and the second that are remembered, and change places after that;
    /// `v` is the third
    PositiveNegative(Quotient),
    /// slow weights, the last that are remembered, become `share * w`
    SlowStart {
        /// 1: the weights; 0: zero
        share: f32,
    },
    /// `slow = slow + share * (w - slow)`, `w = slow`
    Lookahead {
        /// of the way to the weights
        share: f32,
    },
}

/// `v = kept_square * v + new_square * g^2`, `w = kept * w - rate * direction / (trust * (sqrt(v) * root + epsilon) + untrusted)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quotient {
    /// share of the old mean that is kept
    pub kept_mean: f32,
    /// share of the gradient in the new one
    pub new_mean: f32,
    /// share of the old mean square that is kept
    pub kept_square: f32,
    /// share of the squared gradient in the new one
    pub new_square: f32,
    /// share of the weight that decay leaves
    pub kept: f32,
    /// of the step, with the correction of the mean
    pub rate: f32,
    /// the correction of the root
    pub root: f32,
    /// keeps the quotient finite
    pub epsilon: f32,
    /// 1, or 0 where the mean square is not to be trusted yet
    pub trust: f32,
    /// 1 - trust
    pub untrusted: f32,
}
