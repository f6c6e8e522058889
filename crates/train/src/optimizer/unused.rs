//! Weights that no output uses, of layers in shards: they are 0 and stay so.

use std::ops::Range;

use nnue_spec::TensorRole;
use nnue_spec::graph::Graph;

/// The unused weights of a layer in shards, `[stack][output][column]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// index of the tensor
    pub tensor: usize,
    /// the weights of a stack
    pub stack: usize,
    /// the unused ones among them
    pub ranges: Vec<Range<usize>>,
}

impl Unused {
    /// Those of a tensor, if it holds the weights of a layer in shards.
    pub(super) fn of(graph: &Graph, tensor: usize, role: TensorRole) -> Option<Self> {
        let TensorRole::LayerWeight(layer) = role else {
            return None;
        };
        let (node, affine) = graph.layers().nth(layer)?;
        let shards = affine.reach.shards()?;
        let of_output = |output: usize| {
            let start = output * affine.columns;
            let unread = shards.unread(affine.inputs(), node.len, output);
            unread.map(|range| start + range.start..start + range.end)
        };
        Some(Self {
            tensor,
            stack: node.len * affine.columns,
            ranges: (0..node.len).flat_map(of_output).collect(),
        })
    }

    /// The ranges among `weights` weights of whole stacks.
    pub(crate) fn among(&self, weights: usize) -> impl Iterator<Item = Range<usize>> {
        let stacks = (0..weights).step_by(self.stack.max(1));
        stacks.flat_map(|stack| {
            let of_stack = self.ranges.iter();
            of_stack.map(move |range| stack + range.start..stack + range.end)
        })
    }

    /// Zeroes them among the weights of whole stacks.
    pub fn clear(&self, weights: &mut [f32]) {
        self.among(weights.len())
            .for_each(|range| weights[range].fill(0.0));
    }
}
