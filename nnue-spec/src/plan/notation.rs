//! The network as a chain in the usual notation, for people: `HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 ->
//! (15+1 sqr_crelu|crelu -> 32 -> 1)x8`. `15+1` are fifteen neurons that are activated and one that only goes to the output.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Plan, PlanLayer, readers};
use crate::descriptor::*;
use crate::op::Shift;
use crate::quant;

pub(super) fn notation(plan: &Plan) -> String {
    let features: Vec<_> =
        plan.features.iter().map(|feature| crate::text::feature(feature, &plan.custom.set)).collect();
    let layers = layers_notation(plan);
    let layers = if plan.stacks.count == 1 { layers } else { format!("({layers})x{}", plan.stacks.count) };
    let mut text = format!("{} -> {} -> {layers}", features.join(" + "), accumulator_notation(plan));
    match plan.stacks.selector {
        Selector::Single => {}
        Selector::PieceCount { minus, divide } => {
            let (minus, divide) = (minus as u64, divide as u64);
            if (minus, divide) != quant::default_selector(plan.stacks.count as u64) {
                text += &format!(" by {}", crate::text::selector(minus, divide));
            }
        }
        Selector::Table(_) => text += " by a table",
        Selector::Custom => text += " by a function",
    }
    text
}

/// The layers that the value reads, then those that each other output has of its own: `16 -> 1 | wdl: 3 | moves_left: 8 -> 1`.
fn layers_notation(plan: &Plan) -> String {
    let readers = readers(&plan.tables().descriptor());
    let first_reader = |layer: usize| {
        let step = plan.steps.iter().position(|step| matches!(*step, StepDesc::Affine { layer: of } | StepDesc::AffineDirect { layer: of, .. } if of == layer));
        step.map_or(0, |step| readers[step].trailing_zeros())
    };
    let chain = |reader: u32| {
        let layers = (0..plan.layers.len()).filter(|&layer| first_reader(layer) == reader);
        layers.map(|layer| layer_notation(plan, layer)).collect::<Vec<_>>().join(" -> ")
    };
    let heads = plan.heads.iter().zip(1..).map(|(head, reader)| format!(" | {}: {}", head.name, chain(reader)));
    chain(0) + &heads.collect::<String>()
}

fn accumulator_notation(plan: &Plan) -> String {
    let AccumulatorDesc { width, perspectives, psqt, one, order, separate } = plan.accumulator;
    let mut text = width.to_string();
    if perspectives != 1 {
        text += &format!("x{perspectives}");
    }
    if one != quant::DEFAULT_ONE as i32 {
        text += &format!(" @ {one}");
    }
    let functions: Vec<_> = plan.steps.iter().filter_map(|step| accumulator_function(plan, step)).collect();
    if functions != ["crelu"] {
        text += &format!(" {}", functions.join("|"));
    }
    if psqt > 0 {
        text += &format!(", psqt {psqt}");
    }
    if order == PerspectiveOrder::WhiteFirst {
        text += &format!(", {}", order.name());
    }
    if separate {
        text += ", separate";
    }
    text
}

fn accumulator_function(plan: &Plan, step: &StepDesc) -> Option<String> {
    let (activation, shift) = match *step {
        StepDesc::ActivateAccumulator { activation, shift, .. } => (activation, shift),
        StepDesc::AffineDirect { activation, .. } | StepDesc::FloatAccumulator { activation, .. } => (activation, 0),
        StepDesc::Affine { .. }
        | StepDesc::ActivateSums { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::ActivateFloat { .. } => return None,
    };
    let of_accumulators = activation.operation().and_then(|operation| operation.accumulators);
    let default = match of_accumulators.map(|formula| formula.shift) {
        Some(Shift::Product) if shift > 0 => quant::product_shift(plan.accumulator.one as u64),
        _ => shift,
    };
    Some(with_shift(plan.activation_name(activation), shift, default))
}

/// The function, and its shift if that is not the one that follows from the scales.
fn with_shift(function: &str, shift: u32, default: u32) -> String {
    if shift == default { function.to_string() } else { format!("{function} >> {shift}") }
}

fn layer_notation(plan: &Plan, layer: usize) -> String {
    let PlanLayer { outputs, scale, kind, .. } = &plan.layers[layer];
    let functions: Vec<_> = plan.steps.iter().filter_map(|step| sum_function(plan, step, layer, *scale)).collect();
    let skips = plan.terms.iter().filter(|term| term.layer == layer && !is_read(plan, layer, term.neuron)).count();
    let mut text =
        if functions.is_empty() || skips == 0 { outputs.to_string() } else { format!("{}+{skips}", outputs - skips) };
    let element = if *kind == LayerKind::Direct { "i16" } else { "i8" };
    if let LayerKind::Float { partial, .. } = *kind {
        text += ": f32";
        if partial > 0 {
            text += &format!(" sums {partial}");
        }
    } else if *scale != quant::DEFAULT_SCALE as i32 {
        text += &format!(": {element} @ {scale}");
    } else if *kind == LayerKind::Direct {
        text += ": i16";
    }
    if !functions.is_empty() && functions != ["crelu"] {
        text += &format!(" {}", functions.join("|"));
    }
    text
}

fn sum_function(plan: &Plan, step: &StepDesc, of: usize, scale: i32) -> Option<String> {
    let (activation, shift) = match *step {
        StepDesc::ActivateSums { activation, layer, shift, .. } if layer == of => (activation, shift),
        StepDesc::ActivateFloat { activation, layer, .. } if layer == of => {
            return Some(plan.activation_name(activation).to_string());
        }
        _ => return None,
    };
    let default = match activation.operation().and_then(|operation| operation.sums).map(|formula| formula.shift) {
        Some(Shift::Sum { default, .. }) => default(scale as u64),
        _ => shift,
    };
    Some(with_shift(plan.activation_name(activation), shift, default))
}

/// Whether an activation of this neuron is read by a layer.
fn is_read(plan: &Plan, layer: usize, neuron: usize) -> bool {
    plan.layers.iter().flat_map(|reader| &reader.segments).any(|segment| {
        let holds = segment.start <= neuron && neuron < segment.start + segment.len;
        holds && [Source::Layer(layer), Source::Float(layer)].contains(&plan.buffers[segment.buffer].source)
    })
}
