//! Layers of 32-bit floats: a chain behind one layer of whole numbers.

use alloc::format;

use super::shape::LayerFacts;
use crate::descriptor::{LayerKind, StepDesc};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Located;
use crate::model::NetSpec;
use crate::plan::Plan;

/// Partial sums are a power of two, at most the inputs.
pub(super) fn check_sums(sums: Option<Located<u64>>, inputs: u64, sink: &mut Sink) {
    let Some(sums) = sums else { return };
    if !sums.value.is_power_of_two() || sums.value < 2 || sums.value > inputs {
        let message = format!("partial sums are a power of two from 2 to {inputs}, the inputs, not {}", sums.value);
        sink.push(Diagnostic::new(Code::FloatLayers, sums.loc, message).help("a common number is `sums 16`"));
    }
}

/// All layers but the first are made of floats, each reads the one in front of it, and the last is the output.
pub(super) fn check_chain(spec: &NetSpec, plan: &Plan, facts: &[LayerFacts], sink: &mut Sink) {
    let is_float = |layer: usize| matches!(plan.layers[layer].kind, LayerKind::Float { .. });
    let Some(first) = (0..plan.layers.len()).find(|&layer| is_float(layer)) else { return };
    let in_order = |layer: usize| {
        is_float(layer)
            && plan.steps.iter().any(|step| match *step {
                StepDesc::ActivateFloat { layer: read, buffer, .. } => {
                    read + 1 == layer && plan.layers[layer].segments[0].buffer == buffer
                }
                _ => false,
            })
    };
    let only_floats = plan.steps.iter().all(|step| !matches!(step, StepDesc::ActivateSums { .. }));
    let plain = spec.output.ratio.is_none() && spec.output.terms.iter().all(|t| t.ratio.is_none() && !t.negative);
    let output = plan.terms.len() == 1 && plan.terms[0].layer + 1 == plan.layers.len();
    let chain = first == 1 && plan.layers[0].kind == LayerKind::Sparse && (1..plan.layers.len()).all(in_order);
    if !(chain && only_floats && plain && output) {
        let message = "layers of floats follow each other behind one layer that reads the accumulators";
        let help = "write `-> (16 screlu -> 32: f32 screlu -> 1: f32)`; the last layer is the output";
        sink.push(Diagnostic::new(Code::FloatLayers, facts[first].outputs.loc, message).help(help));
    }
}
