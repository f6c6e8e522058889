//! What keeps gradients and parameters in range.

use nnue_spec::ElementType;
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_tools::quantize::factors;

use super::blocks::Blocks;
use crate::network::{Parameters, Tensor};

/// Makes a gradient shorter whose Euclidean norm, over all tensors, is above `greatest`, without turning it. Gives the norm that it had.
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

/// What parameters can be in a file: their greatest size, and where block-sparse layers have weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// the greatest size of the parameters of each tensor, in the order of [`Parameters::tensors`]; `None`: any
    pub greatest: Vec<Option<f32>>,
    /// the weights of block-sparse layers
    pub blocks: Vec<Blocks>,
}

impl Limits {
    /// What the declared types hold: `127 / 64` for weights of 8 bits of which 64 are 1.0, and no limit for floats. The range is symmetric.
    pub fn of(graph: &Graph) -> Self {
        let plan = plan(graph);
        let factors = factors(&plan.tables().descriptor());
        let limit = |(element, factor): (ElementType, f64)| {
            let (_, greatest) = element.range();
            (element != ElementType::F32).then(|| below(greatest as f64 / factor))
        };
        let elements = graph.tensors.iter().map(|tensor| tensor.element);
        let blocks = graph
            .tensors
            .iter()
            .enumerate()
            .filter_map(|(tensor, desc)| Blocks::of(graph, tensor, desc.role));
        Self {
            greatest: elements.zip(factors).map(limit).collect(),
            blocks: blocks.collect(),
        }
    }

    /// Brings parameters that are greater, or less than the negative, to the limit, and sets weights of block-sparse layers to zero outside the
    /// [blocks](Blocks) that an input reaches.
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

    /// Sets weights of block-sparse layers to zero outside the blocks that an input reaches.
    pub(crate) fn thin(&self, tensors: &mut [Tensor<f32>]) {
        self.blocks
            .iter()
            .for_each(|blocks| blocks.thin(&mut tensors[blocks.tensor]));
    }

    /// The same for the numbers of one tensor.
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
