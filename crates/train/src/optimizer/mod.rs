//! Optimisers: updates of parameters from gradients.
//!
//! ```text
//!   gradient ── clip_norm ──► Optimizer::step ──► Limits::apply ──► parameters that the file can hold
//! ```
//!
//! `g` is the gradient of a parameter `w` in step `t`, counted from 1; `rate` is the learning rate, often
//! from a [`Schedule`](crate::schedule::Schedule). All optimiser state starts at zero.

mod adam;
mod average;
mod blocks;
mod limits;
mod lookahead;
mod parts;
mod positive_negative;
mod radam;
mod sgd;
#[cfg(test)]
mod tests;
mod unused;
mod update;

pub use adam::Adam;
pub use average::{Average, Averaging};
pub use blocks::Blocks;
pub use limits::{Limits, clip_norm};
pub use lookahead::{Lookahead, SlowStart};
pub use positive_negative::PositiveNegative;
pub use radam::RAdam;
pub use sgd::Sgd;
pub use unused::Unused;
pub use update::{Quotient, Update};

use std::num::NonZeroUsize;

use crate::network::Parameters;

/// An optimiser.
pub trait Optimizer {
    /// Takes one step. The number of threads does not change the result.
    ///
    /// # Panics
    ///
    /// If parameters or gradient belong to another network than in earlier steps.
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    );

    /// Counts a step and returns its updates, in order, instead of applying them as [`step`](Self::step)
    /// does: for parameters that are stored elsewhere.
    fn updates(&mut self, rate: f64) -> Vec<Update>;

    /// The optimiser state. Copied into another optimiser with the same settings, it continues this one
    /// exactly.
    fn remembered(&mut self) -> Remembered<'_>;
}

/// The state of an optimiser, always in the same order.
#[derive(Debug)]
pub struct Remembered<'a> {
    /// step counters; that of a [`Lookahead`] comes after those of its inner optimiser
    pub steps: Vec<&'a mut u64>,
    /// tensors with one number for every parameter
    pub numbers: Vec<&'a mut Parameters<f32>>,
}

impl Optimizer for Box<dyn Optimizer> {
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        (**self).step(rate, parameters, gradient, threads);
    }

    fn updates(&mut self, rate: f64) -> Vec<Update> {
        (**self).updates(rate)
    }

    fn remembered(&mut self) -> Remembered<'_> {
        (**self).remembered()
    }
}

/// `beta^steps`.
fn power(beta: f64, steps: u64) -> f64 {
    beta.powi(i32::try_from(steps).unwrap_or(i32::MAX))
}

/// Decay rates of the running means of an optimiser such as Adam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Betas {
    /// decay rate of the mean (beta 1)
    pub mean: f64,
    /// decay rate of the mean square (beta 2)
    pub square: f64,
}

impl Betas {
    /// 0.9 and 0.999.
    pub const USUAL: Self = Self {
        mean: 0.9,
        square: 0.999,
    };
}
