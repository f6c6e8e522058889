//! A binary layer:
//! `y[o] = scale_factor * a[o] * (sum over k of sign(w[o][k]) * x[k]) + bias_factor * bias[o]`. The `x` are
//! signs; `a[o]` is the mean magnitude of the `n` weights of the output.
//!
//! # Gradient
//!
//! With `g[k]` the gradient of the effective weight `a * sign(w[k])`, both factors contribute (Rastegari et
//! al. 2016):
//!
//! ```text
//!   of w[i]:   g[i] * a * slope(w[i])  +  sign(w[i]) / n * sum over k of g[k] * sign(w[k])
//! ```
//!
//! `slope` is the surrogate derivative of a sign ([`sign_slope`]): 1 from -1 to 1. For inputs, 1.0 is their
//! unit.

use std::ops::Range;

use nnue_spec::op::{Real, sign, sign_slope};

use super::Parameters;
use super::affine::Affine;

/// The tensors and operands of a binary layer.
#[derive(Clone, Debug)]
pub(crate) struct Binary<T> {
    /// runs of operands, each with its first weight column
    pub(crate) runs: Vec<(Range<usize>, usize)>,
    /// the tensor of the weights, `[stack][output][input]`
    pub(crate) weight: usize,
    /// the tensor of the biases, `[stack][output]`; `None` if a later step adds them
    pub(crate) bias: Option<usize>,
    pub(crate) inputs: usize,
    pub(crate) scale_factor: T,
    pub(crate) bias_factor: T,
    pub(crate) results: Range<usize>,
}

impl<T: Real> Binary<T> {
    /// A layer with the same tensors in which the weights themselves are effective.
    pub(crate) fn of_weights(&self) -> Affine<T> {
        Affine {
            runs: self.runs.clone(),
            weight: self.weight,
            bias: self.bias,
            columns: self.inputs,
            weight_factor: self.scale_factor,
            bias_factor: self.bias_factor,
            results: self.results.clone(),
        }
    }

    fn row(&self, stack: usize, output: usize) -> Range<usize> {
        let start = (stack * self.results.len() + output) * self.inputs;
        start..start + self.inputs
    }

    fn scale(&self, weights: &[T]) -> T {
        let magnitudes = weights
            .iter()
            .map(|&weight| if weight < T::ZERO { -weight } else { weight });
        magnitudes.fold(T::ZERO, |sum, magnitude| sum + magnitude) * T::of(1.0 / self.inputs as f64)
    }

    /// `sum over k of sign(w[k]) * x[k]`.
    fn dot(&self, weights: &[T], values: &[T]) -> T {
        let mut sum = T::ZERO;
        for (run, column) in &self.runs {
            let products = values[run.clone()]
                .iter()
                .zip(&weights[*column..])
                .map(|(&x, &weight)| x * sign(weight));
            sum += products.fold(T::ZERO, |sum, product| sum + product);
        }
        sum
    }

    pub(crate) fn forward(&self, parameters: &Parameters<T>, stack: usize, values: &mut [T]) {
        for output in 0..self.results.len() {
            let weights = &parameters.tensors[self.weight][self.row(stack, output)];
            let sum = self.dot(weights, values) * self.scale(weights);
            let bias = self.bias.map_or(T::ZERO, |bias| {
                parameters.tensors[bias][stack * self.results.len() + output]
            });
            values[self.results.start + output] = sum * self.scale_factor + bias * self.bias_factor;
        }
    }

    pub(crate) fn backward(
        &self,
        parameters: &Parameters<T>,
        stack: usize,
        values: &[T],
        gradients: &mut [T],
        gradient: &mut Parameters<T>,
    ) {
        for output in 0..self.results.len() {
            let of_sum = gradients[self.results.start + output];
            if of_sum == T::ZERO {
                continue;
            }
            if let Some(bias) = self.bias {
                gradient.tensors[bias][stack * self.results.len() + output] +=
                    of_sum * self.bias_factor;
            }
            let weights = &parameters.tensors[self.weight][self.row(stack, output)];
            let of_weights = &mut gradient.tensors[self.weight][self.row(stack, output)];
            let (scale, of_products) = (self.scale(weights), of_sum * self.scale_factor);
            let of_scale =
                of_products * self.dot(weights, values) * T::of(1.0 / self.inputs as f64);
            for (run, column) in &self.runs {
                for (index, k) in run.clone().zip(*column..) {
                    let (x, weight) = (values[index], weights[k]);
                    gradients[index] += of_products * scale * sign(weight);
                    of_weights[k] +=
                        of_products * x * scale * sign_slope(weight) + of_scale * sign(weight);
                }
            }
        }
    }
}

/// Writes the signs of values.
pub(crate) fn signs<T: Real>(operands: &[T], results: &mut [T]) {
    results
        .iter_mut()
        .zip(operands)
        .for_each(|(result, &x)| *result = sign(x));
}

/// Adds the straight-through gradient of signs to that of their operands: it passes where
/// `abs(x * unit) <= 1.0`.
pub(crate) fn pass_through<T: Real>(
    unit: T,
    values: &[T],
    of_results: &[T],
    of_operands: &mut [T],
) {
    for ((&x, &of_result), of_operand) in values.iter().zip(of_results).zip(of_operands) {
        *of_operand += of_result * unit * sign_slope(x * unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Tensor;

    /// Two outputs of five inputs, which are split into runs of three and two.
    fn layer() -> (Binary<f64>, Parameters<f64>, Vec<f64>) {
        let runs = vec![(0..3, 0), (4..6, 3)];
        let layer = Binary {
            runs,
            weight: 0,
            bias: Some(1),
            inputs: 5,
            scale_factor: 8.0,
            bias_factor: 4.0,
            results: 6..8,
        };
        let weights = vec![0.5, -0.25, 1.5, -2.0, 0.75, 0.1, 0.2, -0.3, 0.4, -0.5];
        let values = vec![1.0, -1.0, 1.0, 7.0, -1.0, 1.0, 0.0, 0.0];
        (
            layer,
            Parameters {
                tensors: vec![weights.into(), vec![0.25, -0.5].into()],
            },
            values,
        )
    }

    #[test]
    fn sums_are_of_signs_times_the_mean_magnitude() {
        let (layer, parameters, mut values) = layer();
        layer.forward(&parameters, 0, &mut values);
        // All five signs agree for the first output; for the second, one of five does.
        assert_eq!(values[6], 8.0 * 1.0 * 5.0 + 4.0 * 0.25);
        assert!((values[7] - (8.0 * 0.3 * -3.0 - 4.0 * 0.5)).abs() < 1e-12);
    }

    /// The scale is differentiable: its part of the gradient equals finite differences.
    #[test]
    fn the_gradient_is_that_of_the_scale_and_what_passes_through_the_sign() {
        let (layer, parameters, mut values) = layer();
        layer.forward(&parameters, 0, &mut values);
        let of_outputs = [0.5, -2.0];
        let mut gradients = vec![0.0; values.len()];
        gradients[6..].copy_from_slice(&of_outputs);
        let mut gradient = Parameters {
            tensors: vec![Tensor::zeros(10), Tensor::zeros(2)],
        };
        layer.backward(&parameters, 0, &values, &mut gradients, &mut gradient);
        let inputs = [0, 1, 2, 4, 5];
        for (at, &weight) in parameters.tensors[0].iter().enumerate() {
            let (output, scale) = (at / 5, [1.0, 0.3][at / 5]);
            let sums = |step: f64| {
                let mut moved = (parameters.clone(), values.clone());
                moved.0.tensors[0][at] += step;
                layer.forward(&moved.0, 0, &mut moved.1);
                moved.1[6 + output]
            };
            let of_scale = (sums(1e-4) - sums(-1e-4)) / 2e-4 * of_outputs[output];
            let through = if weight.abs() <= 1.0 {
                8.0 * scale * values[inputs[at % 5]] * of_outputs[output]
            } else {
                0.0
            };
            assert!(
                (gradient.tensors[0][at] - of_scale - through).abs() < 1e-8,
                "weight {at}"
            );
        }
        assert_eq!(*gradient.tensors[1], [2.0, -8.0]);
        assert!(
            (gradients[0] - (0.5 * 8.0 - 2.0 * 8.0 * 0.3)).abs() < 1e-12 && gradients[3] == 0.0
        );
    }

    #[test]
    fn a_gradient_passes_where_values_are_at_most_one() {
        let (values, mut of_values) = ([-129.0, -128.0, 0.0, 5.0, 128.0, 128.5], [1.0; 6]);
        pass_through(1.0 / 128.0, &values, &[128.0; 6], &mut of_values);
        assert_eq!(of_values, [1.0, 2.0, 2.0, 2.0, 2.0, 1.0]);
        let mut results = [0.0; 5];
        signs(
            &[0.0, -0.0, f64::NAN, f64::MIN_POSITIVE, -3.0],
            &mut results,
        );
        assert_eq!(results, [-1.0, -1.0, -1.0, 1.0, -1.0]);
    }
}
