//! Adam (Kingma and Ba 2014, arXiv 1412.6980) with decoupled weight decay (AdamW: Loshchilov and Hutter 2017,
//! arXiv 1711.05101).
//!
//! ```text
//!   w = w * (1 - rate * decay)
//!   m = b1 * m + (1 - b1) * g            v = b2 * v + (1 - b2) * g^2
//!   w = w - rate * m' / (sqrt(v') + epsilon)
//!
//!   corrected:  m' = m / (1 - b1^t)      v' = v / (1 - b2^t)
//!   otherwise:  m' = m                   v' = v
//! ```

use std::num::NonZeroUsize;

use super::parts::for_each_part;
use super::{Betas, Optimizer, Quotient, Remembered, Update, power};
use crate::network::Parameters;

/// Adam; AdamW with weight decay.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use nnue_train::network::Parameters;
/// use nnue_train::optimizer::{Adam, Optimizer};
///
/// let mut parameters = Parameters { tensors: vec![vec![1.0, 1.0].into()] };
/// let mut adam = Adam::new(Parameters { tensors: vec![vec![0.0, 0.0].into()] });
/// adam.step(0.1, &mut parameters, &Parameters { tensors: vec![vec![5.0, 0.0].into()] }, NonZeroUsize::MIN);
/// assert!((parameters.tensors[0][0] - 0.9).abs() < 1e-6); // a first step has the size of the rate
/// ```
#[derive(Clone, Debug)]
pub struct Adam {
    /// decay rates of the running means
    pub betas: Betas,
    /// added to the root in the denominator
    pub epsilon: f64,
    /// weight decay, multiplied by the rate
    pub decay: f64,
    /// whether to correct the bias of means that started at zero
    pub corrected: bool,
    steps: u64,
    mean: Parameters<f32>,
    square: Parameters<f32>,
}

impl Adam {
    /// Adam with the usual constants: 0.9, 0.999, epsilon 1e-8, bias-corrected, no decay. `zeros` has the
    /// shape of the parameters.
    pub fn new(zeros: Parameters<f32>) -> Self {
        Self {
            betas: Betas::USUAL,
            epsilon: 1e-8,
            decay: 0.0,
            corrected: true,
            steps: 0,
            mean: zeros.clone(),
            square: zeros,
        }
    }

    /// AdamW as in the trainer bullet: decay 0.01, no bias correction.
    pub fn bullet(zeros: Parameters<f32>) -> Self {
        Self {
            decay: 0.01,
            corrected: false,
            ..Self::new(zeros)
        }
    }

    /// Counts a step and computes the constants of its update.
    fn quotient(&mut self, rate: f64) -> Quotient {
        self.steps += 1;
        let Betas {
            mean: b1,
            square: b2,
        } = self.betas;
        let correction = |beta: f64| {
            if self.corrected {
                1.0 - power(beta, self.steps)
            } else {
                1.0
            }
        };
        Quotient {
            kept_mean: b1 as f32,
            new_mean: (1.0 - b1) as f32,
            kept_square: b2 as f32,
            new_square: (1.0 - b2) as f32,
            kept: (1.0 - rate * self.decay) as f32,
            rate: (rate / correction(b1)) as f32,
            root: (1.0 / correction(b2).sqrt()) as f32,
            epsilon: self.epsilon as f32,
            trust: 1.0,
            untrusted: 0.0,
        }
    }
}

impl Optimizer for Adam {
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        let of = self.quotient(rate);
        for_each_part(
            threads,
            [parameters, &mut self.mean, &mut self.square],
            [gradient],
            |[w, m, v], [g]| {
                for (((w, &g), m), v) in w.iter_mut().zip(g).zip(m).zip(v) {
                    *m = of.kept_mean * *m + of.new_mean * g;
                    *v = of.kept_square * *v + of.new_square * g * g;
                    *w = *w * of.kept - of.rate * *m / (v.sqrt() * of.root + of.epsilon);
                }
            },
        );
    }

    fn updates(&mut self, rate: f64) -> Vec<Update> {
        vec![Update::Adam(self.quotient(rate))]
    }

    fn remembered(&mut self) -> Remembered<'_> {
        Remembered {
            steps: vec![&mut self.steps],
            numbers: vec![&mut self.mean, &mut self.square],
        }
    }
}
