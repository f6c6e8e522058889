//! Binary layers: signs, and dot products of signs.

use alloc::vec::Vec;

use super::Parameters;
use crate::descriptor::{Segment, SignOf, TensorRole};

/// Bits: 1 where `x > 0`; 0 stands for -1.
pub(super) fn signs(
    of: SignOf,
    accumulators: &[&[i16]],
    sums: &[Vec<i32>],
    buffers: &[Vec<u8>],
) -> Vec<u8> {
    match of {
        SignOf::Accumulator => accumulators
            .iter()
            .copied()
            .flatten()
            .map(|&x| u8::from(x > 0))
            .collect(),
        SignOf::Layer(layer) => sums[layer].iter().map(|&x| u8::from(x > 0)).collect(),
        SignOf::Buffer(buffer) => buffers[buffer].iter().map(|&x| u8::from(x > 0)).collect(),
    }
}

/// `bias[o] + scale[o] * sum over k of weight[o][k] * x[k]`, modulo 2^32.
pub(super) fn affine(
    parameters: &Parameters<'_>,
    layer: usize,
    stack: usize,
    buffers: &[Vec<u8>],
) -> Vec<i32> {
    let desc = &parameters.net.layers[layer];
    let values =
        |segment: &Segment| buffers[segment.buffer][segment.start..][..segment.len].to_vec();
    let inputs: Vec<u8> = desc.segments.iter().flat_map(values).collect();
    let neuron = |row| {
        let sign = |column: usize| {
            let byte = parameters.get(TensorRole::LayerWeight(layer), stack, row, column / 8);
            if byte >> (column % 8) & 1 == 1 { 1 } else { -1 }
        };
        let product =
            |(column, &x): (usize, &u8)| if x == 1 { sign(column) } else { -sign(column) };
        let dot: i64 = inputs.iter().enumerate().map(product).sum();
        let bias = match parameters.has_float_bias(layer) {
            true => 0,
            false => parameters.get(TensorRole::LayerBias(layer), stack, 0, row),
        };
        (bias + parameters.get(TensorRole::LayerScale(layer), stack, 0, row) * dot) as i32
    };
    (0..desc.outputs).map(neuron).collect()
}
