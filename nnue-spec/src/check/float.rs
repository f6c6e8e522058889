//! Layers of 32-bit floats: behind the accumulators, or behind one layer of whole numbers.

use alloc::format;

use super::own_activation;
use super::shape::LayerFacts;
use crate::descriptor::{LayerKind, Source, StepDesc};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::Located;
use crate::model::{Activation, NetSpec, ValueForm};
use crate::plan::Plan;

/// Partial sums are a power of two, at most the inputs, whose number an earlier error may hide.
pub(super) fn check_sums(sums: Option<Located<u64>>, inputs: Option<u64>, sink: &mut Sink) {
    let (Some(sums), Some(inputs)) = (sums, inputs) else { return };
    if !sums.value.is_power_of_two() || sums.value < 2 || sums.value > inputs {
        let message = format!("partial sums are a power of two from 2 to {inputs}, the inputs, not {}", sums.value);
        sink.push(Diagnostic::new(Code::FloatLayers, sums.loc, message).help("a common number is `sums 16`"));
    }
}

fn check_shift(shift: Option<Located<u64>>, sink: &mut Sink) {
    if let Some(shift) = shift {
        let message = format!("floats are not shifted, found `>> {}`", shift.value);
        sink.push(Diagnostic::new(Code::MisplacedShift, shift.loc, message).help("remove the shift"));
    }
}

/// What is made of sums for layers of floats.
pub(super) fn check_activation(function: Located<Activation>, shift: Option<Located<u64>>, sink: &mut Sink) {
    check_shift(shift, sink);
    if let Activation::Own(own) = function.value {
        own_activation::check_floats(own, sink);
    }
    if function.value == Activation::Pairwise {
        let message = "`pairwise` multiplies accumulators; layers of floats have `gated`";
        sink.push(Diagnostic::new(Code::FloatLayers, function.loc, message).help("write `gated`, or `screlu`"));
    }
}

/// What is made of accumulators for layers of floats.
pub(super) fn check_input(function: Located<Activation>, shift: Option<Located<u64>>, sink: &mut Sink) {
    check_shift(shift, sink);
    if let Activation::Own(own) = function.value {
        own_activation::check_floats(own, sink);
    } else if !matches!(function.value, Activation::Crelu | Activation::Screlu | Activation::Pairwise) {
        let message = format!("floats are not made of `{}` of accumulators", function.value.name());
        sink.push(
            Diagnostic::new(Code::FloatLayers, function.loc, message).help("write `crelu`, `screlu` or `pairwise`"),
        );
    }
}

/// All layers are made of floats, but the first need not be; the output is a sum of neurons, or three of the last layer.
pub(super) fn check_graph(spec: &NetSpec, plan: &Plan, facts: &[LayerFacts], sink: &mut Sink) {
    let is_float = |layer: usize| matches!(plan.layers[layer].kind, LayerKind::Float { .. });
    let Some(first) = (0..plan.layers.len()).find(|&layer| is_float(layer)) else {
        check_value(spec, sink);
        return;
    };
    let in_front = first == 0 || (first == 1 && plan.layers[0].kind == LayerKind::Sparse);
    let only_floats = plan.steps.iter().all(|step| !matches!(step, StepDesc::ActivateSums { .. }));
    if !(in_front && only_floats && (first..plan.layers.len()).all(is_float)) {
        let message = "layers of floats follow each other, behind one layer that reads the accumulators or directly";
        let help = "write `-> (16 screlu -> 32: f32 screlu -> 1: f32)`; the last layer is the output";
        sink.push(Diagnostic::new(Code::FloatLayers, facts[first].outputs.loc, message).help(help));
    }
    for (layer, facts) in plan.layers.iter().zip(facts).skip(first) {
        let segments = &layer.segments;
        let of = |source: Source| segments.iter().any(|segment| plan.buffers[segment.buffer].source == source);
        let mixed = segments.len() > 1 && of(Source::FloatAccumulator);
        if of(Source::Accumulator) || mixed {
            let message = "a layer of floats reads one activation of the accumulators, or activations of layers";
            let help = "read the accumulator in a layer of its own, and concatenate activations of that layer";
            sink.push(Diagnostic::new(Code::UnsupportedMixedInputs, facts.input, message).help(help));
        }
    }
    let ratio = spec.output.terms.iter().find_map(|term| term.ratio).or(spec.output.ratio);
    if let Some(ratio) = ratio {
        let message = "the output is made of floats, which have no factors of whole numbers";
        let help = "write the factor behind the output: `value output * 400;`";
        sink.push(Diagnostic::new(Code::FloatLayers, ratio.num.loc, message).help(help));
    }
    check_form(spec, sink);
}

/// Sigmoids and softmax are taken of floats.
fn check_value(spec: &NetSpec, sink: &mut Sink) {
    let Some(value) = spec.value else { return };
    let word = match value.form {
        ValueForm::Sigmoid => "sigmoid(output)",
        ValueForm::Wdl => "wdl",
        ValueForm::Together | ValueForm::Separately | ValueForm::Output => return,
    };
    let message = format!("`value {word}` reads floats, and no layer of this network is of floats");
    let help = "give the last layer the type `f32`, or write `value output * 400;`";
    sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
}

/// An output of floats is a number of which 1.0 is worth something, and `wdl` is three.
fn check_form(spec: &NetSpec, sink: &mut Sink) {
    let Some(value) = spec.value else { return };
    match value.form {
        ValueForm::Together | ValueForm::Separately => {
            let message = "the output is a float, which is not divided";
            let help = "write `value output * 400;`: the value of an output of 1.0";
            sink.push(Diagnostic::new(Code::BadValue, value.number.loc, message).help(help));
        }
        ValueForm::Wdl if spec.output.terms.len() > 1 || spec.output.terms.iter().any(|term| term.negative) => {
            let message = "`value wdl` reads the three outputs of one layer, and the output is a sum";
            sink.push(
                Diagnostic::new(Code::BadValue, value.number.loc, message).help("write `output affine(x, 3: f32);`"),
            );
        }
        ValueForm::Wdl | ValueForm::Output | ValueForm::Sigmoid => {}
    }
}
