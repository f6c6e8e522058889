//! The steps of the forward pass (`docs/numerics.md`).

use alloc::vec;
use alloc::vec::Vec;

use super::formula::{defined, whole};
use super::{Parameters, StackTrace, binary, custom, float};
use crate::Wdl;
use crate::descriptor::*;
use crate::elementwise::{self, Number};
use crate::op::{BUFFER_MAX, Formula};

/// Runs all steps with the weights of one stack, from the accumulators of both perspectives. A layer of rows
/// on demand computes all rows, or the `listed` ones.
pub(super) fn forward(
    parameters: &Parameters<'_>,
    accumulators: [&[i16]; 2],
    stack: usize,
    listed: Option<&[usize]>,
) -> StackTrace {
    let net = parameters.net;
    let mut buffers = vec![Vec::new(); net.buffers.len()];
    let mut sums = vec![Vec::new(); net.layers.len()];
    let mut direct = None;
    let mut words = vec![Vec::new(); net.buffers.len()];
    let mut integers = vec![Vec::new(); net.buffers.len()];
    let (mut floats, mut float_buffers) = (
        vec![Vec::new(); net.layers.len()],
        vec![Vec::new(); net.buffers.len()],
    );
    let read = &accumulators[..net.accumulator.perspectives];
    for step in net.steps {
        match *step {
            StepDesc::ActivateAccumulator {
                activation,
                shift,
                buffer,
            } if net.buffers[buffer].source == Source::Words => {
                words[buffer] = read
                    .iter()
                    .flat_map(|half| words_of(net, activation, shift, half))
                    .collect();
            }
            StepDesc::ActivateAccumulator {
                activation,
                shift,
                buffer,
            } => {
                let max = net.buffers[buffer].max.into();
                let activate =
                    |half: &&[i16]| activate_accumulator(parameters, activation, shift, max, half);
                buffers[buffer] = read.iter().flat_map(activate).collect();
            }
            StepDesc::Affine { layer } => match net.layers[layer].kind {
                LayerKind::Float { partial, fused } => {
                    let values = |segment: &Segment| {
                        let buffer: &Vec<f32> = &float_buffers[segment.buffer];
                        buffer[segment.start..][..segment.len].to_vec()
                    };
                    let input: Vec<f32> =
                        net.layers[layer].segments.iter().flat_map(values).collect();
                    floats[layer] = float::affine(parameters, layer, stack, &input, partial, fused);
                }
                LayerKind::Integer => {
                    let values = |segment: &Segment| {
                        let Segment { buffer, start, len } = *segment;
                        integers_of(&buffers[buffer], &integers[buffer])[start..][..len].to_vec()
                    };
                    let input: Vec<i32> =
                        net.layers[layer].segments.iter().flat_map(values).collect();
                    sums[layer] = affine_integers(parameters, layer, stack, &input);
                }
                LayerKind::Binary => {
                    sums[layer] = binary::affine(parameters, layer, stack, &buffers)
                }
                kind => {
                    let all = || (0..net.layers[layer].outputs).collect();
                    let rows = listed
                        .filter(|_| kind == LayerKind::Rows)
                        .map_or_else(all, <[usize]>::to_vec);
                    sums[layer] = match net.reads_words(layer) {
                        true => affine_words(parameters, layer, stack, &words, &rows),
                        false => affine(parameters, layer, stack, &buffers, &rows),
                    };
                }
            },
            StepDesc::Map { map, buffer } => {
                let MapDesc { operands, code, .. } = net.maps[map];
                let integers_from = |&MapOperand { source, start }: &MapOperand| match source {
                    MapSource::Accumulator => {
                        let all = read.iter().copied().flatten();
                        all.map(|&neuron| i32::from(neuron)).collect()
                    }
                    MapSource::Layer(layer) => sums[layer][start..].to_vec(),
                    MapSource::Buffer(read) => {
                        integers_of(&buffers[read], &integers[read])[start..].to_vec()
                    }
                };
                let floats_from = |operand: &MapOperand| {
                    let integers = || integers_from(operand).iter().map(|&x| x as f32).collect();
                    match operand.source {
                        source if !net.reads_floats(source) => integers(),
                        MapSource::Accumulator => integers(),
                        MapSource::Layer(layer) => floats[layer][operand.start..].to_vec(),
                        MapSource::Buffer(read) => float_buffers[read][operand.start..].to_vec(),
                    }
                };
                let len = net.buffers[buffer].len;
                if net.maps[map].is_float() {
                    let operands: Vec<Vec<f32>> = operands.iter().map(floats_from).collect();
                    float_buffers[buffer] = map_each(code, &operands, len);
                } else {
                    let operands: Vec<Vec<i32>> = operands.iter().map(integers_from).collect();
                    integers[buffer] = map_each(code, &operands, len);
                }
            }
            StepDesc::Sign { of, buffer } => {
                buffers[buffer] = binary::signs(of, read, &sums, &buffers)
            }
            StepDesc::FloatAccumulator {
                activation,
                unit,
                buffer,
            } => {
                float_buffers[buffer] = float::of_accumulators(parameters, activation, unit, read);
            }
            StepDesc::FloatSums { layer, unit, fused } => {
                floats[layer] = float::of_sums(parameters, layer, stack, &sums[layer], unit, fused);
            }
            StepDesc::ActivateFloat {
                activation,
                layer,
                buffer,
            } => {
                float_buffers[buffer] = float::activate(parameters, activation, &floats[layer]);
            }
            StepDesc::AffineDirect { activation, layer } => {
                let sum = sum_direct(parameters, activation, layer, stack, read);
                let bias = parameters.get(TensorRole::LayerBias(layer), stack, 0, 0);
                sums[layer] = vec![held_to_i32(unsquared(net, activation, sum) + bias)];
                direct = Some(sum);
            }
            StepDesc::ActivateSums {
                activation,
                shift,
                layer,
                buffer,
            } => {
                let max = net.buffers[buffer].max.into();
                buffers[buffer] = activate_sums(parameters, activation, shift, max, &sums[layer]);
            }
            StepDesc::Pool {
                pool,
                operands,
                stride,
                buffer,
            } if net.buffers[buffer].source.is_float() => {
                let value = |Segment { buffer, start, .. }: Segment, j| {
                    float_buffers[buffer][start + stride * j]
                };
                let [first, second] = operands;
                let result = |j| (pool.definition().floats)(value(first, j), value(second, j));
                float_buffers[buffer] = (0..first.len).map(result).collect();
            }
            StepDesc::Pool {
                pool,
                operands,
                stride,
                buffer,
            } => {
                let value =
                    |Segment { buffer, start, .. }: Segment, j| buffers[buffer][start + stride * j];
                let [first, second] = operands;
                buffers[buffer] = (0..first.len)
                    .map(|j| pool.of_bytes(value(first, j), value(second, j)))
                    .collect();
            }
            StepDesc::Reduce {
                reduce,
                operand:
                    Segment {
                        buffer: read,
                        start,
                        len,
                    },
                size,
                buffer,
            } => {
                if net.buffers[buffer].source.is_float() {
                    let runs = float_buffers[read][start..][..len].chunks(size);
                    float_buffers[buffer] = runs.map(|run| reduce.of_floats(run)).collect();
                } else {
                    let runs = buffers[read][start..][..len].chunks(size);
                    buffers[buffer] = runs.map(|run| reduce.of_bytes(run)).collect();
                }
            }
        }
    }
    StackTrace {
        buffers,
        words,
        integers,
        float_buffers,
        sums,
        direct,
        floats,
        added: Vec::new(),
    }
}

/// Activates one accumulator to bytes.
fn activate_accumulator(
    parameters: &Parameters<'_>,
    activation: Activation,
    shift: u32,
    max: i64,
    half: &[i16],
) -> Vec<u8> {
    let Some(operation) = activation.operation() else {
        return custom::of_accumulators(parameters, activation, max, half);
    };
    let formula = defined(operation.accumulators, operation.name);
    let values: Vec<i64> = half.iter().map(|&value| value.into()).collect();
    let one = parameters.net.accumulator.one.into();
    Formula::apply(formula.value, operation.pairs, &values, (one, shift))
        .map(byte)
        .collect()
}

/// Activates one accumulator to 16-bit values.
fn words_of(net: &NetDesc<'_>, activation: Activation, shift: u32, half: &[i16]) -> Vec<i16> {
    let operation = defined(activation.operation(), net.activation_name(activation));
    let formula = defined(operation.words(), operation.name);
    let values: Vec<i64> = half.iter().map(|&value| value.into()).collect();
    let results = Formula::apply(
        formula.value,
        operation.pairs,
        &values,
        (net.accumulator.one.into(), shift),
    );
    results
        .map(|value| i16::try_from(value).expect("the shift brings activated values into i16"))
        .collect()
}

/// Activates sums to bytes.
fn activate_sums(
    parameters: &Parameters<'_>,
    activation: Activation,
    shift: u32,
    max: i64,
    sums: &[i32],
) -> Vec<u8> {
    let Some(operation) = activation.operation() else {
        return custom::of_sums(parameters, activation, max, sums);
    };
    let formula = defined(operation.sums, operation.name);
    let sums: Vec<i64> = sums.iter().map(|&sum| sum.into()).collect();
    Formula::apply(
        formula.value,
        operation.pairs,
        &sums,
        (BUFFER_MAX as i64, shift),
    )
    .map(byte)
    .collect()
}

fn byte(value: i64) -> u8 {
    u8::try_from(value).expect("the shift brings activated values into u8")
}

/// `bias[o] + sum over k of weight[o][k] * x[k]`, modulo 2^32, for these outputs.
fn affine(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    buffers: &[Vec<u8>],
    outputs: &[usize],
) -> Vec<i32> {
    let desc = &parameters.net.layers[layer];
    let values =
        |segment: &Segment| buffers[segment.buffer][segment.start..][..segment.len].to_vec();
    let inputs: Vec<u8> = desc.segments.iter().flat_map(values).collect();
    let neuron = |row| {
        let weight = |col| parameters.get(TensorRole::LayerWeight(layer), stack, row, col);
        let products = inputs.iter().enumerate().filter(|(_, x)| **x != 0);
        let products = products.map(|(col, &x)| weight(col) * i64::from(x));
        let bias = match parameters.has_float_bias(layer) {
            true => 0,
            false => parameters.get(TensorRole::LayerBias(layer), stack, 0, row),
        };
        (bias + products.sum::<i64>()) as i32
    };
    outputs.iter().copied().map(neuron).collect()
}

/// `bias[o] + sum over k of weight[o][k] * x[k]`, clamped to i32, for these outputs.
fn affine_words(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    words: &[Vec<i16>],
    outputs: &[usize],
) -> Vec<i32> {
    let values = |segment: &Segment| words[segment.buffer][segment.start..][..segment.len].to_vec();
    let inputs: Vec<i16> = parameters.net.layers[layer]
        .segments
        .iter()
        .flat_map(values)
        .collect();
    let neuron = |row| {
        let weight = |col| parameters.get(TensorRole::LayerWeight(layer), stack, row, col);
        let products = inputs.iter().enumerate().filter(|(_, x)| **x != 0);
        let sum: i64 = products.map(|(col, &x)| weight(col) * i64::from(x)).sum();
        let bias = match parameters.has_float_bias(layer) {
            true => 0,
            false => parameters.get(TensorRole::LayerBias(layer), stack, 0, row),
        };
        held_to_i32(sum + bias)
    };
    outputs.iter().copied().map(neuron).collect()
}

/// The results of an expression for the first `len` values of its operands.
fn map_each<N: Number>(code: &[Scalar], operands: &[Vec<N>], len: usize) -> Vec<N> {
    let results = (0..len).map(|j| elementwise::evaluate(code, |operand| operands[operand][j]));
    results.collect()
}

/// The values of a buffer of bytes, or of one of integers, whichever is filled.
fn integers_of(bytes: &[u8], integers: &[i32]) -> Vec<i32> {
    let bytes = bytes.iter().map(|&byte| byte.into());
    bytes.chain(integers.iter().copied()).collect()
}

/// `bias[o] + sum over k of weight[o][k] * x[k]`, modulo 2^32.
fn affine_integers(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    input: &[i32],
) -> Vec<i32> {
    let neuron = |row| {
        let bias = parameters.get(TensorRole::LayerBias(layer), stack, 0, row);
        let products = input.iter().enumerate().map(|(col, &x)| {
            let weight = parameters.get(TensorRole::LayerWeight(layer), stack, row, col);
            weight * i64::from(x)
        });
        products.fold(bias, i64::wrapping_add) as i32
    };
    (0..parameters.net.layers[layer].outputs)
        .map(neuron)
        .collect()
}

/// `sum over k of weight[k] * f(a[k])`, the first perspective first.
fn sum_direct(
    parameters: &Parameters<'_>,
    activation: Activation,
    layer: usize,
    stack: usize,
    accumulators: &[&[i16]],
) -> i64 {
    let values = accumulators
        .iter()
        .flat_map(|half| whole(parameters.net, activation, half));
    let weight = |col| parameters.get(TensorRole::LayerWeight(layer), stack, 0, col);
    values
        .enumerate()
        .map(|(col, value)| value * weight(col))
        .sum()
}

/// Removes the extra accumulator scale from a sum over products of two neurons.
fn unsquared(net: &NetDesc<'_>, activation: Activation, sum: i64) -> i64 {
    sum / net.surplus_scale(activation)
}

/// Clamps to the range of i32.
fn held_to_i32(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The numbers of a named output.
pub(super) fn head(net: &NetDesc<'_>, trace: &StackTrace, index: usize) -> Vec<f32> {
    let HeadDesc {
        kind,
        source,
        start,
        len,
        unit,
        ..
    } = net.heads[index];
    let (whole, floats): (Vec<f32>, &[f32]) = match source {
        HeadSource::Layer(layer) => (
            trace.sums[layer].iter().map(|&sum| sum as f32).collect(),
            &trace.floats[layer],
        ),
        HeadSource::Buffer(buffer) => (
            trace.buffers[buffer]
                .iter()
                .map(|&byte| byte.into())
                .collect(),
            &trace.float_buffers[buffer],
        ),
    };
    // A layer before floats keeps both its integer sums and its floats.
    let values = if floats.is_empty() { &whole } else { floats };
    if kind == HeadKind::Rows {
        return values.iter().map(|value| value * unit.factor()).collect();
    }
    values[start..start + len]
        .iter()
        .map(|value| value * unit.factor())
        .collect()
}

/// The output of the last layer.
pub(super) fn output(net: &NetDesc<'_>, trace: &StackTrace) -> RawOutput {
    let added = |neuron, value: f32| trace.added.get(neuron).map_or(value, |added| value + added);
    match net.value {
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } => {
            RawOutput::Float(added(0, float::output(net, &trace.floats)))
        }
        ValueDesc::Wdl { .. } => {
            let layer = &trace.floats[net.output.terms[0].layer];
            RawOutput::Wdl(Wdl::new(
                [0, 1, 2].map(|neuron| added(neuron, layer[neuron])),
            ))
        }
        ValueDesc::Together { .. }
        | ValueDesc::Separately { .. }
        | ValueDesc::Scaled { .. }
        | ValueDesc::Shifted { .. } => RawOutput::Sum(sum_of_terms(net, &trace.sums)),
    }
}

/// The terms of the output, added and scaled.
fn sum_of_terms(net: &NetDesc<'_>, sums: &[Vec<i32>]) -> i32 {
    let mut total = 0_i32;
    for term in net.output.terms {
        let scaled = scale(sums[term.layer][term.neuron], term.ratio);
        total = if term.negative {
            total.wrapping_sub(scaled)
        } else {
            total.wrapping_add(scaled)
        };
    }
    scale(total, net.output.ratio)
}

/// `trunc(x * num / den)` with a 64-bit product, or modulo 2^32 as in the networks up to SFNNv14.
fn scale(x: i32, ratio: Option<Ratio>) -> i32 {
    let Some(Ratio { num, den, wide }) = ratio else {
        return x;
    };
    let product = i64::from(x) * num;
    let product = if wide {
        product
    } else {
        i64::from(product as i32)
    };
    (product / den) as i32
}
