//! From gradients to other parameters.
//!
//! ```text
//!   gradient ── clip_norm ──► Optimizer::step ──► Limits::apply ──► parameters that the file can hold
//! ```
//!
//! Below, `g` is the gradient of a parameter `w` in step `t`, counted from 1, and `rate` the learning rate, which a
//! [`Schedule`](crate::schedule::Schedule) says. Each optimiser remembers numbers for every parameter; all start at zero.

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
mod update;

pub use adam::Adam;
pub use average::{Average, Averaging};
pub use blocks::Blocks;
pub use limits::{Limits, clip_norm};
pub use lookahead::{Lookahead, SlowStart};
pub use positive_negative::PositiveNegative;
pub use radam::RAdam;
pub use sgd::Sgd;
pub use update::{Quotient, Update};

use std::num::NonZeroUsize;

use crate::network::Parameters;

/// Changes parameters step by step, so that a loss becomes smaller.
pub trait Optimizer {
    /// Takes one step. Every number of threads gives the same bits.
    ///
    /// # Panics
    ///
    /// If parameters or gradient are of another network than that of the steps before.
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    );

    /// Counts a step, and says what it does to every number, in order: for numbers that are kept elsewhere, which [`step`](Self::step) would
    /// change here.
    fn updates(&mut self, rate: f64) -> Vec<Update>;

    /// Everything that is remembered from one step to the next. An optimiser made in the same way into which it is copied goes on as this one
    /// would.
    fn remembered(&mut self) -> Remembered<'_>;
}

/// What an optimiser remembers, always in the same order.
#[derive(Debug)]
pub struct Remembered<'a> {
    /// steps that were taken; a [`Lookahead`] counts its own after those of the optimiser in it
    pub steps: Vec<&'a mut u64>,
    /// numbers for every parameter
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

/// The numbers of an optimiser that remembers the mean and the size of gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Betas {
    /// share of the old mean that is kept in a step
    pub mean: f64,
    /// share of the old mean square that is kept in a step
    pub square: f64,
}

impl Betas {
    /// 0.9 and 0.999.
    pub const USUAL: Self = Self {
        mean: 0.9,
        square: 0.999,
    };
}
