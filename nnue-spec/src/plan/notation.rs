//! The network as a chain in the usual notation, for people: `HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 ->
//! (15+1 sqr_crelu|crelu -> 32 -> 1)x8`. `15+1` are fifteen neurons that are activated and one that only goes to the output.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Plan, PlanLayer};
use crate::descriptor::*;
use crate::quant;

pub(super) fn notation(plan: &Plan) -> String {
    let features: Vec<_> = plan.features.iter().map(crate::text::feature).collect();
    let layers: Vec<_> = (0..plan.layers.len()).map(|layer| layer_notation(plan, layer)).collect();
    let layers = layers.join(" -> ");
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
        Selector::Own => text += " by a function",
    }
    text
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
    let functions: Vec<_> = plan.steps.iter().filter_map(|step| accumulator_function(step, one)).collect();
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

fn accumulator_function(step: &StepDesc, one: i32) -> Option<String> {
    let (activation, shift) = match *step {
        StepDesc::ActivateAccumulator { activation, shift, .. } => (activation, shift),
        StepDesc::AffineDirect { activation, .. } => return Some(activation.name().to_string()),
        StepDesc::FloatAccumulator { input, .. } => return Some(input.name().to_string()),
        StepDesc::Affine { .. }
        | StepDesc::ActivateSums { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::ActivateFloat { .. } => return None,
    };
    let product = quant::product_shift(one as u64);
    Some(match activation {
        AccumulatorActivation::Crelu => "crelu".to_string(),
        AccumulatorActivation::SqrCrelu => with_shift("sqr_crelu", shift, product),
        AccumulatorActivation::Pairwise => with_shift("pairwise", shift, product),
        AccumulatorActivation::Own(path) => path.to_string(),
    })
}

/// The function, and its shift if that is not the one that follows from the scales.
fn with_shift(function: &str, shift: u32, default: u32) -> String {
    if shift == default { function.to_string() } else { format!("{function} >> {shift}") }
}

fn layer_notation(plan: &Plan, layer: usize) -> String {
    let PlanLayer { outputs, scale, kind, .. } = &plan.layers[layer];
    let functions: Vec<_> = plan.steps.iter().filter_map(|step| sum_function(step, layer, *scale)).collect();
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

fn sum_function(step: &StepDesc, of: usize, scale: i32) -> Option<String> {
    match *step {
        StepDesc::ActivateSums { activation, layer, shift, .. } if layer == of => Some(match activation {
            SumActivation::Crelu => with_shift("crelu", shift, quant::crelu_shift(scale as u64)),
            SumActivation::SqrCrelu => with_shift("sqr_crelu", shift, quant::sqr_crelu_shift(scale as u64)),
            SumActivation::Own(path) => path.to_string(),
        }),
        StepDesc::ActivateFloat { activation, layer, .. } if layer == of => Some(activation.name().to_string()),
        _ => None,
    }
}

/// Whether an activation of this neuron is read by a layer.
fn is_read(plan: &Plan, layer: usize, neuron: usize) -> bool {
    plan.layers.iter().flat_map(|reader| &reader.segments).any(|segment| {
        let holds = segment.start <= neuron && neuron < segment.start + segment.len;
        holds && [Source::Layer(layer), Source::Float(layer)].contains(&plan.buffers[segment.buffer].source)
    })
}
