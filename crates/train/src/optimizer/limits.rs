//! Limits of gradients and parameters.

use nnue_spec::ElementType;
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_tools::quantize::factors;

use super::blocks::Blocks;
use super::unused::Unused;
use crate::network::{Parameters, Tensor};

/// Scales a gradient down to the Euclidean norm `greatest` over all tensors, if it is longer. Returns the
/// norm before.
pub fn clip_norm(gradient: &mut Parameters<f32>, greatest: f64) -> f64 {
    let square = |tensor: &Tensor<f32>| {
        tensor
            .iter()
            .map(|&g| f64::from(g) * f64::from(g))
            .sum::<f64>()
    };
    let norm = gradient.tensors.iter().map(square).sum::<f64>().sqrt();
    if norm > greatest {
        let factor = (greatest / norm) as f32;
        gradient
            .tensors
            .iter_mut()
            .flatten()
            .for_each(|g| *g *= factor);
    }
    norm
}

/// Limits of parameters in a file: magnitudes, and the weights that block-sparse layers and layers in shards have.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// the greatest magnitude in each tensor, in the order of [`Parameters::tensors`]; `None`: no limit
    pub greatest: Vec<Option<f32>>,
    /// the block-sparse layers
    pub blocks: Vec<Blocks>,
    /// the layers in shards
    pub unused: Vec<Unused>,
}

impl Limits {
    /// The limits of the declared types: `127 / 64` for 8-bit weights with the scale 64, and no limit for
    /// floats. The range is symmetric.
    pub fn of(graph: &Graph) -> Self {
        let plan = plan(graph);
        let factors = factors(&plan.tables().descriptor());
        let limit = |(element, factor): (ElementType, f64)| {
            let (_, greatest) = element.range();
            (element != ElementType::F32).then(|| below(greatest as f64 / factor))
        };
        let elements = graph.tensors.iter().map(|tensor| tensor.element);
        let tensors = || graph.tensors.iter().enumerate();
        let blocks = tensors().filter_map(|(tensor, desc)| Blocks::of(graph, tensor, desc.role));
        let unused = tensors().filter_map(|(tensor, desc)| Unused::of(graph, tensor, desc.role));
        Self {
            greatest: elements.zip(factors).map(limit).collect(),
            blocks: blocks.collect(),
            unused: unused.collect(),
        }
    }

    /// Clips parameters to the limits, and zeroes weights outside the [blocks](Blocks) and shards that an input
    /// reaches.
    ///
    /// # Panics
    ///
    /// If there are not as many limits as tensors.
    pub fn apply(&self, parameters: &mut Parameters<f32>) {
        assert_eq!(self.greatest.len(), parameters.tensors.len(), "limits");
        for (tensor, limit) in parameters.tensors.iter_mut().zip(&self.greatest) {
            Self::hold(*limit, tensor);
        }
        self.thin(&mut parameters.tensors);
    }

    /// Zeroes weights of outputs that an input does not reach.
    pub(crate) fn thin(&self, tensors: &mut [Tensor<f32>]) {
        self.blocks
            .iter()
            .for_each(|blocks| blocks.thin(&mut tensors[blocks.tensor]));
        self.unused
            .iter()
            .for_each(|unused| unused.clear(&mut tensors[unused.tensor]));
    }

    /// The weights of a tensor that no output uses.
    pub(crate) fn unused_of(&self, tensor: usize) -> impl Iterator<Item = &Unused> {
        self.unused
            .iter()
            .filter(move |unused| unused.tensor == tensor)
    }

    /// Clips one tensor.
    pub(crate) fn hold(limit: Option<f32>, numbers: &mut [f32]) {
        if let Some(limit) = limit {
            numbers.iter_mut().for_each(|w| *w = w.clamp(-limit, limit));
        }
    }
}

/// The greatest 32-bit float that is not above `limit`.
fn below(limit: f64) -> f32 {
    let nearest = limit as f32;
    if f64::from(nearest) > limit {
        nearest.next_down()
    } else {
        nearest
    }
}
