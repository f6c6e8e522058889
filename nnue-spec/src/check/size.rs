//! What a plan shows: inputs of layers, ranges of sums, bytes.

use alloc::format;

use super::MAX_BYTES;
use super::shape::LayerFacts;
use crate::descriptor::{LayerKind, Source};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::model::NetSpec;
use crate::plan::Plan;

pub(super) fn check_inputs(plan: &Plan, facts: &[LayerFacts], sink: &mut Sink) {
    for (layer, facts) in plan.layers.iter().zip(facts) {
        if layer.kind == LayerKind::Sparse && layer.segments.len() > 1 {
            let from_accumulator = |buffer: usize| plan.buffers[buffer].source == Source::Accumulator;
            let accumulators = layer.segments.iter().filter(|segment| from_accumulator(segment.buffer)).count();
            let message = if accumulators == layer.segments.len() {
                format!("a layer reads 1 run of activated accumulators, found {accumulators}")
            } else {
                "one layer reads accumulators and values of layers, which is not supported yet".into()
            };
            sink.push(
                Diagnostic::new(Code::UnsupportedMixedInputs, facts.input, message)
                    .help("read the accumulator in a layer of its own, and concatenate activations of that layer"),
            );
        }
    }
}

pub(super) fn check_sums(plan: &Plan, facts: &[LayerFacts], sink: &mut Sink) {
    for (layer, facts) in plan.layers.iter().zip(facts) {
        let inputs = |segment: &crate::descriptor::Segment| {
            (segment.len as u64).saturating_mul(plan.buffers[segment.buffer].max as u64)
        };
        let reach = layer.segments.iter().map(inputs).fold(0, u64::saturating_add).saturating_mul(128);
        if reach > i32::MAX as u64 {
            let message = format!("sums of {} inputs reach {reach}, i32 holds {}", layer.inputs, i32::MAX);
            sink.push(
                Diagnostic::new(Code::SumOverflow, facts.input, message)
                    .help(format!("read at most {} values", i32::MAX / 127 / 128))
                    .note("each input reaches 127 and each weight -128"),
            );
        }
    }
}

pub(super) fn check_bytes(plan: &Plan, spec: &NetSpec, sink: &mut Sink) {
    let product = |numbers: [usize; 4]| numbers.into_iter().fold(1, |all, n| u64::saturating_mul(all, n as u64));
    let tensors = plan.tensors.iter().map(|t| (&t.name, product([t.rows, t.cols, t.copies, t.element.bytes()])));
    let total = tensors.clone().fold(0, |sum, (_, bytes)| u64::saturating_add(sum, bytes));
    if total > MAX_BYTES {
        let message = format!("the network has {total} bytes of parameters, the limit is {MAX_BYTES}");
        let largest = tensors.max_by_key(|(_, bytes)| *bytes);
        let mut diagnostic = Diagnostic::new(Code::NetworkTooLarge, spec.name.loc, message)
            .help("make the accumulator or the layers narrower, or declare fewer stacks");
        if let Some((name, bytes)) = largest {
            diagnostic = diagnostic.note(format!("the greatest tensor is `{name}` with {bytes} bytes"));
        }
        sink.push(diagnostic);
    }
}
