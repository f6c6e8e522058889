//! The scale of each tensor (the integer that stands for 1.0), from the declared scales.
//!
//! ```text
//!   feature transformer, weights and bias     the accumulator's scale               255
//!   layer, weights                            its own scale                          64
//!   layer, bias                               the same times 1.0 of its inputs  16320 = 255 * 64
//!   binary layer, scales                      the same as its bias, with 127 for 1.0 of its inputs   8128
//!   binary layer, weights                     signs, which have no factor
//!   floats                                    1
//! ```

use nnue_spec::{
    ElementType, LayerKind, MapOperand, MapSource, NetDesc, Ratio, SignOf, StepDesc, TensorDesc,
    TensorRole,
};

/// The scale of each tensor, in the order of [`NetDesc::tensors`].
///
/// PSQT weights have the unit of the output. So do the weights of a last layer to which neurons of another
/// layer are added with a ratio (`+ h1[15] * 9600 / 8128`): these neurons then determine the unit of the
/// output.
pub fn factors(net: &NetDesc<'_>) -> Vec<f64> {
    let factor = |tensor: &TensorDesc<'_>| match tensor.role {
        _ if tensor.element == ElementType::F32 => 1.0,
        TensorRole::TransformerBias
        | TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondBias
        | TensorRole::SecondWeight
        | TensorRole::SecondExtraWeight(_) => one(net),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => output_unit(net),
        TensorRole::LayerWeight(layer) => weight_factor(net, layer),
        TensorRole::LayerBias(layer) | TensorRole::LayerScale(layer) => {
            weight_factor(net, layer) * input_unit(net, layer)
        }
    };
    net.tensors.iter().map(factor).collect()
}

fn one(net: &NetDesc<'_>) -> f64 {
    f64::from(net.accumulator.one)
}

/// Scale of the inputs of a layer. All inputs have the same, so the first segment determines it.
fn input_unit(net: &NetDesc<'_>, layer: usize) -> f64 {
    let Some(segment) = net.layers[layer].segments.first() else {
        return one(net);
    };
    if net.buffers[segment.buffer].source.is_float() {
        return 1.0;
    }
    let unit = net.unit_of(segment.buffer);
    unit.den as f64 / unit.num as f64
}

/// Scale of the sums of a layer, from its own scale.
fn sums_unit(net: &NetDesc<'_>, layer: usize) -> f64 {
    f64::from(net.layers[layer].scale) * input_unit(net, layer)
}

/// Whether an activation reads the sums of the layer.
fn is_hidden(net: &NetDesc<'_>, wanted: usize) -> bool {
    net.steps.iter().any(|step| match *step {
        StepDesc::ActivateSums { layer, .. }
        | StepDesc::ActivateFloat { layer, .. }
        | StepDesc::FloatSums { layer, .. }
        | StepDesc::Sign {
            of: SignOf::Layer(layer),
            ..
        } => layer == wanted,
        StepDesc::Map { map, .. } => {
            let reads = |operand: &MapOperand| operand.source == MapSource::Layer(wanted);
            net.maps[map].operands.iter().any(reads)
        }
        StepDesc::ActivateAccumulator { .. }
        | StepDesc::FloatAccumulator { .. }
        | StepDesc::Sign { .. }
        | StepDesc::Affine { .. }
        | StepDesc::AffineDirect { .. }
        | StepDesc::Pool { .. }
        | StepDesc::Reduce { .. } => false,
    })
}

/// Scale of the sum of output terms, from a term of a hidden layer; `None` without such a term.
fn terms_unit(net: &NetDesc<'_>) -> Option<f64> {
    let term = net
        .output
        .terms
        .iter()
        .find(|term| is_hidden(net, term.layer))?;
    Some(times(sums_unit(net, term.layer), term.ratio))
}

/// Scale of the positional output.
fn output_unit(net: &NetDesc<'_>) -> f64 {
    // A network that computes rows on demand may have no value and no PSQT outputs.
    let Some(last) = net.output.terms.first().map(|term| term.layer) else {
        return 1.0;
    };
    let terms = terms_unit(net).unwrap_or_else(|| weight_factor(net, last) * input_unit(net, last));
    times(terms, net.output.ratio)
}

fn times(unit: f64, ratio: Option<Ratio>) -> f64 {
    ratio.map_or(unit, |ratio| unit * ratio.num as f64 / ratio.den as f64)
}

fn weight_factor(net: &NetDesc<'_>, layer: usize) -> f64 {
    let scale = f64::from(net.layers[layer].scale);
    let is_float = matches!(net.layers[layer].kind, LayerKind::Float { .. });
    let of_output = net
        .output
        .terms
        .iter()
        .find(|term| term.layer == layer)
        .filter(|_| !is_hidden(net, layer));
    match (of_output, terms_unit(net)) {
        (Some(term), Some(unit)) if !is_float => {
            unit / times(1.0, term.ratio) / input_unit(net, layer)
        }
        _ => scale,
    }
}
