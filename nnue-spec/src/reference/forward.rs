//! The steps of the forward pass (fact sheet, sections 6.2 to 6.4).

use alloc::vec;
use alloc::vec::Vec;

use super::{OwnActivations, Parameters, StackTrace, float, own};
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
                let (one, max) = (i64::from(net.accumulator.one), net.buffers[buffer].max);
                let read = &accumulators[..net.accumulator.perspectives];
                let activate =
                    |half: &Vec<i16>| activate_accumulator(activation, shift, [one, max.into()], half, parameters.own);
                buffers[buffer] = read.iter().flat_map(activate).collect();
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
                float_buffers[buffer] =
                    float::of_accumulators(input, one, unit, &accumulators[..perspectives], parameters.own);
            }
            StepDesc::FloatSums { layer, unit, fused } => {
                floats[layer] = float::of_sums(parameters, layer, stack, &sums[layer], unit, fused);
            }
            StepDesc::ActivateFloat { activation, layer, buffer } => {
                float_buffers[buffer] = float::activate(activation, &floats[layer], parameters.own);
            }
            StepDesc::AffineDirect { activation, layer } => {
                let sum = sum_direct(parameters, activation, layer, stack, accumulators);
                let bias = parameters.get(TensorRole::LayerBias(layer), stack, 0, 0);
                sums[layer] = vec![held_to_i32(unsquared(activation, net.accumulator.one, sum) + bias)];
                direct = Some(sum);
            }
            StepDesc::ActivateSums { activation, shift, layer, buffer } => {
                buffers[buffer] = match activation {
                    SumActivation::Own(path) => {
                        own::of_sums(parameters.own, path, net.buffers[buffer].max.into(), &sums[layer])
                    }
                    SumActivation::Crelu => sums[layer].iter().map(|&sum| crelu(sum, shift)).collect(),
                    SumActivation::SqrCrelu => sums[layer].iter().map(|&sum| sqr_crelu(sum, shift)).collect(),
                };
            }
        }
    }
    StackTrace { buffers, sums, direct, floats }
}

fn activate_accumulator(
    activation: AccumulatorActivation,
    shift: u32,
    [one, max]: [i64; 2],
    half: &[i16],
    own: OwnActivations<'_>,
) -> Vec<u8> {
    let clamped: Vec<i64> = half.iter().map(|&value| i64::from(value).clamp(0, one)).collect();
    let narrow = |value: i64| u8::try_from(value).expect("the shift brings activated accumulators into u8");
    match activation {
        AccumulatorActivation::Own(path) => own::of_accumulators(own, path, max, half),
        AccumulatorActivation::Crelu => clamped.into_iter().map(narrow).collect(),
        AccumulatorActivation::SqrCrelu => clamped.into_iter().map(|a| narrow((a * a) >> shift)).collect(),
        AccumulatorActivation::Pairwise => {
            let (first, second) = clamped.split_at(half.len() / 2);
            first.iter().zip(second).map(|(a, b)| narrow((a * b) >> shift)).collect()
        }
    }
}

fn crelu(sum: i32, shift: u32) -> u8 {
    (i64::from(sum) >> shift).clamp(0, 127) as u8
}

fn sqr_crelu(sum: i32, shift: u32) -> u8 {
    let sum = i64::from(sum);
    ((sum * sum) >> shift).min(127) as u8
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
