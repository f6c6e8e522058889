//! Gradient descent with momentum (Polyak 1964, "Some methods of speeding up the convergence of iteration
//! methods").
//!
//! ```text
//!   m = momentum * m + g
//!   w = w - rate * m
//! ```

use std::num::NonZeroUsize;

use super::parts::for_each_part;
use super::{Optimizer, Remembered, Update};
use crate::network::Parameters;

/// Gradient descent with momentum.
#[derive(Clone, Debug)]
pub struct Sgd {
    momentum: f64,
    mean: Parameters<f32>,
}

impl Sgd {
    /// `zeros` has the shape of the parameters. A momentum of 0 is plain gradient descent; 0.9 is usual.
    pub const fn new(momentum: f64, zeros: Parameters<f32>) -> Self {
        Self {
            momentum,
            mean: zeros,
        }
    }
}

impl Optimizer for Sgd {
    fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        let (momentum, rate) = (self.momentum as f32, rate as f32);
        for_each_part(
            threads,
            [parameters, &mut self.mean],
            [gradient],
            |[w, m], [g]| {
                for ((w, &g), m) in w.iter_mut().zip(g).zip(m) {
                    *m = momentum * *m + g;
                    *w -= rate * *m;
                }
            },
        );
    }

    fn updates(&mut self, rate: f64) -> Vec<Update> {
        vec![Update::Momentum {
            momentum: self.momentum as f32,
            rate: rate as f32,
        }]
    }

    fn remembered(&mut self) -> Remembered<'_> {
        Remembered {
            steps: Vec::new(),
            numbers: vec![&mut self.mean],
        }
    }
}
