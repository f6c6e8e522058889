//! Header-less files: tensors in the declared order, with their types and axes.
//!
//! Without an order, the feature transformer comes first, then the layers, each with its weights before its biases: what
//! the trainer's examples save.

use alloc::vec::Vec;

use super::{Raw, Tensor};
use crate::descriptor::*;
use crate::model::{RawSpec, RawTensorSpec};

/// Brings `tensors` into the order and the types of the file.
pub(crate) fn lower(raw: &RawSpec, tensors: &mut [Tensor]) -> Raw {
    match &raw.order {
        Some(order) => {
            let place = |tensor: &Tensor| order.value.iter().position(|name| name.value == tensor.name);
            tensors.sort_by_key(place);
        }
        None => tensors.sort_by_key(|tensor| default_place(tensor.role)),
    }
    let said = |tensor: &Tensor| raw.tensors.iter().find(|said| said.name.value == tensor.name);
    for tensor in tensors.iter_mut() {
        tensor.element = said(tensor).and_then(|said| said.element).map_or(tensor.element, |element| element.value);
    }
    Raw {
        skip: raw.skip.map_or(0, |skip| skip.value as usize),
        padding: raw.padding.map_or(Padding::Any, |padding| padding.value),
        axes: tensors.iter().map(|tensor| said(tensor).map_or(HELD, axes)).collect(),
        interleaved: raw.interleaved.is_some_and(|interleaved| interleaved.value),
    }
}

/// Layer, then weights, scales, biases; all weights of features before the bias of the accumulator, and those of the second
/// perspective after it.
fn default_place(role: TensorRole) -> (usize, usize) {
    match role {
        TensorRole::TransformerWeight => (0, 0),
        TensorRole::ExtraWeight(set) => (0, set),
        TensorRole::TransformerBias => (0, usize::MAX - 1),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => (0, usize::MAX),
        TensorRole::SecondWeight => (1, 0),
        TensorRole::SecondBias => (1, 1),
        TensorRole::LayerWeight(layer) => (2 + layer, 0),
        TensorRole::LayerScale(layer) => (2 + layer, 1),
        TensorRole::LayerBias(layer) => (2 + layer, 2),
    }
}

/// The declared axes, the missing ones (of length 1) first.
fn axes(said: &RawTensorSpec) -> Axes {
    let Some(written) = &said.axes else { return HELD };
    let missing = HELD.into_iter().filter(|axis| !written.value.contains(axis));
    let all: Vec<Axis> = missing.chain(written.value.iter().copied()).collect();
    <[Axis; 3]>::try_from(all).unwrap_or(HELD)
}
