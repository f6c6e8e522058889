//! Bounds of a layer with 16-bit weights that reads the accumulators directly.
//!
//! ```text
//!   output = sum over k of [least, greatest] of weight[k] * f(a[k]) / d + bias,      f(a[k]) in 0..=one or 0..=one^2
//! ```

use std::ops::Add;

use nnue_spec::{NetDesc, StepDesc, TensorRef};

use super::interval::Interval;
use super::layer::LayerBounds;

/// Bounds of layer `index` of `net`, which reads the accumulators.
///
/// # Panics
///
/// If there is no such layer, or the tensors have other types or lengths.
pub(super) fn prove(
    net: &NetDesc<'_>,
    index: usize,
    bias: TensorRef<'_>,
    weight: TensorRef<'_>,
) -> LayerBounds {
    let desc = &net.layers[index];
    let (greatest, divisor) = reach(net, index);
    let rows = (0..net.stacks.count).map(|stack| {
        let weights =
            (0..desc.inputs).map(|column| i64::from(weight.get(stack * desc.inputs + column)));
        let products = weights.map(|weight| {
            Interval {
                min: weight.min(0),
                max: weight.max(0),
            }
            .scaled(greatest)
        });
        products
            .fold(Interval::ZERO, Interval::add)
            .divided(divisor)
            + Interval::of(bias.get(stack))
    });
    let sums = rows.reduce(Interval::union).unwrap_or(Interval::ZERO);
    let greatest = i32::try_from(greatest).unwrap_or(i32::MAX);
    LayerBounds::of_sums(net, index, greatest, vec![sums])
}

/// The greatest activated value, and the divisor of the sum of products.
fn reach(net: &NetDesc<'_>, index: usize) -> (i64, i64) {
    let activation = net.steps.iter().find_map(|step| match *step {
        StepDesc::AffineDirect { activation, layer } if layer == index => Some(activation),
        _ => None,
    });
    let whole =
        activation.and_then(|activation| Some((activation, activation.operation()?.whole?)));
    let Some((activation, formula)) = whole else {
        panic!(
            "layer `{}` of `{}` is not computed from accumulators",
            net.layers[index].name, net.name
        );
    };
    (
        (formula.greatest)(net.accumulator.one.into(), 0),
        net.surplus_scale(activation),
    )
}
