//! Header-less files: tensors in the declared order, with their types and axes.
//!
//! The default order, that of bullet's examples: the feature transformer, then the layers, each with its
//! weights before its biases.

use alloc::vec::Vec;

use super::{Node, Raw, Tensor, layers};
use crate::descriptor::*;
use crate::model::{RawSpec, RawTensorSpec, SectionSpec};

/// Brings `tensors` into the order and the types of the file.
pub(crate) fn lower(raw: &RawSpec, tensors: &mut [Tensor], nodes: &[Node]) -> Raw {
    match &raw.order {
        Some(order) => {
            let all: Vec<_> = SectionSpec::flat(&order.value).collect();
            let place = |tensor: &Tensor| {
                let name = Some(tensor.name.as_str());
                all.iter()
                    .position(|section| section.value.tensor() == name)
            };
            tensors.sort_by_key(place);
        }
        None => tensors.sort_by_key(|tensor| default_place(tensor.role)),
    }
    let said = |tensor: &Tensor| raw.tensor(&tensor.name);
    let mut all = Vec::new();
    for (index, tensor) in tensors.iter_mut().enumerate() {
        let Some(said) = said(tensor) else { continue };
        let written = said.element.map_or(tensor.element, |element| element.value);
        match stored(said, tensor, written, nodes) {
            Some((times, over)) => {
                all.push(Stored {
                    tensor: index,
                    element: written,
                    times,
                    over,
                });
                if is_of_direct(tensor, nodes) {
                    tensor.element = ElementType::I32; // multiplied, 16 bits may not hold them
                }
            }
            None => tensor.element = written,
        }
    }
    Raw {
        sections: sections(raw, tensors, &all),
        padding: raw.padding.map_or(Padding::Any, |padding| padding.value),
        axes: tensors
            .iter()
            .map(|tensor| said(tensor).map_or_else(|| HELD.to_vec(), axes))
            .collect(),
        stored: all,
        interleaved: raw.interleaved.is_some_and(|interleaved| interleaved.value),
        enemy_first: raw.enemy_first.is_some_and(|first| first.value),
        leb128: raw.leb128.is_some_and(|leb128| leb128.value),
    }
}

/// Whether a tensor is the bias of a layer that reads the accumulators directly.
fn is_of_direct(tensor: &Tensor, nodes: &[Node]) -> bool {
    match tensor.role {
        TensorRole::LayerBias(layer) => layers(nodes)
            .nth(layer)
            .is_some_and(|(_, affine)| affine.is_direct(nodes)),
        _ => false,
    }
}

/// The parts of the file; `tensors` are in their order, `converted` those whose numbers the file has in another
/// type or scale.
fn sections(raw: &RawSpec, tensors: &[Tensor], converted: &[Stored]) -> Vec<Section<Vec<u8>>> {
    let skip = raw.skip.map(|skip| skip.value as usize);
    let skip = skip.filter(|skip| *skip > 0).map(Section::Skip);
    let Some(order) = &raw.order else {
        let all = (0..tensors.len()).map(Section::Tensor);
        return skip.into_iter().chain(all).collect();
    };
    let index_of = |name: &str| {
        let index = tensors.iter().position(|tensor| tensor.name == name);
        index.unwrap_or_default()
    };
    let section = |section: &SectionSpec| match section {
        SectionSpec::Tensor(name) => Section::Tensor(index_of(name)),
        SectionSpec::Rows(rows) => {
            let index = index_of(&rows.tensor);
            let stored = converted.iter().find(|stored| stored.tensor == index);
            let usual = stored.map_or(tensors[index].element, |stored| stored.element);
            let range = rows.range(tensors[index].rows);
            Section::Rows(RowRange {
                tensor: index,
                first: range.start,
                count: range.len(),
                element: rows.element.map_or(usual, |element| element.value),
            })
        }
        SectionSpec::Skip(bytes) => Section::Skip(bytes.value as usize),
        SectionSpec::Align(to) => Section::Align(to.value as usize),
        SectionSpec::Constant(bytes) => Section::Constant(bytes.clone()),
        SectionSpec::Text => Section::Text,
        SectionSpec::Stacks(sections) => Section::Stacks(sections.len()),
        SectionSpec::Block(tensors) => Section::Block(tensors.len()),
    };
    skip.into_iter()
        .chain(SectionSpec::flat(&order.value).map(|at| section(&at.value)))
        .collect()
}

/// Multiplier and divisor of a tensor's numbers on loading, if the file holds other numbers. Weights of layers
/// may be wider in the file. Other units have biases only.
fn stored(
    said: &RawTensorSpec,
    tensor: &Tensor,
    written: ElementType,
    nodes: &[Node],
) -> Option<(i64, i64)> {
    let scale = said.scale.map(|scale| scale.value.max(1));
    let shift = said.shift.map(|shift| 1 << shift.value.min(31));
    let times = match tensor.role {
        TensorRole::LayerWeight(_) => 1,
        role if !role.is_of_layer() => shift.unwrap_or(1),
        TensorRole::LayerBias(layer) => {
            let (node, affine) = layers(nodes).nth(layer)?;
            if affine.is_direct(nodes) && scale.is_none() {
                return None;
            }
            let unit = sums_unit(node);
            shift.unwrap_or_else(|| unit / scale.unwrap_or(unit).max(1))
        }
        _ => return None,
    };
    let is_float = tensor.element == ElementType::F32;
    if let Some([times, over]) = said.ratio.map(|ratio| ratio.value) {
        return Some((times.max(1) as i64, over.max(1) as i64));
    }
    let is_as_held = written == tensor.element && scale.is_none() && said.shift.is_none();
    if written == ElementType::F32 || is_as_held {
        return None;
    }
    let over = if is_float { scale.unwrap_or(1) } else { 1 };
    Some((if is_float { 1 } else { times.max(1) as i64 }, over as i64))
}

/// The scale of the integer sums of a layer, rounded down.
pub(crate) fn sums_unit(node: &Node) -> u64 {
    node.unit.den / node.unit.num.max(1)
}

/// Sort key of the default order in a header-less file: layer, then weights, scales, biases; the weights of
/// all feature sets before the bias of the accumulator, then those of the second perspective.
pub const fn default_place(role: TensorRole) -> (usize, usize) {
    match role {
        TensorRole::TransformerWeight => (0, 0),
        TensorRole::ExtraWeight(set) => (0, set),
        TensorRole::TransformerBias => (0, usize::MAX - 1),
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => (0, usize::MAX),
        TensorRole::SecondWeight => (1, 0),
        TensorRole::SecondExtraWeight(set) => (1, set),
        TensorRole::SecondBias => (1, usize::MAX),
        TensorRole::LayerWeight(layer) => (2 + layer, 0),
        TensorRole::LayerScale(layer) => (2 + layer, 1),
        TensorRole::LayerBias(layer) => (2 + layer, 2),
    }
}

/// The declared axes, the missing ones (of length 1) first.
fn axes(said: &RawTensorSpec) -> Vec<Part> {
    let Some(written) = &said.axes else {
        return HELD.to_vec();
    };
    let is_written = |axis: &Axis| written.value.iter().any(|part| part.value.axis == *axis);
    let missing = Axis::ALL.into_iter().filter(|axis| !is_written(axis));
    let written = written.value.iter().map(|part| part.value.part());
    missing.map(Part::whole).chain(written).collect()
}
