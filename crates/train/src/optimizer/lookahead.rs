//! Lookahead (Zhang et al. 2019, arXiv 1907.08610): slow weights that follow those of another optimiser.
//!
//! ```text
//!   every n steps:   slow = slow + share * (w - slow)
//!                    w = slow
//! ```

use std::num::NonZeroUsize;

use super::parts::for_each_part;
use super::{Optimizer, Remembered, Update};
use crate::network::Parameters;

/// Lookahead around another optimiser.
#[derive(Clone, Debug)]
pub struct Lookahead<O> {
    inner: O,
    every: u64,
    share: f32,
    steps: u64,
    start: SlowStart,
    /// empty before the first step
    slow: Parameters<f32>,
}

/// Initial slow weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStart {
    /// a copy of the weights
    Weights,
    /// zero, as in the trainer bullet
    Zero,
}

impl<O> Lookahead<O> {
    /// Slow weights that move by `share` towards the weights of `inner` every `every` steps; usually 6 steps
    /// and a share of 0.5.
    ///
    /// # Panics
    ///
    /// If `every` is 0.
    pub const fn new(inner: O, every: u64, share: f64, start: SlowStart) -> Self {
        assert!(every > 0, "slow weights follow every so many steps");
        Self {
            inner,
            every,
            share: share as f32,
            steps: 0,
            start,
            slow: Parameters {
                tensors: Vec::new(),
            },
        }
    }

    /// The slow weights, which are the ones to evaluate and save; `None` before the first step.
    pub const fn slow(&self) -> Option<&Parameters<f32>> {
        if self.steps == 0 {
            None
        } else {
            Some(&self.slow)
        }
    }
}

impl<O: Optimizer> Optimizer for Lookahead<O> {
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        if self.steps == 0 {
            self.slow.clone_from(parameters);
            if self.start == SlowStart::Zero {
                self.slow.clear();
            }
        }
        self.inner.step(rate, parameters, gradient, threads);
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            let share = self.share;
            for_each_part(
                threads,
                [parameters, &mut self.slow],
                [],
                |[w, slow], []| {
                    for (w, slow) in w.iter_mut().zip(slow) {
                        *slow += share * (*w - *slow);
                        *w = *slow;
                    }
                },
            );
        }
    }

    fn updates(&mut self, rate: f64) -> Vec<Update> {
        let share = if self.start == SlowStart::Weights {
            1.0
        } else {
            0.0
        };
        let start = (self.steps == 0).then_some(Update::SlowStart { share });
        let inner = self.inner.updates(rate);
        self.steps += 1;
        let follow = self
            .steps
            .is_multiple_of(self.every)
            .then_some(Update::Lookahead { share: self.share });
        start.into_iter().chain(inner).chain(follow).collect()
    }

    fn remembered(&mut self) -> Remembered<'_> {
        let mut remembered = self.inner.remembered();
        if self.slow.tensors.is_empty() {
            self.slow.clone_from(remembered.numbers[0]);
        }
        remembered.steps.push(&mut self.steps);
        remembered.numbers.push(&mut self.slow);
        remembered
    }
}
