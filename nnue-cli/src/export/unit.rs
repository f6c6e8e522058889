//! What 1.0 is in units of a tensor: the factor with which a trainer quantises it.

use nnue_spec::{AccumulatorActivation, ElementType, LayerKind, NetDesc, Source, StepDesc, TensorDesc, TensorRole};

/// What 1.0 is in u8 activations of layers.
const BUFFER_ONE: f64 = 127.0;

/// The factor of a tensor; `None` where it is in floats, or follows from nothing that is declared.
pub(super) fn of_tensor(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> Option<f64> {
    if tensor.element == ElementType::F32 {
        return None;
    }
    match tensor.role {
        TensorRole::TransformerBias
        | TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondBias
        | TensorRole::SecondWeight => Some(net.accumulator.one.into()),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => None,
        TensorRole::LayerWeight(layer) => Some(net.layers[layer].scale.into()),
        TensorRole::LayerBias(layer) => Some(f64::from(net.layers[layer].scale) * of_input(net, layer)),
    }
}

/// What 1.0 is in the values that a layer reads.
fn of_input(net: &NetDesc<'_>, layer: usize) -> f64 {
    let one = f64::from(net.accumulator.one);
    let layer = &net.layers[layer];
    let Some(segment) = layer.segments.first().filter(|_| layer.kind != LayerKind::Direct) else { return one };
    if net.buffers[segment.buffer].source != Source::Accumulator {
        return BUFFER_ONE;
    }
    let activation = net.steps.iter().find_map(|step| match *step {
        StepDesc::ActivateAccumulator { activation, shift, buffer } if buffer == segment.buffer => {
            Some((activation, shift))
        }
        _ => None,
    });
    match activation {
        Some((AccumulatorActivation::SqrCrelu | AccumulatorActivation::Pairwise, shift)) => {
            one * one / f64::from(1_u32 << shift.min(31))
        }
        Some((AccumulatorActivation::Own(_), _)) => BUFFER_ONE,
        Some((AccumulatorActivation::Crelu, _)) | None => one,
    }
}
