//! The container and the tensors in file order.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::{PlanLayer, PlanTensor};
use crate::descriptor::*;
use crate::hash;
use crate::model::NetSpec;
use crate::quant;

pub(super) fn encoding(spec: &NetSpec) -> Encoding {
    spec.format.encoding.map_or(Encoding::Raw, |encoding| encoding.value)
}

pub(super) fn container(
    spec: &NetSpec,
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    layers: &[PlanLayer],
) -> ContainerDesc {
    let values = accumulator.width * accumulator.perspectives;
    let sets: Vec<u32> = features.iter().map(|feature| feature.set.hash()).collect();
    let start = spec.format.features.map_or_else(|| hash::features(&sets), |start| start.value as u32);
    ContainerDesc {
        version: spec.format.version.map_or(quant::DEFAULT_VERSION, |version| version.value as u32),
        transformer_hash: hash::transformer(start, values),
        stack_hash: hash::stack(values, layers.iter().map(|layer| layer.outputs)),
        encoding: encoding(spec),
    }
}

/// The tensors in file order (fact sheet, sections 3 and 4): sets after the first stand before it.
pub(super) fn tensors(
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    stacks: StackDesc,
    layers: &[PlanLayer],
    encoding: Encoding,
) -> Vec<PlanTensor> {
    let AccumulatorDesc { width, psqt, separate, .. } = accumulator;
    let bias = TensorRole::TransformerBias;
    let mut all = vec![tensor("ft_bias".to_string(), bias, ElementType::I16, [1, width, 1])];
    let order = (1..features.len()).chain([0]);
    let weights = order.clone().map(|index| feature_weight(features, index, width));
    let psqts = order.map(|index| feature_psqt(features, index, psqt));
    if psqt == 0 {
        all.extend(weights);
    } else if encoding.is_joint() {
        all.extend(weights.chain(psqts));
    } else {
        all.extend(weights.zip(psqts).flat_map(|(weight, psqt)| [weight, psqt]));
    }
    if separate {
        let weight = TensorRole::SecondWeight;
        let FeatureDesc { rows, element, .. } = features[0];
        all.push(tensor("ft_second_bias".to_string(), TensorRole::SecondBias, ElementType::I16, [1, width, 1]));
        all.push(tensor("ft_second_weight".to_string(), weight, element, [rows, width, 1]));
    }
    let floats = layers.iter().any(|layer| matches!(layer.kind, LayerKind::Float { .. }));
    for (index, PlanLayer { name, outputs, file_inputs, kind, .. }) in layers.iter().enumerate() {
        let (bias, weight) = (TensorRole::LayerBias(index), TensorRole::LayerWeight(index));
        let (bias_element, weight_element) = match kind {
            LayerKind::Direct => (ElementType::I16, ElementType::I16),
            LayerKind::Float { .. } => (ElementType::F32, ElementType::F32),
            // A layer in front of floats has its bias in floats.
            _ if floats => (ElementType::F32, ElementType::I8),
            LayerKind::Sparse | LayerKind::Dense | LayerKind::Row => (ElementType::I32, ElementType::I8),
        };
        all.push(tensor(format!("{name}_bias"), bias, bias_element, [1, *outputs, stacks.count]));
        all.push(tensor(format!("{name}_weight"), weight, weight_element, [*outputs, *file_inputs, stacks.count]));
    }
    all
}

fn tensor(name: String, role: TensorRole, element: ElementType, [rows, cols, copies]: [usize; 3]) -> PlanTensor {
    PlanTensor { name, role, element, rows, cols, copies }
}

/// `ft_weight`, `ft1_weight`, ...
fn feature_weight(features: &[FeatureDesc], index: usize, width: usize) -> PlanTensor {
    let FeatureDesc { rows, element, .. } = features[index];
    let name = if index == 0 { "ft_weight".to_string() } else { format!("ft{index}_weight") };
    tensor(name, TensorRole::weight_of(index), element, [rows, width, 1])
}

/// `ft_psqt`, `ft1_psqt`, ...
fn feature_psqt(features: &[FeatureDesc], index: usize, psqt: usize) -> PlanTensor {
    let name = if index == 0 { "ft_psqt".to_string() } else { format!("ft{index}_psqt") };
    tensor(name, TensorRole::psqt_of(index), ElementType::I32, [features[index].rows, psqt, 1])
}
