//! Float layers, after the accumulators or after one integer layer.

use alloc::format;

use super::custom;
use super::facts::LayerFacts;
use crate::descriptor::ElementType;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Affine, Element, Graph, Node, Op, Run};
use crate::loc::Located;
use crate::model::{Function, NetSpec, ValueForm};

/// Partial sums must be a power of two, at most the number of inputs, which an earlier error may hide.
pub(super) fn check_sums(sums: Option<Located<u64>>, inputs: Option<u64>, sink: &mut Sink) {
    let (Some(sums), Some(inputs)) = (sums, inputs) else {
        return;
    };
    if !sums.value.is_power_of_two() || sums.value < 2 || sums.value > inputs {
        let message = format!(
            "partial sums are a power of two from 2 to the {inputs} inputs, not {}",
            sums.value
        );
        let help = match inputs.checked_ilog2() {
            None | Some(0) => "leave `sums` out".into(),
            Some(bits) => format!(
                "write the number that the trainer or engine adds with, up to {}, or leave `sums` out",
                1u64 << bits
            ),
        };
        sink.push(Diagnostic::new(Code::FloatLayers, sums.loc, message).help(help));
    }
}

fn check_shift(shift: Option<Located<u64>>, sink: &mut Sink) {
    if let Some(shift) = shift {
        let message = format!("floats are not shifted, found `>> {}`", shift.value);
        sink.push(
            Diagnostic::new(Code::MisplacedShift, shift.loc, message).help("remove the shift"),
        );
    }
}

/// An activation of sums for float layers.
pub(super) fn of_sums(
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    check_shift(shift, sink);
    match &function.value {
        Function::Custom(custom) => return custom::check_floats(custom, sink),
        Function::Known(activation) if activation.operation()?.floats.is_some() => return Some(0),
        Function::Known(_) => {}
    }
    let message = format!(
        "`{}` makes whole numbers, layers of floats read floats",
        function.value.name()
    );
    sink.push(
        Diagnostic::new(Code::FloatLayers, function.loc, message)
            .help("write `screlu`, or `gated`"),
    );
    None
}

/// An activation of accumulators for float layers.
pub(super) fn of_accumulators(
    function: &Located<Function>,
    shift: Option<Located<u64>>,
    sink: &mut Sink,
) -> Option<u32> {
    check_shift(shift, sink);
    match &function.value {
        Function::Custom(custom) => return custom::check_floats(custom, sink),
        Function::Known(activation)
            if activation.operation()?.whole.is_some() || activation.pool().is_some() =>
        {
            return Some(0);
        }
        Function::Known(_) => {}
    }
    let message = format!(
        "floats are not made of `{}` of accumulators",
        function.value.name()
    );
    sink.push(
        Diagnostic::new(Code::FloatLayers, function.loc, message)
            .help("write `crelu`, `screlu` or `pairwise`"),
    );
    None
}

/// All layers must be floats, except possibly the first; the output is a sum of neurons, or three of the last
/// layer.
pub(super) fn check_graph(spec: &NetSpec, graph: &Graph, facts: &[LayerFacts], sink: &mut Sink) {
    let is_float = |layer: &Affine| layer.weights == ElementType::F32;
    // Layers with rows on demand may be integers beside them.
    let chain = || {
        graph
            .layers()
            .zip(facts)
            .filter(|((_, layer), _)| !layer.on_demand)
    };
    let Some(first) = chain().position(|((_, layer), _)| is_float(layer)) else {
        check_value(spec, sink);
        return;
    };
    let of_accumulator =
        |run: &Run| graph.reads_accumulator(run) || graph.reads_signs_of_accumulator(run);
    let reads_accumulator = |layer: &Affine| layer.operands.iter().any(of_accumulator);
    let is_of_layers =
        |node: &Node| matches!(node.op, Op::Activate { operand, .. } if operand != 0);
    let mut layers = chain().map(|((node, layer), _)| (node.len, layer));
    let in_front = first == 0
        || (first == 1
            && layers
                .next()
                .is_some_and(|(outputs, layer)| outputs > 1 && reads_accumulator(layer)));
    let only_floats = graph
        .nodes
        .iter()
        .all(|node| !is_of_layers(node) || node.element == Element::F32);
    let mut layers = chain().skip(first);
    if let Some((_, facts)) = layers.find(|((_, layer), _)| !is_float(layer)) {
        let message = "a layer of 8-bit weights cannot follow layers of floats";
        let help = "give all layers after the first one of floats the type `f32`: `-> 16: f32 -> 32: f32 -> 1: f32`";
        sink.push(Diagnostic::new(Code::FloatLayers, facts.outputs.loc, message).help(help));
    } else if let Some((_, at)) = chain().nth(first).filter(|_| !(in_front && only_floats)) {
        let message = "only one layer of 8-bit weights may come before layers of floats";
        let help = "let it read the accumulators, and give the others the type: `-> 16 screlu -> 32: f32 screlu -> 1: f32`";
        sink.push(Diagnostic::new(Code::FloatLayers, at.outputs.loc, message).help(help));
    }
    for ((_, layer), facts) in chain().skip(first) {
        if layer
            .operands
            .iter()
            .any(|run| graph.nodes[run.node].element == Element::U8)
        {
            let message = "a layer of floats does not read what layers of 8-bit weights read of the accumulators";
            let help = "give all layers the type `f32`, or concatenate activations of layers alone";
            sink.push(
                Diagnostic::new(Code::UnsupportedMixedInputs, facts.input, message).help(help),
            );
        }
    }
    let ratio = spec
        .output
        .terms
        .iter()
        .find_map(|term| term.ratio)
        .or(spec.output.ratio);
    if let Some(ratio) = ratio {
        let message = "the output is made of floats, which have no factors of whole numbers";
        let help = "write the factor in the value: `value output * 400;`";
        sink.push(Diagnostic::new(Code::FloatLayers, ratio.num.loc, message).help(help));
    }
    check_form(spec, sink);
}

/// Sigmoids and softmax need float outputs.
fn check_value(spec: &NetSpec, sink: &mut Sink) {
    let Some(value) = spec.value else { return };
    let word = match value.form {
        ValueForm::Sigmoid => "sigmoid(output)",
        ValueForm::Wdl => "wdl",
        ValueForm::Together | ValueForm::Separately | ValueForm::Output | ValueForm::Shifted => {
            return;
        }
    };
    let message = format!("`value {word}` reads floats, and no layer of this network is of floats");
    let help = "give the last layer the type `f32`, or write `value output * 400;`";
    sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
}

/// A float output needs the form of a float value, and `wdl` needs three outputs.
fn check_form(spec: &NetSpec, sink: &mut Sink) {
    let Some(value) = spec.value else { return };
    match value.form {
        ValueForm::Output if value.over.is_some() => {
            let message = "a float output has a factor, and no divisor";
            let help = "leave the divisor out: `value output * 400;`";
            let loc = value.over.map_or(value.number.loc, |over| over.loc);
            sink.push(Diagnostic::new(Code::BadValue, loc, message).help(help));
        }
        ValueForm::Together | ValueForm::Separately | ValueForm::Shifted => {
            let message = "the output is a float, which is not divided";
            let help = "write `value output * 400;`: the value of an output of 1.0";
            sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
        }
        ValueForm::Wdl
            if spec.output.terms.len() > 1
                || spec.output.terms.iter().any(|term| term.negative) =>
        {
            let message =
                "`value wdl` reads the three outputs of one layer, and the output is a sum";
            sink.push(
                Diagnostic::new(Code::BadValue, value.number.loc, message)
                    .help("write `output affine(x, 3: f32);`"),
            );
        }
        ValueForm::Wdl | ValueForm::Output | ValueForm::Sigmoid => {}
    }
}
