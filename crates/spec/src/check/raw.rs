//! Header-less files: every tensor once, in a readable type, with all of its axes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::axes::check_axes;
use super::sections::{check_order, unknown};
use crate::descriptor::{ElementType, TensorRole};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Affine, Graph, Run, Tensor, sums_unit};
use crate::loc::Loc;
use crate::model::{NetSpec, RawSpec, RawTensorSpec};

/// Greatest number of skipped bytes before the first tensor.
const MAX_SKIP: u64 = 1 << 20;

/// Greatest scale of a bias in the file.
const MAX_BIAS_SCALE: u64 = 1 << 30;

pub(super) fn check_raw(spec: &NetSpec, graph: &Graph, sink: &mut Sink) {
    let Some(raw) = &spec.format.raw else { return };
    if let Some(skip) = raw.skip.filter(|skip| skip.value > MAX_SKIP) {
        let message = format!(
            "{} bytes before the tensors are skipped, at most {MAX_SKIP} can be",
            skip.value
        );
        let help = "raw files of engines have headers of some bytes, or none";
        sink.push(Diagnostic::new(Code::HeaderSize, skip.loc, message).help(help));
    }
    if let Some(order) = &raw.order {
        check_order(graph, raw, order, sink);
    }
    if let Some(interleaved) = raw.interleaved.filter(|interleaved| interleaved.value) {
        check_interleaved(spec, graph, interleaved.loc, sink);
    }
    if let Some(first) = raw.enemy_first.filter(|first| first.value) {
        check_enemy_first(graph, first.loc, sink);
    }
    for (at, said) in raw.tensors.iter().enumerate() {
        if let Some(first) = raw.tensors[..at]
            .iter()
            .find(|first| first.name.value == said.name.value)
        {
            let message = format!("`{}` is described twice", said.name.value);
            let diagnostic = Diagnostic::new(Code::TensorOrder, said.name.loc, message)
                .help("remove one of the two");
            sink.push(diagnostic.related(first.name.loc, "first described"));
        }
        match graph
            .tensors
            .iter()
            .find(|tensor| tensor.name == said.name.value)
        {
            Some(tensor) => {
                check_element(graph, tensor, said, sink);
                check_scale(graph, tensor, said, sink);
                check_shift(graph, tensor, said, sink);
                check_ratio(graph, raw, (tensor, said), sink);
                check_axes(raw, tensor, said, sink);
            }
            None => sink.push(unknown(graph, &said.name)),
        }
    }
}

/// Own and enemy rows are exchanged where both have six kinds on 64 squares.
fn check_enemy_first(graph: &Graph, loc: Loc, sink: &mut Sink) {
    if !graph.features[0].set.has_both_sides() {
        let message = "only `Chess768` has rows of the enemy that may come first";
        let help = "leave the field out; a set of the program has its own order of rows";
        sink.push(Diagnostic::new(Code::TensorOrder, loc, message).help(help));
    }
}

/// Interleaving needs a layer that reads both perspectives and nothing else.
fn check_interleaved(spec: &NetSpec, graph: &Graph, loc: Loc, sink: &mut Sink) {
    let perspectives = spec.accumulator.perspectives;
    if perspectives.value != 2 {
        let diagnostic = Diagnostic::new(
            Code::TensorOrder,
            loc,
            "one perspective has no other to alternate with",
        );
        let help = format!(
            "leave the field out, or write `{}x2`",
            spec.accumulator.width.value
        );
        return sink.push(
            diagnostic
                .help(help)
                .related(perspectives.loc, "the number of perspectives"),
        );
    }
    let reads_more = |(_, layer): &(_, &Affine)| {
        let mut accumulators = layer
            .operands
            .iter()
            .filter(|run| graph.reads_accumulator(run))
            .peekable();
        let whole = |run: &Run| run.len == graph.nodes[run.node].len;
        accumulators.peek().is_some() && (layer.operands.len() > 1 || !accumulators.all(whole))
    };
    let has_signs = |(_, layer): &(_, &Affine)| {
        layer
            .operands
            .iter()
            .any(|run| graph.reads_signs_of_accumulator(run))
    };
    if let Some((layer, _)) = graph.layers().find(has_signs) {
        let message = format!(
            "`{}_weight` has eight signs in a byte, which do not alternate",
            layer.name
        );
        let help = "write `perspectives: concatenated`: the signs of the first perspective, then those of the second";
        sink.push(Diagnostic::new(Code::TensorOrder, loc, message).help(help));
    } else if let Some((layer, _)) = graph.layers().find(reads_more) {
        let message = format!(
            "`{}_weight` does not read both perspectives alone, which could alternate",
            layer.name
        );
        let help = "write `perspectives: concatenated`, or let one layer read one activation of the accumulators";
        sink.push(Diagnostic::new(Code::TensorOrder, loc, message).help(help));
    }
}

fn check_element(graph: &Graph, tensor: &Tensor, said: &RawTensorSpec, sink: &mut Sink) {
    let Some(element) = said.element else { return };
    let weights: Vec<_> = graph.layers().map(|(_, layer)| layer.weights).collect();
    let direct: Vec<_> = graph
        .layers()
        .map(|(_, layer)| layer.is_direct(&graph.nodes))
        .collect();
    let is_direct = |layer: usize| direct[layer];
    let on_demand: Vec<_> = graph.layers().map(|(_, layer)| layer.on_demand).collect();
    let has_floats = weights.contains(&ElementType::F32);
    let known: &[ElementType] = match tensor.role {
        TensorRole::LayerBias(layer) if is_direct(layer) => &[ElementType::I16, ElementType::I32],
        TensorRole::LayerBias(layer) if weights[layer] == ElementType::F32 => &[ElementType::F32],
        TensorRole::LayerBias(layer) if has_floats && !on_demand[layer] => &[
            ElementType::F32,
            ElementType::I8,
            ElementType::I16,
            ElementType::I32,
        ],
        TensorRole::LayerBias(_) => &[ElementType::I32, ElementType::I16, ElementType::I8],
        TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => {
            core::slice::from_ref(&tensor.element)
        }
        TensorRole::LayerWeight(layer) if weights[layer] == ElementType::I8 => {
            &[ElementType::I8, ElementType::I16, ElementType::I32]
        }
        TensorRole::LayerWeight(layer) => core::slice::from_ref(&weights[layer]),
        TensorRole::TransformerBias | TensorRole::SecondBias => {
            &[ElementType::I16, ElementType::I8]
        }
        TensorRole::LayerScale(_) => &[ElementType::I16],
        // checked with the feature set
        TensorRole::TransformerWeight | TensorRole::SecondWeight => &[graph.features[0].element],
        TensorRole::ExtraWeight(set) | TensorRole::SecondExtraWeight(set) => {
            &[graph.features[set].element]
        }
    };
    if !known.contains(&element.value) {
        let names: Vec<_> = known.iter().map(|element| element.name()).collect();
        let message = format!(
            "`{}` is read as {}, not as {}",
            tensor.name,
            names.join(" or "),
            element.value.name()
        );
        let help = format!(
            "save it as `{}`, and leave the type out",
            names.join("` or `")
        );
        sink.push(Diagnostic::new(Code::TensorElement, element.loc, message).help(help));
    }
}

/// Biases of integer layers may have another scale that divides the scale of the sums; integers that become
/// floats need a scale.
fn check_scale(graph: &Graph, tensor: &Tensor, said: &RawTensorSpec, sink: &mut Sink) {
    let layer = match tensor.role {
        TensorRole::LayerBias(layer) => graph.layers().nth(layer),
        _ => None,
    };
    let of_sums = layer.filter(|(_, affine)| affine.weights != ElementType::F32);
    let becomes_float = of_sums.is_some() && tensor.element == ElementType::F32;
    let mut refuse = |loc, message, help: String| {
        sink.push(Diagnostic::new(Code::TensorElement, loc, message).help(help))
    };
    match (said.scale, of_sums, said.element) {
        (Some(scale), None, _) => {
            let message = format!(
                "`{}` has the scale that follows from the network, no other",
                tensor.name
            );
            refuse(
                scale.loc,
                message,
                "leave the scale out; the biases of layers of whole numbers may have one".into(),
            );
        }
        (Some(scale), Some((node, _)), element) => {
            let unit = sums_unit(node);
            let is_whole =
                element.map_or(tensor.element, |element| element.value) != ElementType::F32;
            if !is_whole {
                let message = format!("`{}` in floats has no scale: 1.0 is one", tensor.name);
                refuse(
                    scale.loc,
                    message,
                    "leave the scale out, or write `i8`, `i16` or `i32`".into(),
                );
            } else if scale.value == 0 || scale.value > MAX_BIAS_SCALE {
                let message = format!("a scale is 1 to {MAX_BIAS_SCALE}, not {}", scale.value);
                refuse(
                    scale.loc,
                    message,
                    "write what 1.0 is in the numbers of the file".into(),
                );
            } else if !becomes_float && !unit.is_multiple_of(scale.value) {
                let message = format!(
                    "1.0 of the sums is {unit}, which is no multiple of {}",
                    scale.value
                );
                refuse(
                    scale.loc,
                    message,
                    format!("write a divisor of {unit}, as that of the weights is"),
                );
            }
        }
        (None, Some(_), Some(element)) if becomes_float && element.value != ElementType::F32 => {
            let message = format!(
                "`{}` becomes floats, and what 1.0 is in {} is not said",
                tensor.name,
                element.value.name()
            );
            refuse(
                element.loc,
                message,
                format!(
                    "write the scale of the file: `{}: {} @ 64`",
                    tensor.name,
                    element.value.name()
                ),
            );
        }
        (None, _, _) => {}
    }
}

/// Greatest factor and divisor of a ratio.
const MAX_RATIO: u64 = 1 << 16;

/// Greatest quotient of a ratio: what rounding drops of a number is kept in a byte.
const MAX_ROUNDING: u64 = 127;

/// Only biases of integer sums are multiplied by a ratio, and not by a scale or a shift too.
fn check_ratio(
    graph: &Graph,
    raw: &RawSpec,
    (tensor, said): (&Tensor, &RawTensorSpec),
    sink: &mut Sink,
) {
    let Some(ratio) = said.ratio else { return };
    let [times, over] = ratio.value;
    let (message, help) = if !is_bias_of_sums(graph, tensor) {
        let message = format!("`{}` is read as it is, without a ratio", tensor.name);
        let help = "leave `* n / d` out; biases of integer sums may have it";
        (message, help)
    } else if said.scale.is_some() || said.shift.is_some() {
        let message = format!(
            "`{}` has a ratio, and a scale or a shift as well",
            tensor.name
        );
        (message, "write one of them")
    } else if !(1..=MAX_RATIO).contains(&times) || !(1..=MAX_RATIO).contains(&over) {
        let message = format!("factor and divisor are 1 to {MAX_RATIO}, not {times} and {over}");
        (message, "write the engine's, for example `* 127 / 255`")
    } else if raw.is_leb128(&tensor.name) {
        let message = format!(
            "`{}` stands in LEB128 numbers, without a ratio",
            tensor.name
        );
        (
            message,
            "ratios are of numbers with as many bytes as their type has",
        )
    } else if over > times * MAX_ROUNDING {
        let message =
            format!("`* {times} / {over}` makes numbers more than {MAX_ROUNDING} times smaller");
        (
            message,
            "write the scale of the file, for example `@ 64`, in place of a ratio",
        )
    } else {
        return;
    };
    sink.push(Diagnostic::new(Code::TensorElement, ratio.loc, message).help(help));
}

/// Whether a tensor is the bias of a layer whose sums are integers.
fn is_bias_of_sums(graph: &Graph, tensor: &Tensor) -> bool {
    let TensorRole::LayerBias(layer) = tensor.role else {
        return false;
    };
    let layer = graph.layers().nth(layer);
    tensor.element != ElementType::F32
        && layer.is_some_and(|(_, affine)| !affine.is_direct(&graph.nodes))
}

/// Only integers of the feature transformer and biases of integer sums are shifted, and not by a scale too.
fn check_shift(graph: &Graph, tensor: &Tensor, said: &RawTensorSpec, sink: &mut Sink) {
    let Some(shift) = said.shift else { return };
    let of_transformer = !tensor.role.is_of_layer() && tensor.element != ElementType::F32;
    let shifts = of_transformer || is_bias_of_sums(graph, tensor);
    let (message, help) = if !shifts {
        let message = format!("`{}` is read as it is, without a shift", tensor.name);
        (
            message,
            "leave `<<` out; biases of integer sums and the feature transformer may have it",
        )
    } else if shift.value > 30 {
        let message = format!(
            "numbers are shifted by up to 30 bits, not by {}",
            shift.value
        );
        (
            message,
            "write the bits by which the engine shifts them, for example `<< 8`",
        )
    } else if said.scale.is_some() {
        let message = format!(
            "`{}` has a scale and a shift, which say the same",
            tensor.name
        );
        (message, "leave one of them out")
    } else {
        return;
    };
    sink.push(Diagnostic::new(Code::TensorElement, shift.loc, message).help(help));
}
