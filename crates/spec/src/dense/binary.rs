//! Scales of binary convolutions and layers.
//!
//! ```text
//!   y[o] = d[o] * s[o] + bias[o]         d[o] = sum over the window of sign(w[o][..]) * sign(x[..]), a whole number
//!   s[o] = scale[o]                      the mean magnitude of the weights
//!        = scale[o] * mean(|x|)          with `input_scale`
//!
//!   sign(x) = x > 0 ? 1 : -1             0, -0 and NaN have the sign -1, and so has padding, which is zeros
//! ```
//!
//! Source: Rastegari, Ordonez, Redmon, Farhadi, "XNOR-Net: ImageNet Classification Using Binary Convolutional
//! Neural Networks" (2016), but with one magnitude of `x` for the whole value instead of one per window.

use alloc::vec;
use alloc::vec::Vec;

/// The scales of a convolution or layer whose weights and inputs are signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Binary {
    /// one scale, the mean magnitude of all weights; otherwise one per output, of its own weights
    pub one_scale: bool,
    /// sums are also multiplied by the mean magnitude of the input
    pub input_scale: bool,
}

impl Binary {
    /// The scale of each of `outputs` outputs, from their weights, one output after the other.
    ///
    /// ```
    /// use nnue_spec::dense::Binary;
    /// let weights = [0.5, -1.5, 0.0, 0.25];
    /// assert_eq!(Binary::default().scales(&weights, 2), [1.0, 0.125]);
    /// assert_eq!(Binary { one_scale: true, input_scale: false }.scales(&weights, 2), [0.5625, 0.5625]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are no weights, or their number is not a multiple of `outputs`.
    pub fn scales(self, weights: &[f32], outputs: usize) -> Vec<f32> {
        assert!(
            !weights.is_empty() && weights.len().is_multiple_of(outputs),
            "as many weights for each output"
        );
        match self.one_scale {
            true => vec![mean_magnitude(weights); outputs],
            false => weights
                .chunks_exact(weights.len() / outputs)
                .map(mean_magnitude)
                .collect(),
        }
    }
}

/// The mean of `|w|`: summed in order in 64-bit floats, divided, and rounded once.
fn mean_magnitude(weights: &[f32]) -> f32 {
    let sum = weights
        .iter()
        .fold(0.0, |sum, weight| sum + f64::from(weight.abs()));
    (sum / weights.len() as f64) as f32
}
