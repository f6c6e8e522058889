//! Weights of block-sparse layers: each input reaches only some blocks of outputs.
//!
//! Training chooses the blocks. After each step, every input keeps its weights for the blocks with the
//! greatest sum of squares; the others become zero: the allowed weights nearest to those after the step. The
//! gradient is that of a dense layer, so that an input can switch to a block that it needs more ("iterative
//! hard thresholding": Blumensath, Davies, 2008).

use nnue_spec::TensorRole;
use nnue_spec::graph::Graph;
use nnue_spec::layout::OUTPUT_BLOCK;

/// The weights of a block-sparse layer, `[stack][output][column]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// index of the tensor
    pub tensor: usize,
    /// outputs of the layer, a multiple of the block size
    pub outputs: usize,
    /// columns of the tensor
    pub columns: usize,
    /// blocks that an input reaches
    pub reached: usize,
}

impl Blocks {
    /// The blocks of a tensor, if it holds the weights of a block-sparse layer.
    pub(super) fn of(graph: &Graph, tensor: usize, role: TensorRole) -> Option<Self> {
        let TensorRole::LayerWeight(layer) = role else {
            return None;
        };
        let (node, affine) = graph.layers().nth(layer)?;
        Some(Self {
            tensor,
            outputs: node.len,
            columns: affine.columns,
            reached: affine.reach.blocks()?,
        })
    }

    /// Zeroes the weights of each input outside the blocks that it reaches: those of the greatest weights,
    /// the first ones if equal.
    ///
    /// # Panics
    ///
    /// If the length is not a multiple of a layer's.
    pub fn thin(&self, weights: &mut [f32]) {
        let (columns, count) = (self.columns, self.outputs / OUTPUT_BLOCK);
        assert!(
            weights.len().is_multiple_of(self.outputs * columns),
            "weights of whole layers"
        );
        let mut squares = vec![0.0_f32; count * columns];
        let mut order: Vec<usize> = Vec::with_capacity(count);
        for weights in weights.chunks_mut(self.outputs * columns) {
            squares.fill(0.0);
            for (rows, squares) in weights
                .chunks(OUTPUT_BLOCK * columns)
                .zip(squares.chunks_mut(columns))
            {
                for row in rows.chunks(columns) {
                    row.iter()
                        .zip(&mut *squares)
                        .for_each(|(w, sum)| *sum += w * w);
                }
            }
            for input in 0..columns {
                order.clear();
                order.extend((0..count).filter(|block| squares[block * columns + input] > 0.0));
                let size = |block: &usize| squares[block * columns + input];
                order.sort_by(|first, second| size(second).total_cmp(&size(first)));
                for &block in order.iter().skip(self.reached) {
                    let rows = weights[block * OUTPUT_BLOCK * columns..]
                        .chunks_mut(columns)
                        .take(OUTPUT_BLOCK);
                    rows.for_each(|row| row[input] = 0.0);
                }
            }
        }
    }
}
