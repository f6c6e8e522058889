//! Layers of 32-bit floats, operation by operation in the declared order.

use alloc::vec;
use alloc::vec::Vec;

use super::{OwnActivations, Parameters, own};
use crate::descriptor::{FloatActivation, FloatInput, NetDesc, OutputTerm, TensorRole, Unit};

/// `a * b + c`, in one rounding or in two.
fn multiply_add(fused: bool, a: f32, b: f32, c: f32) -> f32 {
    if fused { fused_multiply_add(a, b, c) } else { a * b + c }
}

/// `a * b + c` rounded once. The product of two f32 is exact in f64; its sum with `c` is rounded to odd there, so that rounding
/// it again to f32 gives what one rounding would have given.
fn fused_multiply_add(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // What the sum lost, exactly (two-sum).
    let (from_c, from_product) = (sum - product, sum - (sum - product));
    let lost = (product - from_product) + (c - from_c);
    if lost == 0.0 || !sum.is_finite() || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    // The neighbour toward what was lost is odd.
    let up = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if up { sum.to_bits() + 1 } else { sum.to_bits() - 1 }) as f32
}

/// `sum * unit + bias`
pub(super) fn of_sums(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    sums: &[i32],
    unit: Unit,
    fused: bool,
) -> Vec<f32> {
    let bias = |row| parameters.float(TensorRole::LayerBias(layer), stack, 0, row);
    sums.iter().enumerate().map(|(row, &sum)| multiply_add(fused, sum as f32, factor(unit), bias(row))).collect()
}

fn factor(unit: Unit) -> f32 {
    unit.num as f32 / unit.den as f32
}

/// Accumulators as floats, the side to move first.
pub(super) fn of_accumulators(
    input: FloatInput,
    one: i32,
    unit: Unit,
    accumulators: &[Vec<i16>],
    own: OwnActivations<'_>,
) -> Vec<f32> {
    let activated = |half: &Vec<i16>| -> Vec<f32> {
        let clamped: Vec<i64> = half.iter().map(|&value| i64::from(value).clamp(0, one.into())).collect();
        let scaled = |value: i64| value as f32 * factor(unit);
        match input {
            FloatInput::Crelu => clamped.into_iter().map(scaled).collect(),
            FloatInput::Screlu => clamped.iter().map(|a| scaled(a * a)).collect(),
            FloatInput::Pairwise => {
                let (first, second) = clamped.split_at(half.len() / 2);
                first.iter().zip(second).map(|(a, b)| scaled(a * b)).collect()
            }
            FloatInput::Own(path) => own::float_inputs(own, path, half),
        }
    };
    accumulators.iter().flat_map(activated).collect()
}

pub(super) fn activate(activation: FloatActivation, values: &[f32], own: OwnActivations<'_>) -> Vec<f32> {
    let each = |f: fn(f32) -> f32| values.iter().copied().map(f).collect();
    match activation {
        FloatActivation::Crelu => each(clipped),
        FloatActivation::Screlu => each(|value| clipped(value) * clipped(value)),
        FloatActivation::SqrCrelu => each(|value| clipped(value * value)),
        FloatActivation::HardSwish => each(hard_swish),
        FloatActivation::Own(path) => own::of_floats(own, path, values),
        FloatActivation::Gated => {
            let (values, gates) = values.split_at(values.len() / 2);
            values.iter().zip(gates).map(|(value, &gate)| value * hard_swish(gate)).collect()
        }
    }
}

/// What is no number, and -0, become 0.
fn clipped(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

fn hard_swish(value: f32) -> f32 {
    let shifted = value + 3.0;
    let clipped = if shifted > 0.0 { shifted.min(6.0) } else { 0.0 };
    value * (clipped * (1.0 / 6.0))
}

/// The terms of the output, added in order.
pub(super) fn output(net: &NetDesc<'_>, floats: &[Vec<f32>]) -> f32 {
    let neuron = |term: &OutputTerm| {
        let value = floats[term.layer][term.neuron];
        if term.negative { -value } else { value }
    };
    let mut terms = net.output.terms.iter().map(neuron);
    let first = terms.next().expect("an output has terms");
    terms.fold(first, |sum, term| sum + term)
}

/// `trunc(1 / (1 + exp(-y)) * scale)`
pub(super) fn sigmoid(output: f32, scale: i32) -> i32 {
    let certainty = (1.0 / (1.0 + exp(-f64::from(output)))) as f32;
    (certainty * scale as f32) as i32
}

/// `trunc((win + draw / 2) * scale)` of the softmax of loss, draw and win.
pub(super) fn expected_score(outputs: [f32; 3], scale: i32) -> i32 {
    let greatest = outputs.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let shares = outputs.map(|output| exp(f64::from(output) - f64::from(greatest)));
    let sum = shares[0] + shares[1] + shares[2];
    let [_, draw, win] = shares.map(|share| (share / sum) as f32);
    ((win + draw * 0.5) * scale as f32) as i32
}

/// e^x: the series for x / 2^12, squared twelve times. Its relative error is below 2^-38.
pub(super) fn exp(x: f64) -> f64 {
    let small = x.clamp(-800.0, 800.0) / 4096.0;
    let series = (1..=16).rev().fold(1.0, |sum, k| 1.0 + small / f64::from(k) * sum);
    (0..12).fold(series, |power, _| power * power)
}

/// The sums of a layer; see [`crate::LayerKind::Float`] for the order.
pub(super) fn affine(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    input: &[f32],
    partial: usize,
    fused: bool,
) -> Vec<f32> {
    let neuron = |row| {
        let bias = parameters.float(TensorRole::LayerBias(layer), stack, 0, row);
        let weight = |col| parameters.float(TensorRole::LayerWeight(layer), stack, row, col);
        let add = |sum, (col, &x): (usize, &f32)| multiply_add(fused, x, weight(col), sum);
        if partial == 0 {
            return input.iter().enumerate().fold(bias, add);
        }
        let mut sums = vec![0.0; partial];
        for (col, x) in input.iter().enumerate() {
            sums[col % partial] = add(sums[col % partial], (col, x));
        }
        while sums.len() > 1 {
            let upper = sums.split_off(sums.len() / 2);
            sums.iter_mut().zip(upper).for_each(|(lower, upper)| *lower += upper);
        }
        sums[0] + bias
    };
    (0..parameters.net.layers[layer].outputs).map(neuron).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_product_is_rounded_once() {
        extern crate std;
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((state >> 33) as u32 % 0x2000_0000 + 0x3000_0000) * if state >> 63 == 0 { 1.0 } else { -1.0 }
        };
        let mut differ = 0;
        for _ in 0..100_000 {
            let (a, b, c) = (next(), next(), next());
            assert_eq!(fused_multiply_add(a, b, c).to_bits(), std::primitive::f32::mul_add(a, b, c).to_bits());
            differ += usize::from(fused_multiply_add(a, b, c) != a * b + c);
        }
        assert!(differ > 100, "{differ}");
    }
}
