//! The network as a chain in the usual notation:
//! `HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 32 -> 1)x8`. `15+1` means
//! fifteen activated neurons and one that only goes to the output.

mod found;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Plan, PlanLayer};
use crate::descriptor::*;
use crate::layout::OUTPUT_BLOCK;
use crate::op::Shift;
use crate::quant;
use crate::readers;
use found::{Found, LayerFound, with_shift};

pub(super) fn notation(plan: &Plan) -> String {
    let features: Vec<_> = plan
        .features
        .iter()
        .map(|feature| crate::text::feature(feature, &plan.custom.set))
        .collect();
    let found = Found::new(plan);
    let layers = layers_notation(plan, &found);
    let layers = if plan.stacks.count == 1 {
        layers
    } else {
        format!("({layers})x{}", plan.stacks.count)
    };
    let mut text = format!(
        "{} -> {} -> {layers}",
        features.join(" + "),
        accumulator_notation(plan, &found)
    );
    match plan.stacks.selector {
        Selector::Single => {}
        Selector::PieceCount { minus, divide } => {
            let (minus, divide) = (minus as u64, divide as u64);
            if (minus, divide) != quant::default_selector(plan.stacks.count as u64) {
                text += &format!(" by {}", crate::text::selector(minus, divide));
            }
        }
        Selector::Table(_) => text += " by a table",
        Selector::Rows(rule) => {
            text += &format!(
                " by {}",
                rule.text(plan.tables().descriptor().custom.groups)
            );
        }
        Selector::Custom => text += " by a function",
    }
    text
}

/// The layers of the value, then those of each other output alone: `16 -> 1 | wdl: 3 | moves_left: 8 -> 1`.
fn layers_notation(plan: &Plan, found: &Found) -> String {
    let readers = readers(&plan.tables().descriptor());
    let mut chains: Vec<Vec<String>> = vec![Vec::new(); 1 + plan.heads.len()];
    let mut first_readers = vec![0; plan.layers.len()];
    for (step, readers) in plan.steps.iter().zip(readers) {
        if let StepDesc::Affine { layer } | StepDesc::AffineDirect { layer, .. } = *step {
            first_readers[layer] = readers.trailing_zeros() as usize;
        }
    }
    for (layer, &reader) in first_readers.iter().enumerate() {
        if let Some(chain) = chains.get_mut(reader) {
            chain.push(layer_notation(plan, found, layer));
        }
    }
    let mut chains = chains.into_iter().map(|chain| chain.join(" -> "));
    let value = chains.next().filter(|_| !plan.terms.is_empty());
    let heads = plan
        .heads
        .iter()
        .zip(chains)
        .map(|(head, chain)| format!("{}: {chain}", head.name));
    value
        .into_iter()
        .chain(heads)
        .collect::<Vec<_>>()
        .join(" | ")
}

fn accumulator_notation(plan: &Plan, found: &Found) -> String {
    let AccumulatorDesc {
        width,
        perspectives,
        psqt,
        psqt_floats,
        one,
        order,
        separate,
        nonzero,
    } = plan.accumulator;
    let mut text = width.to_string();
    if perspectives != 1 {
        text += &format!("x{perspectives}");
    }
    if one != quant::DEFAULT_ONE as i32 {
        text += &format!(" @ {one}");
    }
    let mut functions: Vec<_> = plan
        .steps
        .iter()
        .filter(|step| !found.is_only_pooled(step))
        .filter_map(|step| accumulator_function(plan, step))
        .collect();
    functions.extend(found.pools_of_accumulators.iter().cloned());
    // There are none if only binary layers read the accumulators.
    if !functions.is_empty() && functions != ["crelu"] {
        text += &format!(" {}", functions.join("|"));
    }
    if psqt > 0 {
        text += &format!(", psqt {psqt}");
    }
    if psqt_floats > 0 {
        text += &format!(", psqt {psqt_floats}: f32");
    }
    if order == PerspectiveOrder::WhiteFirst {
        text += &format!(", {}", order.name());
    }
    if separate {
        text += ", separate";
    }
    if nonzero != DEFAULT_NONZERO {
        text += &format!(", nonzero {nonzero}%");
    }
    text
}

fn accumulator_function(plan: &Plan, step: &StepDesc) -> Option<String> {
    let (activation, shift) = match *step {
        StepDesc::ActivateAccumulator {
            activation, shift, ..
        } => (activation, shift),
        StepDesc::AffineDirect { activation, .. }
        | StepDesc::FloatAccumulator { activation, .. } => (activation, 0),
        StepDesc::Affine { .. }
        | StepDesc::ActivateSums { .. }
        | StepDesc::Sign { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::ActivateFloat { .. }
        | StepDesc::Pool { .. }
        | StepDesc::Map { .. }
        | StepDesc::Reduce { .. } => return None,
    };
    let of_accumulators = activation
        .operation()
        .and_then(|operation| operation.accumulators);
    let default = match of_accumulators.map(|formula| formula.shift) {
        Some(Shift::Product) if shift > 0 => quant::product_shift(plan.accumulator.one as u64),
        Some(Shift::Clipped) => 0,
        _ => shift,
    };
    let text = with_shift(plan.activation_name(activation), shift, default);
    let words = step
        .made()
        .is_some_and(|buffer| plan.buffers[buffer].source == Source::Words);
    Some(if words {
        format!("{text} as i16")
    } else {
        text
    })
}

fn layer_notation(plan: &Plan, found: &Found, layer: usize) -> String {
    let PlanLayer {
        outputs,
        scale,
        kind,
        shards,
        ..
    } = &plan.layers[layer];
    let LayerFound {
        functions,
        skips,
        element,
    } = &found.layers[layer];
    let mut text = if functions.is_empty() || *skips == 0 {
        outputs.to_string()
    } else {
        format!("{}+{skips}", outputs - skips)
    };
    if let LayerKind::Float { partial, .. } = *kind {
        text += ": f32";
        if partial > 0 {
            text += &format!(" sums {partial}");
        }
    } else if *kind == LayerKind::Binary {
        if *scale != quant::DEFAULT_SCALE as i32 {
            text += &format!(" @ {scale}");
        }
        text += " binary";
    } else if *scale != quant::DEFAULT_SCALE as i32 {
        text += &format!(": {} @ {scale}", element.name());
    } else if *element == ElementType::I16 {
        text += ": i16";
    }
    if let LayerKind::BlockSparse { reached } = *kind {
        text += &format!(" blocks {reached} of {OUTPUT_BLOCK}");
    }
    if let Some(Shards { count, width }) = *shards {
        text += &format!(" shards {count} of {width}");
    }
    if !functions.is_empty() && *functions != ["crelu"] {
        text += &format!(" {}", functions.join("|"));
    }
    text
}
