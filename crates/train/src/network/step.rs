//! The operations between accumulators and outputs, forward and backward.
//!
//! A step runs on several positions of the same stack at once. The values of a position are `size`
//! consecutive numbers, and so are their gradients.

use nnue_runtime::simd::Simd;
use nnue_spec::op::Real;

use super::Parameters;
use super::affine::Affine;
use super::binary::Binary;
use super::elementwise::Elementwise;
use super::whole::Whole;

#[derive(Clone, Debug)]
pub(crate) enum Step<T> {
    /// a layer, for all positions together
    Affine(Affine<T>),
    /// a binary layer, for each position separately
    Binary(Binary<T>),
    /// for each position separately
    Elementwise(Elementwise<T>),
    /// rounds values of each position to integers
    Whole(Whole),
}

impl<T: Real> Step<T> {
    #[inline(always)]
    pub(crate) fn forward(
        &self,
        parameters: &Parameters<T>,
        stack: usize,
        values: &mut [T],
        size: usize,
    ) {
        match self {
            Self::Affine(layer) => layer.forward(parameters, stack, values, size),
            Self::Binary(layer) => {
                for values in values.chunks_exact_mut(size) {
                    layer.forward(parameters, stack, values);
                }
            }
            Self::Elementwise(operation) => {
                for values in values.chunks_exact_mut(size) {
                    operation.forward(parameters, stack, values);
                }
            }
            Self::Whole(whole) => values
                .chunks_exact_mut(size)
                .for_each(|values| whole.forward(values)),
        }
    }

    /// Backward pass: adds the gradients of the operands to `gradients` and those of the parameters to
    /// `gradient`. It may overwrite the gradients of the results.
    #[inline(always)]
    pub(crate) fn backward<S: Simd>(
        &self,
        simd: S,
        (parameters, stack): (&Parameters<T>, usize),
        (values, gradients): (&[T], &mut [T]),
        size: usize,
        gradient: &mut Parameters<T>,
    ) {
        match self {
            Self::Affine(layer) => layer.backward(
                simd,
                (parameters, stack),
                (values, gradients),
                size,
                gradient,
            ),
            Self::Binary(layer) => {
                for (values, gradients) in values
                    .chunks_exact(size)
                    .zip(gradients.chunks_exact_mut(size))
                {
                    layer.backward(parameters, stack, values, gradients, gradient);
                }
            }
            Self::Elementwise(operation) => {
                for (values, gradients) in values
                    .chunks_exact(size)
                    .zip(gradients.chunks_exact_mut(size))
                {
                    operation.backward(stack, values, gradients, gradient);
                }
            }
            // The derivative of rounding is taken as 1.
            Self::Whole(_) => {}
        }
    }
}
