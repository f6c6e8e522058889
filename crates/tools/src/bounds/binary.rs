//! Bounds of a binary layer.
//!
//! ```text
//!   sum = bias + scale * d,      -n <= d <= n of n inputs
//! ```

use nnue_spec::{NetDesc, TensorRef};

use super::interval::Interval;
use super::layer::LayerBounds;

/// Bounds of layer `index` of `net` with these biases and scales, both `[stacks][outputs]`. A float bias is
/// added later.
///
/// # Panics
///
/// If there is no such layer, or the tensors have other lengths.
pub(super) fn prove(
    net: &NetDesc<'_>,
    index: usize,
    bias: TensorRef<'_>,
    scale: TensorRef<'_>,
) -> LayerBounds {
    let desc = &net.layers[index];
    let sum = |at: usize| {
        let bias = if let TensorRef::F32(_) = bias {
            0
        } else {
            bias.get(at)
        };
        let reach = i64::from(scale.get(at)).abs() * desc.inputs as i64;
        Interval {
            min: -reach,
            max: reach,
        } + Interval::of(bias)
    };
    let mut outputs = vec![sum(0); desc.outputs];
    for (output, range) in outputs.iter_mut().enumerate() {
        let stacks = (0..net.stacks.count).map(|stack| sum(stack * desc.outputs + output));
        *range = stacks.reduce(Interval::union).unwrap_or(Interval::ZERO);
    }
    LayerBounds::of_sums(net, index, 1, outputs)
}
