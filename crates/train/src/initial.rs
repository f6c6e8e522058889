//! Initial parameters.
//!
//! | | [`Rule::Uniform`], as nnue-pytorch | [`Rule::Normal`], as bullet |
//! |---|---|---|
//! | rows of a feature set | U(± √(1 / rows of the set)) | N(0, √(2 / [`ACTIVE`])) |
//! | bias of the accumulators | U(± √(1 / rows of all sets)) | 0 |
//! | weights and biases of a layer | U(± √(1 / inputs)), biases of the last layer 0 | N(0, √(2 / inputs)), biases 0 |
//! | PSQT | 0 | 0 |
//!
//! For block-sparse layers, `inputs` is the average number of inputs that reach an output; each input starts
//! with the blocks of its greatest weights. All layer stacks start equal. nnue-pytorch starts PSQT weights
//! with piece values; here they are learnt from 0.

use fastrand::Rng;
use nnue_spec::TensorRole;
use nnue_spec::graph::{Graph, Reach, Tensor};
use nnue_spec::layout::OUTPUT_BLOCK;

use crate::network::{Parameters, columns};
use crate::optimizer::Limits;

/// Assumed active rows of a perspective: bullet's "effective input size" of sparse inputs.
pub const ACTIVE: usize = 32;

/// The distribution of initial parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// uniform, as in nnue-pytorch
    Uniform,
    /// normal, as in bullet
    Normal,
}

/// Draws initial parameters. The same seed gives the same parameters.
///
/// ```
/// use nnue_train::initial::{Rule, draw};
///
/// let graphs = nnue_codegen::graph_text("pub struct Small = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };").unwrap();
/// let parameters = draw(&graphs[0], Rule::Uniform, 1);
/// let weights = &parameters.tensors[0];
/// assert_eq!(weights.len(), 768 * 32);
/// assert!(weights.iter().all(|weight| weight.abs() <= (1.0_f32 / 768.0).sqrt()));
/// ```
pub fn draw(graph: &Graph, rule: Rule, seed: u64) -> Parameters<f32> {
    let mut random = Rng::with_seed(seed);
    let tensor = |tensor: &Tensor| {
        let (inputs, columns) = (inputs(graph, tensor), columns(graph, tensor));
        let one = tensor.rows * columns;
        let numbers: Vec<f32> = (0..one)
            .map(|index| {
                if index % columns < inputs {
                    number(graph, tensor, rule, &mut random)
                } else {
                    0.0
                }
            })
            .collect();
        numbers.repeat(tensor.copies).into()
    };
    let mut parameters = Parameters {
        tensors: graph.tensors.iter().map(tensor).collect(),
    };
    Limits::of(graph).thin(&mut parameters.tensors);
    parameters
}

fn number(graph: &Graph, tensor: &Tensor, rule: Rule, random: &mut Rng) -> f32 {
    let all_rows = || graph.features.iter().map(|set| set.rows).sum();
    match (rule, tensor.role) {
        (_, TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_)) => 0.0,
        (Rule::Uniform, TensorRole::TransformerBias | TensorRole::SecondBias) => {
            uniform(random, all_rows())
        }
        (Rule::Uniform, TensorRole::LayerBias(layer)) => {
            if layer + 1 == graph.layers().count() {
                0.0
            } else {
                uniform(random, reach(graph, layer))
            }
        }
        (Rule::Uniform, TensorRole::LayerWeight(layer)) => uniform(random, reach(graph, layer)),
        (Rule::Uniform, _) => uniform(random, tensor.rows),
        (
            Rule::Normal,
            TensorRole::TransformerBias | TensorRole::SecondBias | TensorRole::LayerBias(_),
        ) => 0.0,
        (Rule::Normal, TensorRole::LayerWeight(layer)) => normal(random, reach(graph, layer)),
        (Rule::Normal, _) => normal(random, ACTIVE),
    }
}

fn uniform(random: &mut Rng, inputs: usize) -> f32 {
    ((2.0 * random.f64() - 1.0) / (inputs as f64).sqrt()) as f32
}

fn normal(random: &mut Rng, inputs: usize) -> f32 {
    (gaussian(random) * (2.0 / inputs as f64).sqrt()) as f32
}

/// A normally distributed number with mean 0 and standard deviation 1 (Box-Muller).
pub(crate) fn gaussian(random: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - random.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.f64()).cos()
}

fn inputs_of_layer(graph: &Graph, layer: usize) -> usize {
    let (_, affine) = graph.layers().nth(layer).expect("a tensor is of a layer");
    affine.inputs()
}

/// Inputs that reach an output of a layer; the average for a block-sparse one.
fn reach(graph: &Graph, layer: usize) -> usize {
    let (node, affine) = graph.layers().nth(layer).expect("a tensor is of a layer");
    match affine.reach {
        Reach::All => affine.inputs(),
        Reach::Blocks(reached) => (affine.inputs() * reached * OUTPUT_BLOCK).div_ceil(node.len),
        Reach::Shards(shards) => affine.inputs() - shards.inputs() + shards.width,
    }
}

/// Columns without padding.
fn inputs(graph: &Graph, tensor: &Tensor) -> usize {
    match tensor.role {
        TensorRole::LayerWeight(layer) => inputs_of_layer(graph, layer),
        _ => tensor.cols,
    }
}
