//! Float layers: tensors in file order and a copy that the kernels read.
//!
//! ```text
//!   file:      weight[stack][output][input]
//!   prepared:  columns[stack][input][output]     an input is multiplied by the weights of a vector of outputs
//!   FloatRow:  row[stack][input]                 one output with partial sums: a vector of inputs at once
//! ```
//!
//! The outputs of `columns` and the inputs of `row` are padded to whole vectors with zero weights.
//! A sum is never -0, so adding the product of a zero input and a zero weight changes no bit of it.

use nnue_spec::{LayerKind, NetDesc};

use crate::memory::{Floats, Tensor};
use crate::simd::Level;

/// A layer of `OUT` outputs and `IN` inputs in `STACKS` copies. The prepared weights have `OUTP`
/// outputs (a multiple of 16).
#[derive(Clone, Debug)]
pub struct FloatLayer<const IN: usize, const OUT: usize, const STACKS: usize, const OUTP: usize> {
    /// bias of each output
    pub bias: Tensor<[f32; OUT], STACKS>,
    /// weights as in the file
    pub weight: Tensor<[[f32; IN]; OUT], STACKS>,
    start: Tensor<[f32; OUTP], STACKS>,
    columns: Tensor<[[f32; OUTP]; IN], STACKS>,
}

impl<const IN: usize, const OUT: usize, const STACKS: usize, const OUTP: usize>
    FloatLayer<IN, OUT, STACKS, OUTP>
{
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                OUTP.is_multiple_of(16) && OUT <= OUTP,
                "outputs padded to whole vectors"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            start: Tensor::zeroed(),
            columns: Tensor::zeroed(),
        }
    }

    /// Prepares the copies that the kernels read; they are the same for every level.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer` or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc<'_>, layer: usize, _level: Level) {
        assert_shape(net, layer, IN, OUT);
        for stack in 0..STACKS {
            self.start[stack][..OUT].copy_from_slice(&self.bias[stack]);
            for (output, row) in self.weight[stack].iter().enumerate() {
                self.columns[stack]
                    .iter_mut()
                    .zip(row)
                    .for_each(|(column, &weight)| column[output] = weight);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn start(&self, stack: usize) -> Floats<OUTP> {
        Floats(self.start[stack])
    }

    #[inline(always)]
    pub(crate) fn columns(&self, stack: usize) -> &[[f32; OUTP]; IN] {
        &self.columns[stack]
    }
}

/// A layer with one output and `IN` inputs in `STACKS` copies. The prepared weights have `INP`
/// inputs (a multiple of 16).
#[derive(Clone, Debug)]
pub struct FloatRow<const IN: usize, const STACKS: usize, const INP: usize> {
    /// bias
    pub bias: Tensor<[f32; 1], STACKS>,
    /// weights as in the file
    pub weight: Tensor<[[f32; IN]; 1], STACKS>,
    row: Tensor<[f32; INP], STACKS>,
}

impl<const IN: usize, const STACKS: usize, const INP: usize> FloatRow<IN, STACKS, INP> {
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                INP.is_multiple_of(16) && IN <= INP,
                "inputs padded to whole vectors"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            row: Tensor::zeroed(),
        }
    }

    /// Prepares the copy that the kernel reads; it is the same for every level.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer` or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc<'_>, layer: usize, _level: Level) {
        assert_shape(net, layer, IN, 1);
        for (row, [weight]) in self.row.iter_mut().zip(self.weight.iter()) {
            row[..IN].copy_from_slice(weight);
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self, stack: usize) -> &[f32; INP] {
        &self.row[stack]
    }
}

fn assert_shape(net: &NetDesc<'_>, layer: usize, inputs: usize, outputs: usize) {
    let desc = &net.layers[layer];
    let suits = matches!(desc.kind, LayerKind::Float { .. })
        && (desc.inputs, desc.outputs) == (inputs, outputs);
    assert!(suits, "layer {layer} has another shape");
}
