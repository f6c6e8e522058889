//! Layers of 32-bit integers. Kernels read the weights in file order.

use nnue_spec::NetDesc;

use crate::memory::{Number, Tensor};
use crate::simd::Level;

/// The weight type of such a layer: i8, i16 or i32.
pub trait IntegerWeight: Number {
    /// The weight as a 32-bit integer.
    fn widened(self) -> i32;
}

impl IntegerWeight for i8 {
    #[inline(always)]
    fn widened(self) -> i32 {
        self.into()
    }
}

impl IntegerWeight for i16 {
    #[inline(always)]
    fn widened(self) -> i32 {
        self.into()
    }
}

impl IntegerWeight for i32 {
    #[inline(always)]
    fn widened(self) -> i32 {
        self
    }
}

/// A layer of `OUT` outputs that reads `IN` integers, in `STACKS` copies.
#[derive(Clone, Debug)]
pub struct IntegerLayer<T: IntegerWeight, const IN: usize, const OUT: usize, const STACKS: usize> {
    /// bias of each output
    pub bias: Tensor<[i32; OUT], STACKS>,
    /// weights in file order, as the kernels read them
    pub weight: Tensor<[[T; IN]; OUT], STACKS>,
}

impl<T: IntegerWeight, const IN: usize, const OUT: usize, const STACKS: usize>
    IntegerLayer<T, IN, OUT, STACKS>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
        }
    }

    /// Does nothing: the weights are read as they are.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer`, or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc, layer: usize, _: Level) {
        let desc = &net.layers[layer];
        assert!(
            desc.inputs == IN && desc.outputs == OUT,
            "layer {layer} has another shape"
        );
    }
}
