//! Limits: inputs of layers, ranges of sums, total bytes.

use alloc::format;

use super::MAX_BYTES;
use super::facts::LayerFacts;
use crate::descriptor::ElementType;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Affine, Graph, Run};
use crate::model::NetSpec;

/// Checks layers of 8-bit weights and of signs; those of 16-bit weights or values use 64-bit sums where
/// necessary. Sums of 32-bit integers depend on the weights: a loaded network is proved.
pub(super) fn check_sums(graph: &Graph, facts: &[LayerFacts], sink: &mut Sink) {
    let in_i32 = |layer: &Affine| {
        layer.weights == ElementType::I8
            && !layer.reads_words(&graph.nodes)
            && !layer.is_integer(&graph.nodes)
    };
    for ((_, layer), facts) in graph
        .layers()
        .zip(facts)
        .filter(|((_, layer), _)| in_i32(layer))
    {
        let greatest = |run: &Run| {
            graph.nodes[run.node]
                .range
                .map_or(1, |(_, greatest)| greatest as u64)
        };
        let inputs = |run: &Run| (run.len as u64).saturating_mul(greatest(run));
        // For signs, the weight is the scale of the output, at most 2^15 in magnitude.
        let (weight, input) = if layer.binary {
            (1 << 15, 1)
        } else {
            (128, 127)
        };
        let reach = layer
            .operands
            .iter()
            .map(inputs)
            .fold(0, u64::saturating_add)
            .saturating_mul(weight);
        if reach > i32::MAX as u64 {
            let message = format!(
                "sums of {} inputs reach {reach}, i32 holds {}",
                layer.inputs(),
                i32::MAX
            );
            sink.push(
                Diagnostic::new(Code::SumOverflow, facts.input, message)
                    .help(format!(
                        "read at most {} values",
                        i32::MAX as u64 / input / weight
                    ))
                    .note(format!(
                        "each input reaches {input} and each weight -{weight}"
                    )),
            );
        }
    }
}

pub(super) fn check_bytes(graph: &Graph, spec: &NetSpec, sink: &mut Sink) {
    let product = |numbers: [usize; 4]| {
        numbers
            .into_iter()
            .fold(1, |all, n| u64::saturating_mul(all, n as u64))
    };
    let tensors = graph.tensors.iter().map(|t| {
        (
            &t.name,
            product([t.rows, t.cols, t.copies, t.element.bytes()]),
        )
    });
    let total = tensors
        .clone()
        .fold(0, |sum, (_, bytes)| u64::saturating_add(sum, bytes));
    if total > MAX_BYTES {
        let message =
            format!("the network has {total} bytes of parameters, the limit is {MAX_BYTES}");
        let largest = tensors.max_by_key(|(_, bytes)| *bytes);
        let mut diagnostic = Diagnostic::new(Code::NetworkTooLarge, spec.name.loc, message)
            .help("make the accumulator or the layers narrower, or declare fewer stacks");
        if let Some((name, bytes)) = largest {
            diagnostic = diagnostic.note(format!(
                "the greatest tensor is `{name}` with {bytes} bytes"
            ));
        }
        sink.push(diagnostic);
    }
}
