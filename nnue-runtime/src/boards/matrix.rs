//! Layers as matrix products.

use alloc::vec::Vec;

use nnue_spec::Activation;

use super::table::{LINE, Table, in_lines, zeros};
use crate::kernel::planes::Activate;
use crate::kernel::product::Product;
use crate::kernel::winograd::SQUARES;
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// A float layer, `y = W x + bias`: for each row of a table (a 1 x 1 convolution) or for each
/// board.
pub struct Matrix {
    inputs: usize,
    outputs: usize,
    /// number of rows that form one input
    rows: usize,
    weights: Vec<Line>,
    bias: Vec<Line>,
}

impl Matrix {
    /// A layer over each row. Weights are `[output][input]`, with a bias for each output.
    ///
    /// # Panics
    ///
    /// If there are no outputs, or more or fewer weights than inputs times outputs.
    pub fn of_rows(inputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        Self::new(inputs, weights, bias, 1)
    }

    /// A layer over each board of 64 rows. Weights are `[output][channel][square]`.
    ///
    /// # Panics
    ///
    /// As [`of_rows`](Self::of_rows).
    pub fn of_boards(channels: usize, weights: &[f32], bias: &[f32]) -> Self {
        Self::new(channels, weights, bias, SQUARES)
    }

    fn new(channels: usize, weights: &[f32], bias: &[f32], rows: usize) -> Self {
        let (outputs, stride) = (bias.len(), channels.next_multiple_of(LINE));
        assert!(
            outputs > 0 && weights.len() == outputs * channels * rows,
            "a weight for each input and output"
        );
        // If there are several rows, the padding after the last channel of a row has zero weights.
        let inputs = if rows == 1 { channels } else { stride * rows };
        let mut prepared = zeros(outputs.div_ceil(LINE) * inputs);
        let floats: &mut [f32] = bytemuck::cast_slice_mut(&mut prepared);
        for (output, weights) in weights.chunks_exact((channels * rows).max(1)).enumerate() {
            for (at, &weight) in weights.iter().enumerate() {
                let input = at % rows * stride + at / rows;
                floats[(output / LINE * inputs + input) * LINE + output % LINE] = weight;
            }
        }
        Self {
            inputs,
            outputs,
            rows,
            weights: prepared,
            bias: in_lines(bias),
        }
    }

    /// The number of outputs.
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes the activated outputs for each row or board of `x` to the rows of `y`.
    ///
    /// # Panics
    ///
    /// If a row has fewer columns than the layer reads.
    pub fn run(
        &self,
        level: AvailableLevel,
        x: &Table,
        activation: Option<Activation>,
        y: &mut Table,
    ) {
        y.resize(x.rows() / self.rows, self.outputs);
        let Self {
            inputs,
            weights,
            bias,
            ..
        } = self;
        let row = x.stride() * self.rows;
        let product = Product {
            x: x.floats(),
            row,
            inputs: *inputs,
            weights,
            start: bias,
            y: &mut y.lines,
        };
        dispatch_family(level, product);
        if let Some(activation) = activation {
            dispatch_family(
                level,
                Activate {
                    activation,
                    y: &mut y.lines,
                },
            );
        }
    }
}
