//! Rectified Adam (Liu et al. 2019, arXiv 1908.03265): momentum steps until the mean square is reliable.
//!
//! ```text
//!   m, v and the decay as in Adam;  m' = m / (1 - b1^t)
//!   n = 2 / (1 - b2) - 1                  n_t = n - 2 t b2^t / (1 - b2^t)
//!   r = sqrt((n_t - 4) (n_t - 2) n / ((n - 4) (n - 2) n_t))
//!
//!   n_t > 5:    w = w - rate * r * m' * sqrt(1 - b2^t) / (sqrt(v) + epsilon)
//!   otherwise:  w = w - rate * m'
//! ```
//!
//! PyTorch uses the threshold 5; the paper has 4, above which r is defined.

use std::num::NonZeroUsize;

use super::parts::for_each_part;
use super::{Betas, Optimizer, Quotient, Remembered, Update, power};
use crate::network::Parameters;

/// Rectified Adam.
#[derive(Clone, Debug)]
pub struct RAdam {
    /// decay rates of the running means
    pub betas: Betas,
    /// added to the root in the denominator
    pub epsilon: f64,
    /// weight decay, multiplied by the rate
    pub decay: f64,
    steps: u64,
    mean: Parameters<f32>,
    square: Parameters<f32>,
}

/// The mean square is reliable for greater `n_t`.
const TRUSTED: f64 = 5.0;

impl RAdam {
    /// RAdam with the usual constants: 0.9, 0.999, epsilon 1e-8, no decay. `zeros` has the shape of the
    /// parameters.
    pub fn new(zeros: Parameters<f32>) -> Self {
        Self {
            betas: Betas::USUAL,
            epsilon: 1e-8,
            decay: 0.0,
            steps: 0,
            mean: zeros.clone(),
            square: zeros,
        }
    }

    /// `r * sqrt(1 - b2^t)`, or `None` while the mean square is not reliable.
    fn rectification(&self) -> Option<f64> {
        let (t, b2) = (self.steps as f64, self.betas.square);
        let (power, n) = (power(b2, self.steps), 2.0 / (1.0 - b2) - 1.0);
        let n_t = n - 2.0 * t * power / (1.0 - power);
        let r = ((n_t - 4.0) * (n_t - 2.0) * n / ((n - 4.0) * (n - 2.0) * n_t)).sqrt();
        (n_t > TRUSTED).then(|| r * (1.0 - power).sqrt())
    }

    /// Counts a step and computes the constants of its update.
    fn quotient(&mut self, rate: f64) -> Quotient {
        self.steps += 1;
        let Betas {
            mean: b1,
            square: b2,
        } = self.betas;
        // Not reliable: the denominator is 1.
        let (factor, trust) = self
            .rectification()
            .map_or((1.0, 0.0), |factor| (factor, 1.0));
        Quotient {
            kept_mean: b1 as f32,
            new_mean: (1.0 - b1) as f32,
            kept_square: b2 as f32,
            new_square: (1.0 - b2) as f32,
            kept: (1.0 - rate * self.decay) as f32,
            rate: (rate / (1.0 - power(b1, self.steps)) * factor) as f32,
            root: 1.0,
            epsilon: self.epsilon as f32,
            trust: trust as f32,
            untrusted: (1.0 - trust) as f32,
        }
    }
}

impl Optimizer for RAdam {
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
                    *w = *w * of.kept
                        - of.rate * *m / (of.trust * (v.sqrt() + of.epsilon) + of.untrusted);
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
