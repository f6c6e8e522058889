//! What 1.0 is in units of each tensor: it follows from the scales of the declaration.
//!
//! ```text
//!   feature transformer, weights and bias     the accumulator's scale               255
//!   layer, weights                            its own scale                          64
//!   layer, bias                               1.0 of its inputs times that      16320 = 255 * 64
//!   floats                                    1
//! ```

use nnue_spec::{
    AccumulatorActivation, AccumulatorDesc, ElementType, LayerKind, NetDesc, Ratio, Source, StepDesc, TensorDesc,
    TensorRole,
};

/// What 1.0 is in a buffer of activated sums: where they clip.
const SUMS_ONE: f64 = 127.0;

/// The factor of each tensor, in the order of [`NetDesc::tensors`]. PSQT weights are in the unit of the output; so are the weights of a last
/// layer to which neurons of another layer are added with a ratio (`+ h1[15] * 9600 / 8128`), from which the unit of the output follows.
pub fn factors(net: &NetDesc<'_>) -> Vec<f64> {
    let factor = |tensor: &TensorDesc<'_>| match tensor.role {
        _ if tensor.element == ElementType::F32 => 1.0,
        TensorRole::TransformerBias
        | TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondBias
        | TensorRole::SecondWeight => one(net),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => output_unit(net),
        TensorRole::LayerWeight(layer) => weight_factor(net, layer),
        TensorRole::LayerBias(layer) => weight_factor(net, layer) * input_unit(net, layer),
    };
    net.tensors.iter().map(factor).collect()
}

fn one(net: &NetDesc<'_>) -> f64 {
    f64::from(net.accumulator.one)
}

/// What 1.0 is in the inputs of a layer. They share one unit; the first says which.
fn input_unit(net: &NetDesc<'_>, layer: usize) -> f64 {
    let Some(segment) = net.layers[layer].segments.first() else { return one(net) };
    match net.buffers[segment.buffer].source {
        Source::Accumulator => accumulator_unit(net, segment.buffer),
        Source::Layer(_) => SUMS_ONE,
        Source::Float(_) | Source::FloatAccumulator => 1.0,
    }
}

/// What 1.0 is in a buffer of activated accumulators.
fn accumulator_unit(net: &NetDesc<'_>, wanted: usize) -> f64 {
    let AccumulatorDesc { one, .. } = net.accumulator;
    let unit = net.steps.iter().find_map(|step| match *step {
        StepDesc::ActivateAccumulator { activation, shift, buffer } if buffer == wanted => Some(match activation {
            AccumulatorActivation::Crelu => f64::from(one),
            AccumulatorActivation::Own(_) => SUMS_ONE,
            AccumulatorActivation::SqrCrelu | AccumulatorActivation::Pairwise => {
                f64::from(one) * f64::from(one) / f64::from(1_u32 << shift)
            }
        }),
        _ => None,
    });
    unit.unwrap_or(SUMS_ONE)
}

/// What 1.0 is in the sums of a layer whose scale is its own.
fn sums_unit(net: &NetDesc<'_>, layer: usize) -> f64 {
    f64::from(net.layers[layer].scale) * input_unit(net, layer)
}

/// Whether an activation reads the sums of a layer.
fn is_hidden(net: &NetDesc<'_>, wanted: usize) -> bool {
    net.steps.iter().any(|step| match *step {
        StepDesc::ActivateSums { layer, .. }
        | StepDesc::ActivateFloat { layer, .. }
        | StepDesc::FloatSums { layer, .. } => layer == wanted,
        StepDesc::ActivateAccumulator { .. }
        | StepDesc::FloatAccumulator { .. }
        | StepDesc::Affine { .. }
        | StepDesc::AffineDirect { .. } => false,
    })
}

/// What 1.0 is in the sum of the output's terms, by a term of a hidden layer; `None` if there is none.
fn terms_unit(net: &NetDesc<'_>) -> Option<f64> {
    let term = net.output.terms.iter().find(|term| is_hidden(net, term.layer))?;
    Some(times(sums_unit(net, term.layer), term.ratio))
}

/// What 1.0 is in the positional output.
fn output_unit(net: &NetDesc<'_>) -> f64 {
    let last = net.output.terms[0].layer;
    let terms = terms_unit(net).unwrap_or_else(|| weight_factor(net, last) * input_unit(net, last));
    times(terms, net.output.ratio)
}

fn times(unit: f64, ratio: Option<Ratio>) -> f64 {
    ratio.map_or(unit, |ratio| unit * ratio.num as f64 / ratio.den as f64)
}

fn weight_factor(net: &NetDesc<'_>, layer: usize) -> f64 {
    let scale = f64::from(net.layers[layer].scale);
    let is_float = matches!(net.layers[layer].kind, LayerKind::Float { .. });
    let of_output = net.output.terms.iter().find(|term| term.layer == layer).filter(|_| !is_hidden(net, layer));
    match (of_output, terms_unit(net)) {
        (Some(term), Some(unit)) if !is_float => unit / times(1.0, term.ratio) / input_unit(net, layer),
        _ => scale,
    }
}
