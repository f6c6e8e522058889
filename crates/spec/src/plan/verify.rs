//! The invariants of a descriptor.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::*;
use crate::elementwise;
use crate::layout::{OUTPUT_BLOCK, file_columns, sign_bytes};

/// Whether every reference, length and shape of a descriptor agrees with the others.
///
/// # Errors
///
/// A sentence about the first inconsistent part.
pub fn verify(net: &NetDesc<'_>) -> Result<(), String> {
    verify_steps(net)?;
    verify_layers(net)?;
    verify_output(net)?;
    verify_tensors(net)
}

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// Every step reads results of earlier steps; every buffer and every layer is computed exactly once.
fn verify_steps(net: &NetDesc<'_>) -> Result<(), String> {
    let made_before = |at: usize, buffer: usize| {
        net.steps[..at]
            .iter()
            .any(|step| step.made() == Some(buffer))
    };
    let computed_before = |at: usize, layer: usize| {
        net.steps[..at]
            .iter()
            .any(|step| computed(step) == Some(layer))
    };
    for (at, step) in net.steps.iter().enumerate() {
        match *step {
            StepDesc::ActivateAccumulator {
                activation, buffer, ..
            }
            | StepDesc::FloatAccumulator {
                activation, buffer, ..
            } => {
                ensure(
                    net.buffers
                        .get(buffer)
                        .is_some_and(|b| b.len == accumulator_values(net, activation)),
                    || {
                        format!(
                            "step {at}: buffer {buffer} does not have the length of the activated accumulators"
                        )
                    },
                )?;
            }
            StepDesc::Affine { layer } => {
                let segments = net
                    .layers
                    .get(layer)
                    .map_or(&[][..], |layer| layer.segments);
                ensure(!segments.is_empty(), || {
                    format!("step {at}: layer {layer} reads nothing")
                })?;
                for segment in segments {
                    ensure(made_before(at, segment.buffer), || {
                        format!("step {at}: {segment:?} is not made yet")
                    })?;
                }
            }
            StepDesc::AffineDirect { layer, .. } => {
                let is_direct = net
                    .layers
                    .get(layer)
                    .is_some_and(|layer| layer.kind == LayerKind::Direct);
                ensure(is_direct, || {
                    format!("step {at}: layer {layer} reads buffers")
                })?;
            }
            StepDesc::Sign { of, buffer } => {
                let (made, values) = match of {
                    SignOf::Accumulator => {
                        (true, net.accumulator.width * net.accumulator.perspectives)
                    }
                    SignOf::Layer(layer) => (
                        computed_before(at, layer),
                        net.layers.get(layer).map_or(0, |l| l.outputs),
                    ),
                    SignOf::Buffer(of) => (
                        made_before(at, of),
                        net.buffers.get(of).map_or(0, |b| b.len),
                    ),
                };
                ensure(made, || format!("step {at}: {of:?} is not made yet"))?;
                ensure(
                    net.buffers.get(buffer).is_some_and(|b| b.len == values),
                    || format!("step {at}: buffer {buffer} does not have the length of {of:?}"),
                )?;
            }
            StepDesc::FloatSums { layer, .. } => {
                ensure(computed_before(at, layer), || {
                    format!("step {at}: layer {layer} is not computed yet")
                })?;
            }
            StepDesc::ActivateSums {
                activation,
                layer,
                buffer,
                ..
            }
            | StepDesc::ActivateFloat {
                activation,
                layer,
                buffer,
            } => {
                ensure(computed_before(at, layer), || {
                    format!("step {at}: layer {layer} is not computed yet")
                })?;
                let values = activation.values(net.layers[layer].outputs);
                ensure(
                    net.buffers.get(buffer).is_some_and(|b| b.len == values),
                    || {
                        format!(
                            "step {at}: buffer {buffer} does not have the length of layer {layer}"
                        )
                    },
                )?;
            }
            StepDesc::Pool {
                operands,
                stride,
                buffer,
                ..
            } => {
                let made = net.buffers.get(buffer);
                for Segment {
                    buffer: read,
                    start,
                    len,
                } in operands
                {
                    ensure(made_before(at, read), || {
                        format!("step {at}: buffer {read} is not made yet")
                    })?;
                    let last = start + stride * len.saturating_sub(1);
                    let fits = len > 0 && stride > 0 && last < net.buffers[read].len;
                    ensure(fits && made.is_some_and(|made| made.len == len), || {
                        format!(
                            "step {at}: buffer {buffer} is not as long as what is read of buffer {read}"
                        )
                    })?;
                    let [from, to] = [read, buffer].map(|buffer| net.buffers[buffer].source);
                    let of_layers = !matches!(from, Source::Accumulator | Source::Words);
                    ensure(of_layers && from.is_float() == to.is_float(), || {
                        format!(
                            "step {at}: values of buffer {read} are of another kind than those of buffer {buffer}"
                        )
                    })?;
                }
            }
            StepDesc::Map { map, buffer } => {
                let is_made = |source| match source {
                    MapSource::Accumulator => true,
                    MapSource::Layer(layer) => computed_before(at, layer),
                    MapSource::Buffer(buffer) => made_before(at, buffer),
                };
                verify_map(net, (map, buffer), is_made)
                    .map_err(|broken| format!("step {at}: {broken}"))?;
            }
            StepDesc::Reduce {
                operand:
                    Segment {
                        buffer: read,
                        start,
                        len,
                    },
                size,
                buffer,
                ..
            } => {
                ensure(made_before(at, read), || {
                    format!("step {at}: buffer {read} is not made yet")
                })?;
                let fits = size > 1 && start + len <= net.buffers[read].len;
                let each = net
                    .buffers
                    .get(buffer)
                    .is_some_and(|made| made.len * size == len);
                ensure(fits && each, || {
                    format!(
                        "step {at}: buffer {buffer} has not a value of each {size} of buffer {read}"
                    )
                })?;
                let [from, to] = [read, buffer].map(|buffer| net.buffers[buffer].source);
                let of_layers = !from.is_accumulator() && !matches!(from, Source::Signs(_));
                ensure(of_layers && from.is_float() == to.is_float(), || {
                    format!(
                        "step {at}: values of buffer {read} are of another kind than those of buffer {buffer}"
                    )
                })?;
            }
        }
    }
    let count =
        |wanted: &dyn Fn(&StepDesc) -> bool| net.steps.iter().filter(|step| wanted(step)).count();
    for buffer in 0..net.buffers.len() {
        ensure(count(&|step| step.made() == Some(buffer)) == 1, || {
            format!("buffer {buffer} is not made once")
        })?;
    }
    for layer in 0..net.layers.len() {
        let times = count(&|step| computed(step) == Some(layer));
        ensure(times == 1, || format!("layer {layer} is not computed once"))?;
    }
    Ok(())
}

fn computed(step: &StepDesc) -> Option<usize> {
    match *step {
        StepDesc::Affine { layer } | StepDesc::AffineDirect { layer, .. } => Some(layer),
        StepDesc::ActivateAccumulator { .. }
        | StepDesc::ActivateSums { .. }
        | StepDesc::FloatAccumulator { .. }
        | StepDesc::Sign { .. }
        | StepDesc::FloatSums { .. }
        | StepDesc::ActivateFloat { .. }
        | StepDesc::Pool { .. }
        | StepDesc::Reduce { .. }
        | StepDesc::Map { .. } => None,
    }
}

/// Operands of an expression are made before, are long enough, and are integers of layers; the expression is
/// one.
fn verify_map(
    net: &NetDesc<'_>,
    (map, buffer): (usize, usize),
    is_made: impl Fn(MapSource) -> bool,
) -> Result<(), String> {
    let missing = || format!("there is no expression {map}, or no buffer {buffer}");
    let desc = net.maps.get(map).ok_or_else(missing)?;
    let made = net.buffers.get(buffer).ok_or_else(missing)?;
    let is_expression = elementwise::depth(desc.code, desc.operands.len())
        .is_some_and(|depth| depth <= elementwise::MAX_DEPTH);
    let is_typed = desc
        .code
        .iter()
        .all(|scalar| scalar.form(desc.element).is_some());
    ensure(
        is_expression && is_typed && desc.range.0 <= desc.range.1,
        || format!("expression {map} is none, or has no range"),
    )?;
    let source = match desc.is_float() {
        true => Source::FloatPool,
        false => Source::Integers,
    };
    ensure(!desc.operands.is_empty() && made.source == source, || {
        format!("expression {map} reads nothing, or buffer {buffer} is of another kind")
    })?;
    for MapOperand { source, start } in desc.operands {
        ensure(is_made(*source), || {
            format!("expression {map}: {source:?} is not made yet")
        })?;
        let (values, is_read) = match *source {
            MapSource::Accumulator => (
                net.accumulator.width * net.accumulator.perspectives,
                *start == 0,
            ),
            MapSource::Layer(layer) => {
                let desc = &net.layers[layer];
                (desc.outputs, desc.kind != LayerKind::Rows)
            }
            MapSource::Buffer(read) => {
                let desc = &net.buffers[read];
                let is_integer = matches!(
                    desc.source,
                    Source::Layer(_) | Source::Pool | Source::Integers
                );
                (desc.len, is_integer || desc.source.is_float())
            }
        };
        let suits = is_read && (desc.is_float() || !net.reads_floats(*source));
        ensure(suits && start + made.len <= values, || {
            format!("expression {map} reads {} values of {source:?}", made.len)
        })?;
    }
    Ok(())
}

fn accumulator_values(net: &NetDesc<'_>, activation: Activation) -> usize {
    activation.values(net.accumulator.width) * net.accumulator.perspectives
}

/// Number of accumulator values that layer `layer` reads directly; 0 if it does not.
fn direct_values(net: &NetDesc<'_>, layer: usize) -> usize {
    let values = net.steps.iter().find_map(|step| match *step {
        StepDesc::AffineDirect {
            activation,
            layer: of,
        } if of == layer => Some(accumulator_values(net, activation)),
        _ => None,
    });
    values.unwrap_or(0)
}

/// Segments lie within their buffers and add up; layer kinds suit their inputs.
fn verify_layers(net: &NetDesc<'_>) -> Result<(), String> {
    for (index, layer) in net.layers.iter().enumerate() {
        let inside = |s: &Segment| s.len > 0 && s.start + s.len <= net.buffers[s.buffer].len;
        ensure(layer.segments.iter().all(inside), || {
            format!("layer {index} reads outside a buffer")
        })?;
        let inputs: usize = match layer.kind {
            LayerKind::Direct => direct_values(net, index),
            _ => layer.segments.iter().map(|segment| segment.len).sum(),
        };
        ensure(inputs == layer.inputs, || {
            format!("layer {index}: segments have {inputs} values")
        })?;
        let columns = match layer.kind {
            LayerKind::Binary => sign_bytes(inputs),
            LayerKind::Float { .. } => inputs,
            // A header-less file says to what number its rows are filled up.
            _ if net.raw.is_some() => inputs.max(layer.file_inputs),
            _ => file_columns(inputs),
        };
        ensure(columns == layer.file_inputs, || {
            format!("layer {index}: a row has {columns} columns in a file")
        })?;
        let is_float = matches!(layer.kind, LayerKind::Float { .. });
        let is_single = matches!(layer.kind, LayerKind::Row | LayerKind::Direct);
        let is_any = is_float
            || matches!(
                layer.kind,
                LayerKind::Rows | LayerKind::Words | LayerKind::Binary | LayerKind::Integer
            );
        ensure(is_any || is_single == (layer.outputs == 1), || {
            format!(
                "layer {index} with {} outputs is computed as {:?}",
                layer.outputs, layer.kind
            )
        })?;
        let from_accumulator = |s: &Segment| net.buffers[s.buffer].source == Source::Accumulator;
        let of_signs = |s: &Segment| matches!(net.buffers[s.buffer].source, Source::Signs(_));
        let of_integers = |s: &Segment| net.buffers[s.buffer].source == Source::Integers;
        let of_bytes = |s: &Segment| {
            matches!(
                net.buffers[s.buffer].source,
                Source::Layer(_) | Source::Pool
            )
        };
        let reads_integers = layer.segments.iter().any(of_integers);
        ensure(!reads_integers || layer.kind == LayerKind::Integer, || {
            format!(
                "layer {index} reads 32-bit integers and is computed as {:?}",
                layer.kind
            )
        })?;
        let suits = match layer.kind {
            LayerKind::Binary => layer.segments.iter().all(of_signs),
            LayerKind::Integer => {
                let reads = |s: &Segment| of_integers(s) || of_bytes(s);
                layer.segments.iter().all(reads)
            }
            LayerKind::Sparse => {
                layer.segments.iter().any(from_accumulator) && !layer.segments.iter().any(of_signs)
            }
            LayerKind::BlockSparse { reached } => {
                let blocks = layer.outputs / OUTPUT_BLOCK;
                let fits =
                    layer.outputs.is_multiple_of(OUTPUT_BLOCK) && (1..blocks).contains(&reached);
                fits && !layer.segments.iter().any(of_signs)
            }
            LayerKind::Dense => !layer
                .segments
                .iter()
                .any(|s| from_accumulator(s) || of_signs(s)),
            LayerKind::Row => !layer.segments.iter().any(of_signs),
            LayerKind::Rows => {
                (layer.segments.len() == 1 || net.reads_words(index))
                    && !layer.segments.iter().any(of_signs)
            }
            LayerKind::Float { .. } => layer
                .segments
                .iter()
                .all(|s| net.buffers[s.buffer].source.is_float()),
            LayerKind::Words => net.reads_words(index),
            LayerKind::Direct => layer.segments.is_empty(),
        };
        let of_words = |s: &Segment| net.buffers[s.buffer].source == Source::Words;
        let may_read_words = matches!(layer.kind, LayerKind::Words | LayerKind::Rows)
            && layer.segments.iter().all(of_words)
            && layer.inputs.is_multiple_of(16);
        ensure(may_read_words || !net.reads_words(index), || {
            format!(
                "layer {index} reads {} 16-bit values, and perhaps others",
                layer.inputs
            )
        })?;
        ensure(fits_shards(layer), || {
            format!("layer {index} has shards that its inputs or outputs do not allow")
        })?;
        ensure(suits, || {
            format!(
                "layer {index} is computed as {:?}, which its inputs do not allow",
                layer.kind
            )
        })?;
    }
    Ok(())
}

/// Whether the shards of a layer, if it has any, have inputs and outputs.
fn fits_shards(layer: &LayerDesc<'_>) -> bool {
    let may = !matches!(
        layer.kind,
        LayerKind::Binary | LayerKind::BlockSparse { .. } | LayerKind::Rows
    );
    layer.shards.is_none_or(|Shards { count, width }| {
        let is_whole = count > 1 && width > 0 && layer.outputs.is_multiple_of(count);
        may && is_whole && layer.outputs > 0 && count * width <= layer.inputs
    })
}

fn verify_output(net: &NetDesc<'_>) -> Result<(), String> {
    let has_rows = net.heads.iter().any(|head| head.kind == HeadKind::Rows);
    ensure(has_rows || !net.output.terms.is_empty(), || {
        String::from("the output has no terms")
    })?;
    for term in net.output.terms {
        let exists = net
            .layers
            .get(term.layer)
            .is_some_and(|layer| term.neuron < layer.outputs);
        ensure(exists, || {
            format!("there is no neuron {} in layer {}", term.neuron, term.layer)
        })?;
    }
    for HeadDesc {
        name,
        kind,
        source,
        start,
        len,
        unit,
    } in net.heads.iter().copied()
    {
        let values = match source {
            HeadSource::Layer(layer) => net.layers.get(layer).map(|layer| layer.outputs),
            HeadSource::Buffer(buffer) => net.buffers.get(buffer).map(|buffer| buffer.len),
        };
        ensure(
            len > 0 && values.is_some_and(|values| start + len <= values),
            || format!("output `{name}` is not a part of {source:?}"),
        )?;
        let rows = |layer: usize| {
            net.layers
                .get(layer)
                .is_some_and(|layer| layer.kind == LayerKind::Rows && layer.outputs == len)
        };
        let are_rows = matches!(source, HeadSource::Layer(layer) if rows(layer));
        ensure((kind == HeadKind::Rows) == are_rows, || {
            format!("output `{name}` is {kind:?} of {source:?}")
        })?;
        ensure(kind != HeadKind::Wdl || len == 3, || {
            format!("output `{name}` has {len} outputs for loss, draw and win")
        })?;
        ensure(unit.den > 0, || {
            format!("output `{name}` is divided by zero")
        })?;
    }
    let ratios = net
        .output
        .terms
        .iter()
        .filter_map(|term| term.ratio)
        .chain(net.output.ratio);
    ensure(ratios.into_iter().all(|ratio| ratio.den > 0), || {
        String::from("a ratio divides by zero or less")
    })
}

/// The tensors match the parts, in file order, with their shapes.
fn verify_tensors(net: &NetDesc<'_>) -> Result<(), String> {
    ensure(!net.features.is_empty(), || {
        String::from("no feature set feeds the accumulator")
    })?;
    if let Some(raw) = &net.raw {
        return verify_raw_tensors(net, raw);
    }
    ensure(!net.accumulator.separate, || {
        String::from("the container has one bias and one set of rows")
    })?;
    ensure(net.accumulator.psqt_floats == 0, || {
        String::from("PSQT outputs of the container are whole numbers")
    })?;
    let mut tensors = net.tensors.iter();
    let mut expect = |role: TensorRole, rows: usize, cols: usize, copies: usize| {
        let found = tensors
            .next()
            .is_some_and(|t| (t.role, t.rows, t.cols, t.copies) == (role, rows, cols, copies));
        ensure(found, || {
            format!("tensor {role:?} is to be {copies} times [{rows}][{cols}] here")
        })
    };
    let AccumulatorDesc { width, psqt, .. } = net.accumulator;
    expect(TensorRole::TransformerBias, 1, width, 1)?;
    let order = || {
        (1..net.features.len())
            .chain([0])
            .map(|index| (index, net.features[index].rows))
    };
    if net.container.encoding.is_joint() {
        for (index, rows) in order() {
            expect(TensorRole::weight_of(index), rows, width, 1)?;
        }
        for (index, rows) in order().filter(|_| psqt > 0) {
            expect(TensorRole::psqt_of(index), rows, psqt, 1)?;
        }
    } else {
        for (index, rows) in order() {
            expect(TensorRole::weight_of(index), rows, width, 1)?;
            if psqt > 0 {
                expect(TensorRole::psqt_of(index), rows, psqt, 1)?;
            }
        }
    }
    for (index, layer) in net.layers.iter().enumerate() {
        expect(
            TensorRole::LayerBias(index),
            1,
            layer.outputs,
            net.stacks.count,
        )?;
        if layer.kind == LayerKind::Binary {
            expect(
                TensorRole::LayerScale(index),
                1,
                layer.outputs,
                net.stacks.count,
            )?;
        }
        expect(
            TensorRole::LayerWeight(index),
            layer.outputs,
            layer.file_inputs,
            net.stacks.count,
        )?;
    }
    ensure(tensors.next().is_none(), || {
        String::from("there are more tensors than parts")
    })
}

/// The tensors of a header-less file may have any order and any axes.
fn verify_raw_tensors(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> Result<(), String> {
    let (width, psqt) = (net.accumulator.width, net.accumulator.psqt_columns());
    let has = |role: TensorRole, rows: usize, cols: usize, copies: usize| {
        let all = net
            .tensors
            .iter()
            .filter(|t| t.role == role && (t.rows, t.cols, t.copies) == (rows, cols, copies));
        ensure(all.count() == 1, || {
            format!("tensor {role:?} is to be there once, {copies} times [{rows}][{cols}]")
        })
    };
    has(TensorRole::TransformerBias, 1, width, 1)?;
    if net.accumulator.separate {
        has(TensorRole::SecondBias, 1, width, 1)?;
    }
    for (index, feature) in net.features.iter().enumerate() {
        has(TensorRole::weight_of(index), feature.rows, width, 1)?;
        if net.accumulator.separate {
            has(TensorRole::second_weight_of(index), feature.rows, width, 1)?;
        }
        if let Some((columns, _)) = psqt {
            has(TensorRole::psqt_of(index), feature.rows, columns, 1)?;
        }
    }
    for (index, layer) in net.layers.iter().enumerate() {
        has(
            TensorRole::LayerBias(index),
            1,
            layer.outputs,
            net.stacks.count,
        )?;
        has(
            TensorRole::LayerWeight(index),
            layer.outputs,
            layer.file_inputs,
            net.stacks.count,
        )?;
        if layer.kind == LayerKind::Binary {
            has(
                TensorRole::LayerScale(index),
                1,
                layer.outputs,
                net.stacks.count,
            )?;
        }
    }
    let scales = net
        .layers
        .iter()
        .filter(|layer| layer.kind == LayerKind::Binary)
        .count();
    let features = net.features.len() * if psqt.is_some() { 2 } else { 1 };
    let expected = 1
        + features
        + if net.accumulator.separate {
            1 + net.features.len()
        } else {
            0
        }
        + 2 * net.layers.len()
        + scales;
    ensure(
        net.tensors.len() == expected && raw.axes.len() == expected,
        || format!("{expected} tensors are to be there, each with its axes"),
    )?;
    let complete = |(tensor, axes): (&TensorDesc<'_>, &Axes<'_>)| {
        let is_whole = |axis| {
            let parts = axes.iter().filter(|part| part.axis == axis);
            parts
                .map(|part| tensor.part_length(*part))
                .product::<usize>()
                == tensor.length(axis)
        };
        Axis::ALL.into_iter().all(is_whole)
    };
    ensure(net.tensors.iter().zip(raw.axes).all(complete), || {
        String::from("the parts of an axis do not make it whole")
    })?;
    ensure(each_row_once(net, raw), || {
        String::from("the file has each tensor once, in their order")
    })
}

/// Whether a file has each row of each tensor once, and tensors begin in their order.
fn each_row_once(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> bool {
    let mut begun = 0;
    let mut parts = Vec::new();
    for section in raw.sections {
        let Some(tensor) = section.tensor() else {
            continue;
        };
        let Some(desc) = net.tensors.get(tensor) else {
            return false;
        };
        if tensor == begun {
            begun += 1;
        } else if tensor > begun {
            return false;
        }
        parts.push(match section {
            Section::Rows(rows) => (tensor, rows.first, rows.count),
            _ => (tensor, 0, desc.rows),
        });
    }
    parts.sort_unstable();
    let mut next = (0, 0);
    for (tensor, first, count) in parts {
        if (tensor, first) != next {
            return false;
        }
        next = match first + count == net.tensors[tensor].rows {
            true => (tensor + 1, 0),
            false => (tensor, first + count),
        };
    }
    begun == net.tensors.len() && next == (begun, 0)
}
