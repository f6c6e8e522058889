//! A layer: `y[o] = weight_factor * (sum over k of weight[o][k] * x[k]) + bias_factor * bias[o]`.
//!
//! The factors are the scales of weights and biases in the declared network. Only the weights of the
//! position's stack are read and get a gradient.
//!
//! Several positions of the same stack go through the layer together, so that its weights are loaded once for
//! all of them:
//!
//! ```text
//!   forward                y[p][o]   = weight[o] . x[p]                       one row of weights, all positions
//!   gradient of x          of_x[p]  += sum over o of of_y[p][o] * weight[o]   some columns of all rows, all positions
//!   gradient of weights    of_w[o]  += sum over p of of_y[p][o] * x[p]        one row, in registers, all positions
//! ```

use std::ops::Range;

use nnue_runtime::simd::Simd;
use nnue_spec::op::Real;

use super::Parameters;
use super::sums::{self, Products, add_products, dot};

/// The tensors and operands of a layer.
#[derive(Clone, Debug)]
pub(crate) struct Affine<T> {
    /// runs of operands, each with its first weight column
    pub(crate) runs: Vec<(Range<usize>, usize)>,
    /// the tensor of the weights, `[stack][output][column]`
    pub(crate) weight: usize,
    /// the tensor of the biases, `[stack][output]`; `None` if a later step adds them
    pub(crate) bias: Option<usize>,
    /// columns of a row, padding included
    pub(crate) columns: usize,
    pub(crate) weight_factor: T,
    pub(crate) bias_factor: T,
    pub(crate) results: Range<usize>,
}

/// Columns whose weights stay in the L1 cache while the gradients of all positions are computed; whole tiles
/// at every level.
const COLUMNS: usize = 256;

impl<T: Real> Affine<T> {
    #[inline(always)]
    pub(crate) fn row(&self, stack: usize, output: usize) -> usize {
        (stack * self.results.len() + output) * self.columns
    }

    /// Forward pass. Each position has `size` numbers in `values`.
    #[inline(always)]
    pub(crate) fn forward(
        &self,
        parameters: &Parameters<T>,
        stack: usize,
        values: &mut [T],
        size: usize,
    ) {
        let weight = &parameters.tensors[self.weight];
        for output in 0..self.results.len() {
            let row = &weight[self.row(stack, output)..][..self.columns];
            let bias = match self.bias {
                Some(bias) => parameters.tensors[bias][stack * self.results.len() + output],
                None => T::ZERO,
            };
            for values in values.chunks_exact_mut(size) {
                let mut sum = T::ZERO;
                for (run, column) in &self.runs {
                    sum += dot(&values[run.start..run.end], &row[*column..]);
                }
                values[self.results.start + output] =
                    sum * self.weight_factor + bias * self.bias_factor;
            }
        }
    }

    /// Backward pass. Leaves the gradient of the results multiplied by the weight factor.
    #[inline(always)]
    pub(crate) fn backward<S: Simd>(
        &self,
        simd: S,
        (parameters, stack): (&Parameters<T>, usize),
        (values, gradients): (&[T], &mut [T]),
        size: usize,
        gradient: &mut Parameters<T>,
    ) {
        for gradients in gradients.chunks_exact_mut(size) {
            let of_results = &mut gradients[self.results.start..self.results.end];
            if let Some(bias) = self.bias {
                let of_bias =
                    &mut gradient.tensors[bias][stack * of_results.len()..][..of_results.len()];
                sums::add_scaled(of_bias, self.bias_factor, of_results);
            }
            sums::scale(of_results, self.weight_factor);
        }
        self.add_to_operands(
            simd,
            &parameters.tensors[self.weight][self.row(stack, 0)..],
            gradients,
            size,
        );
        self.add_to_weights(
            simd,
            values,
            gradients,
            size,
            &mut gradient.tensors[self.weight][self.row(stack, 0)..],
        );
    }

    /// Adds the gradient of the operands.
    #[inline(always)]
    fn add_to_operands<S: Simd>(&self, simd: S, weight: &[T], gradients: &mut [T], size: usize) {
        for (run, column) in &self.runs {
            let mut done = 0;
            while done < run.len() {
                let columns = COLUMNS.min(run.len() - done);
                let source = &weight[*column + done..];
                for gradients in gradients.chunks_exact_mut(size) {
                    let (before, from) = gradients.split_at_mut(self.results.start);
                    let (factors, count) = (&*from, self.results.len());
                    let products = Products {
                        source,
                        stride: self.columns,
                        factors,
                        factor_stride: 1,
                        count,
                    };
                    add_products(simd, &mut before[run.start + done..][..columns], products);
                }
                done += columns;
            }
        }
    }

    /// Adds the gradient of the weights of one stack.
    #[inline(always)]
    fn add_to_weights<S: Simd>(
        &self,
        simd: S,
        values: &[T],
        gradients: &[T],
        size: usize,
        of_weight: &mut [T],
    ) {
        let count = values.len() / size;
        for output in 0..self.results.len() {
            let of_row = &mut of_weight[output * self.columns..][..self.columns];
            let factors = &gradients[self.results.start + output..];
            for (run, column) in &self.runs {
                let source = &values[run.start..];
                let products = Products {
                    source,
                    stride: size,
                    factors,
                    factor_stride: size,
                    count,
                };
                add_products(simd, &mut of_row[*column..][..run.len()], products);
            }
        }
    }
}
