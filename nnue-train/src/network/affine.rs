//! A layer: `y[o] = weight_factor * (sum over k of weight[o][k] * x[k]) + bias_factor * bias[o]`.
//!
//! The factors are what 1.0 is in the weights and in the bias of the declared network. Only the weights of the stack that counts are read,
//! and only they get a gradient.

use std::ops::Range;

use nnue_spec::op::Real;

use super::{Parameters, parameters};

/// The tensors of a layer and what it reads.
#[derive(Clone, Debug)]
pub(super) struct Affine<T> {
    /// what is read, each run with its first weight column
    pub(super) runs: Vec<(Range<usize>, usize)>,
    /// the tensor of the weights, `[stack][output][column]`
    pub(super) weight: usize,
    /// the tensor of the biases, `[stack][output]`; `None` where they are added later
    pub(super) bias: Option<usize>,
    /// columns of a row, padding included
    pub(super) columns: usize,
    pub(super) weight_factor: T,
    pub(super) bias_factor: T,
    pub(super) results: Range<usize>,
}

/// Partial sums of a dot product: as many as two vectors of AVX-512 hold, which hides the time of an addition.
const LANES: usize = 32;

impl<T: Real> Affine<T> {
    /// The first weight of an output.
    fn row(&self, stack: usize, output: usize) -> usize {
        (stack * self.results.len() + output) * self.columns
    }

    pub(super) fn forward(&self, parameters: &Parameters<T>, stack: usize, values: &mut [T]) {
        let weight = &parameters.tensors[self.weight];
        for output in 0..self.results.len() {
            let row = &weight[self.row(stack, output)..][..self.columns];
            let products = self.runs.iter().map(|(run, column)| dot(&values[run.clone()], &row[*column..]));
            let sum = products.fold(T::ZERO, |sum, product| sum + product);
            let bias = self.bias.map_or(T::ZERO, |bias| parameters.tensors[bias][stack * self.results.len() + output]);
            values[self.results.start + output] = sum * self.weight_factor + bias * self.bias_factor;
        }
    }

    pub(super) fn backward(
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
                gradient.tensors[bias][stack * self.results.len() + output] += of_sum * self.bias_factor;
            }
            let (of_products, row) = (of_sum * self.weight_factor, self.row(stack, output));
            let weight = &parameters.tensors[self.weight][row..][..self.columns];
            let of_weight = &mut gradient.tensors[self.weight][row..][..self.columns];
            for (run, column) in &self.runs {
                parameters::add_scaled(&mut gradients[run.clone()], of_products, &weight[*column..]);
                parameters::add_scaled(&mut of_weight[*column..][..run.len()], of_products, &values[run.clone()]);
            }
        }
    }
}

/// The sum of the products, in [`LANES`] partial sums, which are added from the first to the last.
fn dot<T: Real>(x: &[T], weights: &[T]) -> T {
    let weights = &weights[..x.len()];
    let mut lanes = [T::ZERO; LANES];
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (weight_blocks, weight_rest) = weights.as_chunks::<LANES>();
    for (x, weights) in x_blocks.iter().zip(weight_blocks) {
        for lane in 0..LANES {
            lanes[lane] += x[lane] * weights[lane];
        }
    }
    let blocks = lanes.into_iter().fold(T::ZERO, |sum, lane| sum + lane);
    x_rest.iter().zip(weight_rest).fold(blocks, |sum, (&x, &weight)| sum + x * weight)
}
