//! Means and variances of batch norms: running averages, not trained by gradients.
//!
//! ```text
//!   mean     = (1 - share) * mean     + share * (mean of the batch)
//!   variance = (1 - share) * variance + share * (variance of the batch, without bias: squares divided by n - 1)
//! ```
//!
//! This is PyTorch's rule; its `momentum` is the share, 0.1 by default. Unlike PyTorch, training already
//! evaluates with these means and variances, as inference does.

use nnue_spec::op::Real;

use super::step::Norms;
use super::{Network, Workspace};
use crate::network::Parameters;

/// Sum and sum of squares of each channel that batch norms have read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    inputs: u64,
    sums: Vec<[f64; 2]>,
}

impl Moments {
    /// Adds the moments of other inputs.
    ///
    /// # Panics
    ///
    /// If they belong to another network.
    pub fn add(&mut self, other: &Self) {
        assert_eq!(self.sums.len(), other.sums.len(), "channels of batch norms");
        self.inputs += other.inputs;
        for (sums, others) in self.sums.iter_mut().zip(&other.sums) {
            *sums = [sums[0] + others[0], sums[1] + others[1]];
        }
    }
}

impl<T: Real> Network<T> {
    /// Moments of no inputs.
    pub fn moments(&self) -> Moments {
        Moments {
            inputs: 0,
            sums: vec![[0.0; 2]; self.norms().map(|norms| norms.channels()).sum()],
        }
    }

    /// Adds an input to `moments`; `workspace` must come from [`forward`](Self::forward).
    ///
    /// # Panics
    ///
    /// If workspace or moments belong to another network.
    pub fn observe(&self, workspace: &Workspace<T>, moments: &mut Moments) {
        moments.inputs += 1;
        let channels = self
            .norms()
            .flat_map(|norms| workspace.values[norms.operand].chunks_exact(norms.pixels));
        let channels: Vec<&[T]> = channels.collect();
        assert_eq!(
            channels.len(),
            moments.sums.len(),
            "channels of batch norms"
        );
        for (sums, values) in moments.sums.iter_mut().zip(channels) {
            for value in values.iter().map(|value| value.get()) {
                *sums = [sums[0] + value, sums[1] + value * value];
            }
        }
    }

    /// Moves means and variances towards those of a batch by `share`. Channels with fewer than two values
    /// stay unchanged.
    ///
    /// # Panics
    ///
    /// If moments or parameters belong to another network.
    pub fn follow(&self, moments: &Moments, share: f64, parameters: &mut Parameters<T>) {
        let mut sums = moments.sums.iter();
        for norms in self.norms() {
            let count = (moments.inputs * norms.pixels as u64) as f64;
            for (channel, &[sum, squares]) in (0..norms.channels()).zip(sums.by_ref()) {
                if count < 2.0 {
                    continue;
                }
                let mean = sum / count;
                let variance = (squares - sum * mean).max(0.0) / (count - 1.0);
                for (tensor, batch) in [(norms.weight + 2, mean), (norms.weight + 3, variance)] {
                    let kept = &mut parameters.tensors[tensor][channel];
                    *kept = T::of((1.0 - share) * kept.get() + share * batch);
                }
            }
        }
    }

    fn norms(&self) -> impl Iterator<Item = Norms> {
        self.steps.iter().filter_map(|step| step.norms())
    }
}

#[cfg(test)]
mod tests {
    use crate::dense::Network;

    #[test]
    fn norms_follow_the_batches() {
        let graphs = nnue_codegen::dense_text(
            "pub struct N = input[2, 1, 2] -> batch_norm -> flatten -> batch_norm -> 1;",
        );
        let network = Network::<f64>::new(&graphs.expect("it is right")[0].desc());
        let mut parameters = network.zeros();
        parameters.tensors[0] = vec![1.0, 2.0].into();
        parameters.tensors[2] = vec![4.0, 0.0].into();
        parameters.tensors[3] = vec![1.0, 1.0].into();
        let (mut workspace, mut moments) = (network.workspace(), network.moments());
        for input in [[1.0, 3.0, 0.0, 0.0], [5.0, 3.0, 8.0, 0.0]] {
            let mut one = network.moments();
            network.forward(&parameters, &input, &mut workspace);
            network.observe(&workspace, &mut one);
            moments.add(&one);
        }
        network.follow(&moments, 0.5, &mut parameters);
        // Channel 0 has the mean 3 and the variance 8 / 3, channel 1 the mean 2 and the variance 16.
        assert_eq!(*parameters.tensors[2], [3.5, 1.0]);
        assert_eq!(*parameters.tensors[3], [0.5 + 4.0 / 3.0, 8.5]);
        // The second norm reads (x - 4) / sqrt(1 + 1e-5), one value per input.
        assert!((parameters.tensors[6][0] + 0.5).abs() < 1e-4);
        assert!((parameters.tensors[7][0] - 0.5 * 8.0).abs() < 1e-3);
    }
}
