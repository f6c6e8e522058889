//! The steps of the forward pass (fact sheet, sections 6.2 to 6.4).

use alloc::vec;
use alloc::vec::Vec;

use super::{Parameters, StackTrace, float};
use crate::descriptor::*;

/// Runs all steps with the weights of one stack. `accumulators` has the side to move, then the other side.
pub(super) fn forward(parameters: &Parameters<'_>, accumulators: &[Vec<i16>; 2], stack: usize) -> StackTrace {
    let net = parameters.net;
    let mut buffers = vec![Vec::new(); net.buffers.len()];
    let mut sums = vec![Vec::new(); net.layers.len()];
    let mut direct = None;
    let (mut floats, mut float_buffers) = (vec![Vec::new(); net.layers.len()], vec![Vec::new(); net.buffers.len()]);
    for step in net.steps {
        match *step {
            StepDesc::ActivateAccumulator { activation, shift, buffer } => {
                let one = i64::from(net.accumulator.one);
                let read = &accumulators[..net.accumulator.perspectives];
                let values = read.iter().flat_map(|half| activate_accumulator(activation, shift, one, half));
                buffers[buffer] = values.collect();
            }
            StepDesc::Affine { layer } => match net.layers[layer].kind {
                LayerKind::Float { partial, fused } => {
                    let values = |segment: &Segment| {
                        let buffer: &Vec<f32> = &float_buffers[segment.buffer];
                        buffer[segment.start..][..segment.len].to_vec()
                    };
                    let input: Vec<f32> = net.layers[layer].segments.iter().flat_map(values).collect();
                    floats[layer] = float::affine(parameters, layer, stack, &input, partial, fused);
                }
                _ => sums[layer] = affine(parameters, layer, stack, &buffers),
            },
            StepDesc::FloatAccumulator { input, unit, buffer } => {
                let AccumulatorDesc { perspectives, one, .. } = net.accumulator;
                float_buffers[buffer] = float::of_accumulators(input, one, unit, &accumulators[..perspectives]);
            }
            StepDesc::FloatSums { layer, unit, fused } => {
                floats[layer] = float::of_sums(parameters, layer, stack, &sums[layer], unit, fused);
            }
            StepDesc::ActivateFloat { activation, layer, buffer } => {
                float_buffers[buffer] = float::activate(activation, &floats[layer]);
            }
            StepDesc::AffineDirect { activation, layer } => {
                let sum = sum_direct(parameters, activation, layer, stack, accumulators);
                let bias = parameters.get(TensorRole::LayerBias(layer), stack, 0, 0);
                sums[layer] = vec![held_to_i32(unsquared(activation, net.accumulator.one, sum) + bias)];
                direct = Some(sum);
            }
            StepDesc::ActivateSums { activation, shift, layer, buffer } => {
                buffers[buffer] = sums[layer].iter().map(|&sum| activate_sum(activation, shift, sum)).collect();
            }
        }
    }
    StackTrace { buffers, sums, direct, floats }
}

fn activate_accumulator(activation: AccumulatorActivation, shift: u32, one: i64, half: &[i16]) -> Vec<u8> {
    let clamped: Vec<i64> = half.iter().map(|&value| i64::from(value).clamp(0, one)).collect();
    let narrow = |value: i64| u8::try_from(value).expect("the shift brings activated accumulators into u8");
    match activation {
        AccumulatorActivation::Crelu => clamped.into_iter().map(narrow).collect(),
        AccumulatorActivation::SqrCrelu => clamped.into_iter().map(|a| narrow((a * a) >> shift)).collect(),
        AccumulatorActivation::Pairwise => {
            let (first, second) = clamped.split_at(half.len() / 2);
            first.iter().zip(second).map(|(a, b)| narrow((a * b) >> shift)).collect()
        }
    }
}

fn activate_sum(activation: SumActivation, shift: u32, sum: i32) -> u8 {
    let sum = i64::from(sum);
    let value = match activation {
        SumActivation::Crelu => (sum >> shift).clamp(0, 127),
        SumActivation::SqrCrelu => ((sum * sum) >> shift).min(127),
    };
    value as u8 // 0 to 127 in both cases
}

/// `bias[o] + sum over k of weight[o][k] * x[k]`, modulo 2^32.
fn affine(parameters: &Parameters<'_>, layer: usize, stack: usize, buffers: &[Vec<u8>]) -> Vec<i32> {
    let desc = &parameters.net.layers[layer];
    let values = |segment: &Segment| buffers[segment.buffer][segment.start..][..segment.len].to_vec();
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
    (0..desc.outputs).map(neuron).collect()
}

/// `sum over k of weight[k] * f(a[k])`, the side to move's accumulator first.
fn sum_direct(
    parameters: &Parameters<'_>,
    activation: DirectActivation,
    layer: usize,
    stack: usize,
    accumulators: &[Vec<i16>; 2],
) -> i64 {
    let AccumulatorDesc { perspectives, one, .. } = parameters.net.accumulator;
    let values = accumulators[..perspectives].iter().flat_map(|half| activate_direct(activation, one.into(), half));
    let weight = |col| parameters.get(TensorRole::LayerWeight(layer), stack, 0, col);
    values.enumerate().map(|(col, value)| value * weight(col)).sum()
}

/// The activated values of one accumulator, whole.
fn activate_direct(activation: DirectActivation, one: i64, half: &[i16]) -> Vec<i64> {
    let clamped: Vec<i64> = half.iter().map(|&value| i64::from(value).clamp(0, one)).collect();
    match activation {
        DirectActivation::Crelu => clamped,
        DirectActivation::Screlu => clamped.into_iter().map(|a| a * a).collect(),
        DirectActivation::Pairwise => {
            let (first, second) = clamped.split_at(half.len() / 2);
            first.iter().zip(second).map(|(a, b)| a * b).collect()
        }
    }
}

/// A sum over products of two neurons has the accumulator's scale once too often.
fn unsquared(activation: DirectActivation, one: i32, sum: i64) -> i64 {
    match activation {
        DirectActivation::Crelu => sum,
        DirectActivation::Screlu | DirectActivation::Pairwise => sum / i64::from(one),
    }
}

/// The nearest number that i32 holds.
pub(super) fn held_to_i32(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The sum of the output's terms, from the sums of all layers of one stack.
pub(super) fn positional(net: &NetDesc<'_>, trace: &StackTrace) -> i32 {
    let sums = &trace.sums;
    match net.value {
        // Conversions to i32 truncate and saturate.
        ValueDesc::Float { scale } => return (float::output(net, &trace.floats) * scale as f32) as i32,
        ValueDesc::Sigmoid { scale } => return float::sigmoid(float::output(net, &trace.floats), scale),
        ValueDesc::Wdl { scale } => {
            let layer = &trace.floats[net.output.terms[0].layer];
            return float::expected_score([layer[0], layer[1], layer[2]], scale);
        }
        ValueDesc::Together { .. } | ValueDesc::Separately { .. } | ValueDesc::Scaled { .. } => {}
    }
    let mut total = 0_i32;
    for term in net.output.terms {
        let scaled = scale(sums[term.layer][term.neuron], term.ratio);
        total = if term.negative { total.wrapping_sub(scaled) } else { total.wrapping_add(scaled) };
    }
    scale(total, net.output.ratio)
}

/// `trunc(x * num / den)` with the product in 64 bits or, as the networks up to SFNNv14 have it, modulo 2^32.
fn scale(x: i32, ratio: Option<Ratio>) -> i32 {
    let Some(Ratio { num, den, wide }) = ratio else { return x };
    let product = i64::from(x) * num;
    let product = if wide { product } else { i64::from(product as i32) };
    (product / den) as i32
}
