//! Bounds of a layer of 32-bit integers.
//!
//! ```text
//!   sum = bias + sum over k of weight[k] * [least, greatest] of x[k]
//! ```
//!
//! The range of x[k] is the one that the declaration proves for the expression that makes it.

use std::ops::Add;

use nnue_spec::{NetDesc, TensorRef};

use super::interval::Interval;
use super::layer::LayerBounds;

/// Bounds of layer `index` of `net`.
///
/// # Panics
///
/// If there is no such layer.
pub(super) fn prove(
    net: &NetDesc<'_>,
    index: usize,
    bias: TensorRef<'_>,
    weight: TensorRef<'_>,
) -> LayerBounds {
    let desc = &net.layers[index];
    let inputs: Vec<Interval> = desc
        .segments
        .iter()
        .flat_map(|segment| {
            let (min, max) = net.range_of(segment.buffer);
            let range = Interval {
                min: min.into(),
                max: max.into(),
            };
            std::iter::repeat_n(range, segment.len)
        })
        .collect();
    let sum_of_row = |row: usize| {
        let product = |(column, input): (usize, &Interval)| {
            let weight = i64::from(weight.get(row * desc.file_inputs + column));
            let (first, second) = (input.min * weight, input.max * weight);
            Interval {
                min: first.min(second),
                max: first.max(second),
            }
        };
        let products = inputs.iter().enumerate().map(product);
        products.fold(Interval::of(bias.get(row)), Interval::add)
    };
    let outputs: Vec<Interval> = (0..desc.outputs)
        .map(|output| {
            (0..net.stacks.count)
                .map(|stack| sum_of_row(stack * desc.outputs + output))
                .reduce(Interval::union)
                .unwrap_or(Interval::ZERO)
        })
        .collect();
    let greatest = inputs.iter().map(|input| input.max).max().unwrap_or(0);
    LayerBounds::of_sums(net, index, greatest as i32, outputs)
}
