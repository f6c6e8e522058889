//! Lookahead (Zhang et al. 2019, arXiv 1907.08610): slow weights follow those that an optimiser changes.
//!
//! ```text
//!   every n steps:   slow = slow + share * (w - slow)
//!                    w = slow
//! ```

use super::Optimizer;
use crate::network::Parameters;

/// Slow weights around another optimiser.
#[derive(Clone, Debug)]
pub struct Lookahead<O> {
    inner: O,
    every: u64,
    share: f32,
    steps: u64,
    start: SlowStart,
    slow: Option<Parameters<f32>>,
}

/// Where slow weights begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStart {
    /// where the weights are before the first step
    Weights,
    /// at zero, as the trainer bullet has it
    Zero,
}

impl<O> Lookahead<O> {
    /// Slow weights that go `share` of the way to the weights of `inner`, every so many steps. Usual are 6 and a half.
    ///
    /// # Panics
    ///
    /// If `every` is 0.
    pub const fn new(inner: O, every: u64, share: f64, start: SlowStart) -> Self {
        assert!(every > 0, "slow weights follow every so many steps");
        Self { inner, every, share: share as f32, steps: 0, start, slow: None }
    }

    /// The slow weights, which are those to evaluate and to save; `None` before the first step.
    pub const fn slow(&self) -> Option<&Parameters<f32>> {
        self.slow.as_ref()
    }
}

impl<O: Optimizer> Optimizer for Lookahead<O> {
    fn step(&mut self, rate: f64, parameters: &mut Parameters<f32>, gradient: &Parameters<f32>) {
        let slow = self.slow.get_or_insert_with(|| {
            let mut slow = parameters.clone();
            if self.start == SlowStart::Zero {
                slow.clear();
            }
            slow
        });
        self.inner.step(rate, parameters, gradient);
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            for (w, slow) in parameters.tensors.iter_mut().zip(&mut slow.tensors) {
                for (w, slow) in w.iter_mut().zip(slow) {
                    *slow += self.share * (*w - *slow);
                    *w = *slow;
                }
            }
        }
    }
}
