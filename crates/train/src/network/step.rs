//! The operations between the accumulators and the outputs, forward and backward.
//!
//! A step is taken by some positions of the same stack at once. The values of a position are `size` numbers one after the other, and so is
//! their gradient.

use nnue_runtime::simd::Simd;
use nnue_spec::op::Real;

use super::Parameters;
use super::affine::Affine;
use super::binary::Binary;
use super::elementwise::Elementwise;
use super::whole::Whole;

/// An operation of the graph.
#[derive(Clone, Debug)]
pub(crate) enum Step<T> {
    /// the sums of a layer, of all positions together
    Affine(Affine<T>),
    /// the sums of a binary layer, of each position by itself
    Binary(Binary<T>),
    /// of each position by itself
    Elementwise(Elementwise<T>),
    /// values of each position become whole
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

    /// Adds to the gradients of what was read, and to `gradient` of the parameters, what follows from the gradients of the results. These are
    /// not needed any more, and may change.
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
            // The derivative of rounding is taken to be 1.
            Self::Whole(_) => {}
        }
    }
}
