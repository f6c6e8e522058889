//! The network as a chain in the usual notation, for people: `HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 ->
//! (15+1 sqr_crelu|crelu -> 32 -> 1)x8`. `15+1` are fifteen neurons that are activated and one that only goes to the output.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Plan, PlanLayer};
use crate::descriptor::*;
use crate::layout::OUTPUT_BLOCK;
use crate::op::{Pairs, Shift};
use crate::quant;
use crate::readers;

pub(super) fn notation(plan: &Plan) -> String {
    let features: Vec<_> = plan
        .features
        .iter()
        .map(|feature| crate::text::feature(feature, &plan.custom.set))
        .collect();
    let layers = layers_notation(plan);
    let layers = if plan.stacks.count == 1 {
        layers
    } else {
        format!("({layers})x{}", plan.stacks.count)
    };
    let mut text = format!(
        "{} -> {} -> {layers}",
        features.join(" + "),
        accumulator_notation(plan)
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
        layers
            .map(|layer| layer_notation(plan, layer))
            .collect::<Vec<_>>()
            .join(" -> ")
    };
    let value = (!plan.terms.is_empty()).then(|| chain(0));
    let heads = plan
        .heads
        .iter()
        .zip(1..)
        .map(|(head, reader)| format!("{}: {}", head.name, chain(reader)));
    value
        .into_iter()
        .chain(heads)
        .collect::<Vec<_>>()
        .join(" | ")
}

fn accumulator_notation(plan: &Plan) -> String {
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
        .filter_map(|step| accumulator_function(plan, step))
        .collect();
    functions.extend(pools(plan, Source::is_accumulator));
    // Of accumulators that only binary layers read there is none.
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
        _ if is_only_pooled(plan, step) => return None,
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
        | StepDesc::Reduce { .. } => return None,
    };
    let of_accumulators = activation
        .operation()
        .and_then(|operation| operation.accumulators);
    let default = match of_accumulators.map(|formula| formula.shift) {
        Some(Shift::Product) if shift > 0 => quant::product_shift(plan.accumulator.one as u64),
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

/// The function, and its shift if that is not the one that follows from the scales.
fn with_shift(function: &str, shift: u32, default: u32) -> String {
    if shift == default {
        function.to_string()
    } else {
        format!("{function} >> {shift}")
    }
}

fn layer_notation(plan: &Plan, layer: usize) -> String {
    let PlanLayer {
        outputs,
        scale,
        kind,
        ..
    } = &plan.layers[layer];
    let mut functions: Vec<_> = plan
        .steps
        .iter()
        .filter_map(|step| sum_function(plan, step, layer, *scale))
        .collect();
    functions.extend(pools(plan, |source| is_of_layer(source, layer)));
    let skips = plan
        .terms
        .iter()
        .filter(|term| term.layer == layer && !is_read(plan, layer, term.neuron))
        .count();
    let mut text = if functions.is_empty() || skips == 0 {
        outputs.to_string()
    } else {
        format!("{}+{skips}", outputs - skips)
    };
    let weight = plan
        .tensors
        .iter()
        .find(|tensor| tensor.role == TensorRole::LayerWeight(layer));
    let element = weight.map_or(ElementType::I8, |weight| weight.element);
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
    } else if element == ElementType::I16 {
        text += ": i16";
    }
    if let LayerKind::BlockSparse { reached } = *kind {
        text += &format!(" blocks {reached} of {OUTPUT_BLOCK}");
    }
    if !functions.is_empty() && functions != ["crelu"] {
        text += &format!(" {}", functions.join("|"));
    }
    text
}

fn sum_function(plan: &Plan, step: &StepDesc, of: usize, scale: i32) -> Option<String> {
    let (activation, shift) = match *step {
        _ if is_only_pooled(plan, step) => return None,
        StepDesc::ActivateSums {
            activation,
            layer,
            shift,
            ..
        } if layer == of => (activation, shift),
        StepDesc::ActivateFloat {
            activation, layer, ..
        } if layer == of => {
            return Some(plan.activation_name(activation).to_string());
        }
        _ => return None,
    };
    let default = match activation
        .operation()
        .and_then(|operation| operation.sums)
        .map(|formula| formula.shift)
    {
        Some(Shift::Sum { default, .. }) => default(scale as u64),
        _ => shift,
    };
    Some(with_shift(plan.activation_name(activation), shift, default))
}

/// Whether an activation of this neuron is read by a layer.
fn is_read(plan: &Plan, layer: usize, neuron: usize) -> bool {
    plan.layers
        .iter()
        .flat_map(|reader| &reader.segments)
        .any(|segment| reads(plan, *segment, layer, neuron))
}

/// Whether values of a buffer are made of this neuron.
fn reads(plan: &Plan, segment: Segment, layer: usize, neuron: usize) -> bool {
    let Segment { buffer, start, len } = segment;
    if let Some(StepDesc::Pool {
        operands, stride, ..
    }) = maker(plan, buffer)
    {
        let pooled = operands.map(|of| Segment {
            start: of.start + stride * start,
            len: stride * len,
            ..of
        });
        return pooled
            .into_iter()
            .any(|segment| reads(plan, segment, layer, neuron));
    }
    if let Some(StepDesc::Reduce { operand, size, .. }) = maker(plan, buffer) {
        return reads(
            plan,
            Segment {
                start: operand.start + size * start,
                len: size * len,
                ..operand
            },
            layer,
            neuron,
        );
    }
    if let Source::Signs(SignOf::Buffer(buffer)) = plan.buffers[buffer].source {
        return reads(plan, Segment { buffer, start, len }, layer, neuron);
    }
    is_of_layer(plan.buffers[buffer].source, layer) && (start..start + len).contains(&neuron)
}

fn is_of_layer(source: Source, layer: usize) -> bool {
    [
        Source::Layer(layer),
        Source::Float(layer),
        Source::Signs(SignOf::Layer(layer)),
    ]
    .contains(&source)
}

/// The step that makes a buffer.
fn maker(plan: &Plan, buffer: usize) -> Option<StepDesc> {
    plan.steps
        .iter()
        .copied()
        .find(|step| step.made() == Some(buffer))
}

/// What a buffer is made of in the end, if pools make it: of their first operand.
fn origin(plan: &Plan, buffer: usize) -> Source {
    match maker(plan, buffer) {
        Some(
            StepDesc::Pool {
                operands: [read, _],
                ..
            }
            | StepDesc::Reduce { operand: read, .. },
        ) => origin(plan, read.buffer),
        _ => plan.buffers[buffer].source,
    }
}

/// The names of the pools of what `is_read` says, each once.
fn pools(plan: &Plan, is_read: impl Fn(Source) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for step in &plan.steps {
        if let StepDesc::Pool {
            pool,
            operands: [first, second],
            stride,
            ..
        } = *step
            && is_read(origin(plan, first.buffer))
        {
            let pairs = if stride == 2 {
                Pairs::Neighbours
            } else {
                Pairs::Halves
            };
            let of_one = Activation::ALL
                .into_iter()
                .find(|known| known.pool() == Some((pool, pairs)));
            let of_one = of_one
                .filter(|_| first.buffer == second.buffer)
                .and_then(Activation::operation);
            let name = of_one
                .map_or(pool.definition().name, |operation| operation.name)
                .to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let StepDesc::Reduce {
            reduce,
            operand,
            size,
            ..
        } = *step
            && is_read(origin(plan, operand.buffer))
        {
            let all = size == operand.len && reduce == Reduce::Mean;
            let name = reduce.name(all);
            let name = if all {
                name.to_string()
            } else {
                format!("{name} {size}")
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Whether a step clips for pools alone, which do so without being told.
fn is_only_pooled(plan: &Plan, step: &StepDesc) -> bool {
    let (Some(Activation::Crelu), Some(buffer)) = (step.activation(), step.made()) else {
        return false;
    };
    let by_layers = plan
        .layers
        .iter()
        .flat_map(|layer| &layer.segments)
        .any(|segment| segment.buffer == buffer);
    let by_pools = plan.steps.iter().any(|step| match step {
        StepDesc::Pool { operands, .. } => operands.iter().any(|read| read.buffer == buffer),
        StepDesc::Reduce { operand, .. } => operand.buffer == buffer,
        _ => false,
    });
    by_pools && !by_layers
}
