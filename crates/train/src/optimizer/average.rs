//! Averages of the weights over the steps of a training: less noisy than the last weights, and often better.
//!
//! ```text
//!   exponential   mean = decay * mean + (1 - decay) * w          mean = w in the first step
//!   uniform       mean = mean + (w - mean) / n                   n weights since the first step that counts
//! ```
//!
//! Uniform averages of the last part of a training are those of Izmailov et al. 2018 (arXiv 1803.05407).

use std::num::NonZeroUsize;

use super::Remembered;
use super::parts::for_each_part;
use crate::network::Parameters;

/// The kind of average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Averaging {
    /// an exponential moving average
    Exponential {
        /// share of the mean that each step keeps, 0 to 1
        decay: f64,
    },
    /// the plain mean from a step on
    Uniform {
        /// the first step that counts; steps are counted from 0
        from: u64,
    },
}

/// The mean of the weights so far. It does not influence the training.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use nnue_train::network::Parameters;
/// use nnue_train::optimizer::{Average, Averaging};
///
/// let at = |weight: f32| Parameters { tensors: vec![vec![weight].into()] };
/// let mut average = Average::new(Averaging::Uniform { from: 1 }, at(0.0));
/// average.follow(&at(100.0), NonZeroUsize::MIN);
/// assert!(average.mean().is_none()); // step 0 does not count
/// average.follow(&at(1.0), NonZeroUsize::MIN);
/// average.follow(&at(2.0), NonZeroUsize::MIN);
/// assert_eq!(average.mean(), Some(&at(1.5)));
/// ```
#[derive(Clone, Debug)]
pub struct Average {
    averaging: Averaging,
    steps: u64,
    mean: Parameters<f32>,
}

impl Average {
    /// A mean of no weights yet, with the shape of `zeros`.
    pub const fn new(averaging: Averaging, zeros: Parameters<f32>) -> Self {
        Self {
            averaging,
            steps: 0,
            mean: zeros,
        }
    }

    /// Adds the weights after a step.
    ///
    /// # Panics
    ///
    /// If they belong to another network.
    pub fn follow(&mut self, weights: &Parameters<f32>, threads: NonZeroUsize) {
        let Some(share) = self.share() else { return };
        assert_eq!(self.mean.tensors.len(), weights.tensors.len(), "tensors");
        for_each_part(threads, [&mut self.mean], [weights], |[mean], [weights]| {
            mean.iter_mut()
                .zip(weights)
                .for_each(|(mean, &w)| *mean += share * (w - *mean));
        });
    }

    /// Counts a step and returns by which share the mean moves towards the weights, for a mean that is stored
    /// elsewhere. `None` if the step does not count.
    pub fn share(&mut self) -> Option<f32> {
        let first = self.first();
        self.steps += 1;
        let counted = self
            .steps
            .checked_sub(first)
            .filter(|&counted| counted > 0)?;
        Some(match self.averaging {
            _ if counted == 1 => 1.0,
            Averaging::Exponential { decay } => 1.0 - decay,
            Averaging::Uniform { .. } => 1.0 / counted as f64,
        } as f32)
    }

    /// The mean; `None` before the first step that counts.
    pub const fn mean(&self) -> Option<&Parameters<f32>> {
        if self.steps > self.first() {
            Some(&self.mean)
        } else {
            None
        }
    }

    const fn first(&self) -> u64 {
        match self.averaging {
            Averaging::Exponential { .. } => 0,
            Averaging::Uniform { from } => from,
        }
    }

    /// The state, as in [`Optimizer::remembered`](super::Optimizer::remembered).
    pub fn remembered(&mut self) -> Remembered<'_> {
        Remembered {
            steps: vec![&mut self.steps],
            numbers: vec![&mut self.mean],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(weights: [f32; 2]) -> Parameters<f32> {
        Parameters {
            tensors: vec![weights.to_vec().into()],
        }
    }

    #[test]
    fn exponential_means_begin_at_the_first_weights() {
        let mut average = Average::new(Averaging::Exponential { decay: 0.75 }, at([0.0; 2]));
        assert!(average.mean().is_none());
        for (weights, mean) in [
            ([4.0, -8.0], [4.0, -8.0]),
            ([8.0, 0.0], [5.0, -6.0]),
            ([5.0, 2.0], [5.0, -4.0]),
        ] {
            average.follow(&at(weights), NonZeroUsize::MIN);
            assert_eq!(average.mean(), Some(&at(mean)));
        }
    }

    #[test]
    fn an_average_that_is_put_back_goes_on() {
        let rule = Averaging::Uniform { from: 2 };
        let mut average = Average::new(rule, at([0.0; 2]));
        (0..4).for_each(|step| average.follow(&at([step as f32, 1.0]), NonZeroUsize::MIN));
        let mut other = Average::new(rule, at([0.0; 2]));
        let (held, mut to) = (average.remembered(), other.remembered());
        *to.steps[0] = *held.steps[0];
        to.numbers[0].clone_from(held.numbers[0]);
        other.follow(&at([7.0, 4.0]), NonZeroUsize::MIN);
        assert_eq!(other.mean(), Some(&at([4.0, 2.0])));
    }
}
