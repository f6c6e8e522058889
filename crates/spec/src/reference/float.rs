//! Float layers, operation by operation in the declared order.

use alloc::vec;
use alloc::vec::Vec;

use super::formula::{defined, whole};
use super::{Parameters, custom};
use crate::descriptor::{Activation, NetDesc, OutputTerm, TensorRole, Unit};
use crate::fused::mul_add;
use crate::op::pairs;

/// `a * b + c`, with one rounding or two.
pub(crate) fn multiply_add(fused: bool, a: f32, b: f32, c: f32) -> f32 {
    if fused { mul_add(a, b, c) } else { a * b + c }
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
    sums.iter()
        .enumerate()
        .map(|(row, &sum)| multiply_add(fused, sum as f32, unit.factor(), bias(row)))
        .collect()
}

/// Activated accumulators as floats, the first perspective first.
pub(super) fn of_accumulators(
    parameters: &Parameters<'_>,
    activation: Activation,
    unit: Unit,
    accumulators: &[&[i16]],
) -> Vec<f32> {
    let activated = |half: &&[i16]| -> Vec<f32> {
        if activation.operation().is_none() {
            return custom::float_inputs(parameters, activation, half);
        }
        let values = whole(parameters.net, activation, half);
        values
            .into_iter()
            .map(|value| value as f32 * unit.factor())
            .collect()
    };
    accumulators.iter().flat_map(activated).collect()
}

pub(super) fn activate(
    parameters: &Parameters<'_>,
    activation: Activation,
    values: &[f32],
) -> Vec<f32> {
    let Some(operation) = activation.operation() else {
        return custom::of_floats(parameters, activation, values);
    };
    let formula = defined(operation.floats, operation.name);
    pairs::operands(operation.pairs, values)
        .map(|(x, y)| (formula.value)(x, y))
        .collect()
}

/// The terms of the output, added in order.
pub(super) fn output(net: &NetDesc<'_>, floats: &[Vec<f32>]) -> f32 {
    let neuron = |term: &OutputTerm| {
        let value = floats[term.layer][term.neuron];
        if term.negative { -value } else { value }
    };
    let mut terms = net.output.terms.iter().map(neuron);
    // A network with rows on demand may have no value.
    let first = terms.next().unwrap_or(0.0);
    terms.fold(first, |sum, term| sum + term)
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
            sums.iter_mut()
                .zip(upper)
                .for_each(|(lower, upper)| *lower += upper);
        }
        sums[0] + bias
    };
    (0..parameters.net.layers[layer].outputs)
        .map(neuron)
        .collect()
}
