//! Bounds of a layer over 16-bit values.
//!
//! ```text
//!   sum = bias + sum over k of [least, greatest] of weight[k] * x[k],      x[k] in 0..=max of the buffers
//! ```
//!
//! Products are added in 32 bits if every sum fits, and in more bits otherwise, so there are no bounds for
//! pairs.

use std::ops::Add;

use nnue_spec::{ElementType, NetDesc, TensorRef};

use super::interval::Interval;
use super::layer::LayerBounds;

/// Bounds of layer `index` of `net`, which reads only such values.
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
    let greatest = desc
        .segments
        .iter()
        .map(|segment| net.buffers[segment.buffer].max)
        .max()
        .unwrap_or(0);
    let mut outputs = vec![
        Interval {
            min: i64::MAX,
            max: i64::MIN
        };
        desc.outputs
    ];
    for row in 0..net.stacks.count * desc.outputs {
        // a float bias is added later
        let bias = if bias.element() == ElementType::F32 {
            0
        } else {
            bias.get(row)
        };
        let product = |column| {
            let weight = i64::from(weight.get(row * desc.file_inputs + column));
            Interval {
                min: weight.min(0),
                max: weight.max(0),
            }
            .scaled(greatest.into())
        };
        let sum = (0..desc.inputs)
            .map(product)
            .fold(Interval::of(bias), Interval::add);
        let output = &mut outputs[row % desc.outputs];
        *output = output.union(sum);
    }
    LayerBounds::of_sums(net, index, greatest, outputs)
}
