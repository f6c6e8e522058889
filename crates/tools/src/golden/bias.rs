//! Other readings of the last bias: it has another type in the file, or another unit.

use nnue_format::{Elements, raw};
use nnue_spec::{ElementType, LayerKind, NetDesc, Padding, TensorRef, TensorRole};

/// Another reading of the last bias.
pub(super) struct OtherBias {
    pub(super) elements: Elements,
    /// the clause that declares it
    pub(super) says: String,
}

/// The readings that give other numbers: in the other type, if the length of the file allows it, and in the unit
/// of the weights.
pub(super) fn others(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    padding: Padding,
) -> Vec<OtherBias> {
    let all = [
        in_other_type(net, tensors, padding),
        in_unit_of_weights(net, tensors),
    ];
    let differs = |other: &OtherBias| {
        let (held, other) = (tensors.last(), other.elements.borrow());
        held.is_some_and(|held| (0..held.len()).any(|at| other.get(at) != held.get(at)))
    };
    all.into_iter().flatten().filter(differs).collect()
}

fn in_other_type(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    padding: Padding,
) -> Option<OtherBias> {
    let desc = net.tensors.last()?;
    let elements = raw::other_bias(net, tensors, padding)?;
    let element = elements.borrow().element();
    // With several biases, half of them would be padding zeros, which training does not produce.
    let is_trained = desc.len() == 1 || element == ElementType::I16;
    is_trained.then(|| OtherBias {
        says: format!("with `{}: {}`", desc.name, element.name()),
        elements,
    })
}

/// The bias of a layer over accumulators, if 1.0 of its numbers is 1.0 of the weights, not of the sums.
fn in_unit_of_weights(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<OtherBias> {
    let (desc, held, layer) = (net.tensors.last()?, tensors.last()?, net.layers.last()?);
    let is_converted = net.raw?.stored(net.tensors.len() - 1).is_some();
    let is_bias = matches!(desc.role, TensorRole::LayerBias(_));
    if layer.kind != LayerKind::Direct || !is_bias || is_converted {
        return None;
    }
    let one = i64::from(net.accumulator.one);
    let bias = (0..desc.len()).map(|at| i32::try_from(i64::from(held.get(at)) * one).ok());
    let (name, element) = (desc.name, desc.element.name());
    Some(OtherBias {
        elements: Elements::I32(bias.collect::<Option<_>>()?),
        says: format!("with `{name}: {element} @ {}`", layer.scale),
    })
}
