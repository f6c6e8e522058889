//! Adam with positive-negative momentum (Xie et al. 2021, arXiv 2103.17182), with the squared `b1` and the
//! `sqrt(5)` of nnue-pytorch's optimiser. The first mean is corrected by `1 - b1^t`; whether that optimiser
//! corrects it the same way was not checked.
//!
//! Two means take turns: each gets every second gradient, and the other one is subtracted:
//!
//! ```text
//!   new = b1^2 * new + (1 - b1^2) * g            new and old change places after each step
//!   v = b2 * v + (1 - b2) * g^2
//!   d = (2 new - old) / sqrt(5)
//!   w = w * (1 - rate * decay) - rate * d / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + epsilon)
//! ```
//!
//! nnue-pytorch wraps it in [`Lookahead`](super::Lookahead), with 5 steps and a share of 0.5.

use std::num::NonZeroUsize;

use super::parts::for_each_part;
use super::{Betas, Optimizer, Quotient, Remembered, Update, power};
use crate::network::Parameters;

/// Adam with positive-negative momentum.
#[derive(Clone, Debug)]
pub struct PositiveNegative {
    /// decay rates of the running means
    pub betas: Betas,
    /// added to the root in the denominator
    pub epsilon: f64,
    /// weight decay, multiplied by the rate
    pub decay: f64,
    steps: u64,
    /// the mean that gets the next gradient, and the other one
    means: [Parameters<f32>; 2],
    square: Parameters<f32>,
}

impl PositiveNegative {
    /// With the constants of nnue-pytorch: 0.9, 0.999, epsilon 1e-7, no decay. `zeros` has the shape of the
    /// parameters.
    pub fn new(zeros: Parameters<f32>) -> Self {
        let means = [zeros.clone(), zeros.clone()];
        Self {
            betas: Betas::USUAL,
            epsilon: 1e-7,
            decay: 0.0,
            steps: 0,
            means,
            square: zeros,
        }
    }

    /// Counts a step and computes the constants of its update.
    fn quotient(&mut self, rate: f64) -> Quotient {
        self.steps += 1;
        let Betas {
            mean: b1,
            square: b2,
        } = self.betas;
        Quotient {
            kept_mean: (b1 * b1) as f32,
            new_mean: (1.0 - b1 * b1) as f32,
            kept_square: b2 as f32,
            new_square: (1.0 - b2) as f32,
            kept: (1.0 - rate * self.decay) as f32,
            rate: (rate / (1.0 - power(b1, self.steps)) / 5.0_f64.sqrt()) as f32,
            root: (1.0 / (1.0 - power(b2, self.steps)).sqrt()) as f32,
            epsilon: self.epsilon as f32,
            trust: 1.0,
            untrusted: 0.0,
        }
    }
}

impl Optimizer for PositiveNegative {
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        let of = self.quotient(rate);
        let [new, old] = &mut self.means;
        for_each_part(
            threads,
            [parameters, new, &mut self.square],
            [gradient, old],
            |[w, new, v], [g, old]| {
                for ((((w, &g), new), &old), v) in w.iter_mut().zip(g).zip(new).zip(old).zip(v) {
                    *new = of.kept_mean * *new + of.new_mean * g;
                    *v = of.kept_square * *v + of.new_square * g * g;
                    let direction = 2.0 * *new - old;
                    *w = *w * of.kept - of.rate * direction / (v.sqrt() * of.root + of.epsilon);
                }
            },
        );
        self.means.swap(0, 1);
    }

    fn updates(&mut self, rate: f64) -> Vec<Update> {
        vec![Update::PositiveNegative(self.quotient(rate))]
    }

    fn remembered(&mut self) -> Remembered<'_> {
        let [new, old] = &mut self.means;
        Remembered {
            steps: vec![&mut self.steps],
            numbers: vec![new, old, &mut self.square],
        }
    }
}
