//! The container and the tensors in file order.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Affine, Node, Tensor, layers};
use crate::descriptor::*;
use crate::hash;
use crate::model::FormatSpec;
use crate::quant;

pub(crate) fn container(
    format: &FormatSpec,
    encoding: Encoding,
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    nodes: &[Node],
) -> ContainerDesc {
    let values = accumulator.width * accumulator.perspectives;
    let sets: Vec<u32> = features.iter().map(|feature| feature.set.hash()).collect();
    let start = format
        .features
        .map_or_else(|| hash::features(&sets), |start| start.value as u32);
    let outputs: Vec<usize> = layers(nodes).map(|(node, _)| node.len).collect();
    ContainerDesc {
        version: format
            .version
            .map_or(quant::DEFAULT_VERSION, |version| version.value as u32),
        transformer_hash: hash::transformer(start, values),
        stack_hash: hash::stack(values, outputs.into_iter()),
        encoding,
    }
}

/// The tensors in file order (`docs/files.md`): the first feature set follows the others.
pub(crate) fn tensors(
    features: &[FeatureDesc],
    accumulator: AccumulatorDesc,
    stacks: StackDesc,
    nodes: &[Node],
    encoding: Encoding,
) -> Vec<Tensor> {
    let AccumulatorDesc {
        width, separate, ..
    } = accumulator;
    let bias = TensorRole::TransformerBias;
    let mut all = vec![tensor(
        "ft_bias".to_string(),
        bias,
        ElementType::I16,
        [1, width, 1],
    )];
    let order = (1..features.len()).chain([0]);
    let weights = order
        .clone()
        .map(|index| feature_weight(features, index, width));
    match accumulator.psqt_columns() {
        None => all.extend(weights),
        Some(columns) => {
            let psqts = order
                .clone()
                .map(|index| feature_psqt(features, index, columns));
            if encoding.is_joint() {
                all.extend(weights.chain(psqts));
            } else {
                all.extend(weights.zip(psqts).flat_map(|(weight, psqt)| [weight, psqt]));
            }
        }
    }
    if separate {
        all.push(tensor(
            "ft_second_bias".to_string(),
            TensorRole::SecondBias,
            ElementType::I16,
            [1, width, 1],
        ));
        all.extend(order.map(|index| second_weight(features, index, width)));
    }
    let floats = layers(nodes).any(|(_, layer)| layer.weights == ElementType::F32);
    for (
        index,
        (
            Node {
                name, len: outputs, ..
            },
            layer,
        ),
    ) in layers(nodes).enumerate()
    {
        let Affine {
            weights,
            columns,
            on_demand,
            binary,
            integer_bias,
            ..
        } = layer;
        let (bias, weight) = (TensorRole::LayerBias(index), TensorRole::LayerWeight(index));
        let bias_element = match weights {
            ElementType::I16 if layer.is_direct(nodes) => ElementType::I16,
            // The bias of a layer that feeds floats is a float.
            _ if floats && !on_demand && !integer_bias => ElementType::F32,
            _ => ElementType::I32,
        };
        all.push(tensor(
            format!("{name}_bias"),
            bias,
            bias_element,
            [1, *outputs, stacks.count],
        ));
        if *binary {
            let scale = TensorRole::LayerScale(index);
            all.push(tensor(
                format!("{name}_scale"),
                scale,
                ElementType::I16,
                [1, *outputs, stacks.count],
            ));
        }
        all.push(tensor(
            format!("{name}_weight"),
            weight,
            *weights,
            [*outputs, *columns, stacks.count],
        ));
    }
    all
}

fn tensor(
    name: String,
    role: TensorRole,
    element: ElementType,
    [rows, cols, copies]: [usize; 3],
) -> Tensor {
    Tensor {
        name,
        role,
        element,
        rows,
        cols,
        copies,
    }
}

/// `ft_weight`, `ft1_weight`, ...
fn feature_weight(features: &[FeatureDesc], index: usize, width: usize) -> Tensor {
    let FeatureDesc { rows, element, .. } = features[index];
    let name = if index == 0 {
        "ft_weight".to_string()
    } else {
        format!("ft{index}_weight")
    };
    tensor(
        name,
        TensorRole::weight_of(index),
        element,
        [rows, width, 1],
    )
}

/// `ft_second_weight`, `ft1_second_weight`, ...
fn second_weight(features: &[FeatureDesc], index: usize, width: usize) -> Tensor {
    let FeatureDesc { rows, element, .. } = features[index];
    let name = if index == 0 {
        "ft_second_weight".to_string()
    } else {
        format!("ft{index}_second_weight")
    };
    tensor(
        name,
        TensorRole::second_weight_of(index),
        element,
        [rows, width, 1],
    )
}

/// `ft_psqt`, `ft1_psqt`, ...
fn feature_psqt(
    features: &[FeatureDesc],
    index: usize,
    (columns, element): (usize, ElementType),
) -> Tensor {
    let name = if index == 0 {
        "ft_psqt".to_string()
    } else {
        format!("ft{index}_psqt")
    };
    tensor(
        name,
        TensorRole::psqt_of(index),
        element,
        [features[index].rows, columns, 1],
    )
}
