//! The scale of a tensor: the factor with which a trainer quantises it.

use nnue_spec::{ElementType, LayerKind, NetDesc, TensorDesc, TensorRole};

/// The factor of a tensor; `None` for floats and where the declaration does not determine it.
pub(super) fn of_tensor(net: &NetDesc<'_>, tensor: &TensorDesc<'_>) -> Option<f64> {
    if tensor.element == ElementType::F32 {
        return None;
    }
    match tensor.role {
        TensorRole::TransformerBias
        | TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondBias
        | TensorRole::SecondWeight
        | TensorRole::SecondExtraWeight(_) => Some(net.accumulator.one.into()),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => None,
        TensorRole::LayerWeight(layer) if net.layers[layer].kind == LayerKind::Binary => None,
        TensorRole::LayerWeight(layer) => Some(net.layers[layer].scale.into()),
        TensorRole::LayerBias(layer) | TensorRole::LayerScale(layer) => {
            Some(f64::from(net.layers[layer].scale) * of_input(net, layer))
        }
    }
}

/// The scale of the values that a layer reads.
fn of_input(net: &NetDesc<'_>, layer: usize) -> f64 {
    let one = f64::from(net.accumulator.one);
    let layer = &net.layers[layer];
    let Some(segment) = layer
        .segments
        .first()
        .filter(|_| layer.kind != LayerKind::Direct)
    else {
        return one;
    };
    let unit = net.unit_of(segment.buffer);
    unit.den as f64 / unit.num as f64
}
