//! Layers of 16-bit values. Kernels read the weights in file order.

use alloc::vec::Vec;

use nnue_spec::{NetDesc, TensorRef};

use crate::layer::Bias;
use crate::memory::{Number, Tensor};
use crate::simd::{Level, Simd, Vector};

/// The weight type of such a layer: i8 or i16.
pub trait WordWeight: Number {
    /// A vector of weights with as many lanes as a vector of 16-bit values.
    type Vector<S: Simd>: Vector;
    /// The weights sign-extended to 16 bits.
    fn widened<S: Simd>(simd: S, weights: Self::Vector<S>) -> S::I16;
}

impl WordWeight for i8 {
    type Vector<S: Simd> = S::I8;

    #[inline(always)]
    fn widened<S: Simd>(simd: S, weights: S::I8) -> S::I16 {
        simd.widen_i8(weights)
    }
}

impl WordWeight for i16 {
    type Vector<S: Simd> = S::I16;

    #[inline(always)]
    fn widened<S: Simd>(_: S, weights: S::I16) -> S::I16 {
        weights
    }
}

/// A layer of `OUT` outputs that reads a buffer of `IN` 16-bit values, in `STACKS` copies.
#[derive(Clone, Debug)]
pub struct WordsLayer<
    T: WordWeight,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    B: Bias = i32,
> {
    /// bias of each output; for float layers a float that is not part of the integer sums
    pub bias: Tensor<[B; OUT], STACKS>,
    /// weights in file order, as the kernels read them
    pub weight: Tensor<[[T; IN]; OUT], STACKS>,
    /// for each row, stack by stack: whether every partial sum of its products fits in i32
    fits: Vec<bool>,
}

impl<T: WordWeight, const IN: usize, const OUT: usize, const STACKS: usize, B: Bias>
    WordsLayer<T, IN, OUT, STACKS, B>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                IN.is_multiple_of(16),
                "rows are whole vectors of the narrowest level"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            fits: Vec::new(),
        }
    }

    /// Finds the rows that need sums of more than 32 bits, for layer `layer` of `net`. The result
    /// is the same for every level.
    ///
    /// # Panics
    ///
    /// If `net` has no such layer or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, _: Level) {
        let desc = &net.layers[layer];
        assert!(
            desc.inputs == IN && desc.outputs == OUT,
            "layer {layer} has another shape"
        );
        let greatest = desc
            .segments
            .iter()
            .map(|segment| net.buffers[segment.buffer].max)
            .max();
        let greatest = i64::from(greatest.unwrap_or(0));
        self.fits = self
            .weight
            .iter()
            .flatten()
            .map(|row| fits(Number::tensor(row), greatest))
            .collect();
    }

    /// For each row of a stack, whether every partial sum of its products fits in i32.
    #[inline(always)]
    pub(crate) fn fits(&self, stack: usize) -> &[bool] {
        &self.fits[stack * OUT..][..OUT]
    }
}

/// Whether the least and the greatest sum of products with values of `0..=greatest` fit in i32.
pub(crate) fn fits(row: TensorRef<'_>, greatest: i64) -> bool {
    let (mut least, mut most) = (0, 0);
    for at in 0..row.len() {
        let weight = i64::from(row.get(at));
        least += greatest * weight.min(0);
        most += greatest * weight.max(0);
    }
    least >= i32::MIN.into() && most <= i32::MAX.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_up_to_the_last_number() {
        let fits_bytes = |weights: &[i8], greatest| fits(TensorRef::I8(weights), greatest);
        assert!(fits_bytes(&[127; 4096], 4096) && fits_bytes(&[-128; 4096], 4096));
        assert!(!fits_bytes(&[127; 4200], 4096));
        assert!(!fits(
            TensorRef::I16(&[i16::MIN, i16::MIN, -1, -32768]),
            32767
        ));
        assert!(fits(TensorRef::I16(&[i16::MIN, i16::MIN]), 32767));
        // Positive and negative weights do not cancel: values may be zero.
        assert!(!fits(
            TensorRef::I16(&[i16::MAX, i16::MIN, i16::MAX, i16::MIN, 32767]),
            32767
        ));
    }
}
