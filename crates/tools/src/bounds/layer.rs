//! Bounds of the sums of a layer, and of the 16-bit sums inside its dot products.
//!
//! ```text
//!   sum        bias + sum over k of [least, greatest] of weight[k] * x[k],      x[k] in 0..=max of its buffer
//!   pair       x[2i] * w[2i] + x[2i+1] * w[2i+1], which `maddubs` adds in i16 with saturation
//!   two pairs  the sum in i16 of two pairs from the same half of any two blocks of four inputs
//! ```

use std::ops::Add;

use nnue_spec::{NetDesc, TensorRef};

use super::interval::Interval;

/// The possible sums of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerBounds {
    /// the name of the layer
    pub name: String,
    /// true for a float layer, which has no proofs: its intervals are zero
    pub is_float: bool,
    /// the greatest input
    pub input_max: i32,
    /// contains every sum of every output in every stack
    pub sums: Interval,
    /// the sums of each output, over all stacks
    pub outputs: Vec<Interval>,
    /// contains the sum of the two products of every pair of neighbouring inputs
    pub pair: Interval,
    /// contains the sum of any two pairs that a kernel may add in 16 bits
    pub two_pairs: Interval,
}

impl LayerBounds {
    /// The bounds of a float layer, whose sums are not integers.
    pub(super) fn of_floats(net: &NetDesc<'_>, index: usize) -> Self {
        let desc = &net.layers[index];
        Self {
            name: desc.name.to_owned(),
            is_float: true,
            input_max: 1,
            sums: Interval::ZERO,
            outputs: vec![Interval::ZERO; desc.outputs],
            pair: Interval::ZERO,
            two_pairs: Interval::ZERO,
        }
    }

    /// The bounds of a layer whose products are added in 32 bits or more: there are none for pairs.
    pub(super) fn of_sums(
        net: &NetDesc<'_>,
        index: usize,
        input_max: i32,
        outputs: Vec<Interval>,
    ) -> Self {
        let sums = outputs.iter().copied().reduce(Interval::union);
        Self {
            name: net.layers[index].name.to_owned(),
            is_float: false,
            input_max,
            sums: sums.unwrap_or(Interval::ZERO),
            outputs,
            pair: Interval::ZERO,
            two_pairs: Interval::ZERO,
        }
    }

    /// Whether adding two products in i16 with saturation can give a wrong sum.
    pub fn pair_saturates(&self) -> bool {
        !self.pair.fits_i16()
    }

    /// Whether adding four products in i16 can give a wrong sum.
    pub fn two_pairs_saturate(&self) -> bool {
        !self.two_pairs.fits_i16()
    }
}

/// Bounds of layer `index` of `net` with these biases (`[stacks][outputs]`) and weights
/// (`[stacks][outputs][columns]`).
///
/// # Panics
///
/// If there is no such layer, or the tensors have other types or lengths.
pub fn layer(
    net: &NetDesc<'_>,
    index: usize,
    bias: TensorRef<'_>,
    weight: TensorRef<'_>,
) -> LayerBounds {
    let zeros: Vec<i32>;
    let (bias, weight) = match (bias, weight) {
        (TensorRef::I32(bias), TensorRef::I8(weight)) => (bias, weight),
        // added later, in floats
        (TensorRef::F32(bias), TensorRef::I8(weight)) => {
            zeros = vec![0; bias.len()];
            (zeros.as_slice(), weight)
        }
        _ => panic!("layers with i32 or f32 biases and i8 weights are known"),
    };
    let desc = &net.layers[index];
    let greatest: Vec<i64> = desc
        .segments
        .iter()
        .flat_map(|s| core::iter::repeat_n(i64::from(net.buffers[s.buffer].max), s.len))
        .collect();
    let halves = halves(net, index);
    let mut bounds = LayerBounds {
        name: desc.name.to_owned(),
        is_float: false,
        input_max: desc
            .segments
            .iter()
            .map(|segment| net.buffers[segment.buffer].max)
            .max()
            .unwrap_or(0),
        sums: Interval {
            min: i64::MAX,
            max: i64::MIN,
        },
        outputs: vec![
            Interval {
                min: i64::MAX,
                max: i64::MIN
            };
            desc.outputs
        ],
        pair: Interval::ZERO,
        two_pairs: Interval::ZERO,
    };
    for (row, (bias, weights)) in bias
        .iter()
        .zip(weight.chunks_exact(desc.file_inputs))
        .enumerate()
    {
        let products = |column: usize| product(greatest[column], weights[column]);
        let sum = (0..desc.inputs)
            .map(products)
            .fold(Interval::of(*bias), Interval::add);
        let output = &mut bounds.outputs[row % desc.outputs];
        *output = output.union(sum);
        for half in &halves {
            let pairs = half.iter().map(|pair| {
                pair.iter()
                    .flatten()
                    .map(|&k| products(k))
                    .fold(Interval::ZERO, Interval::add)
            });
            let [first, second] = two_farthest(pairs);
            bounds.pair = bounds.pair.union(first);
            bounds.two_pairs = bounds.two_pairs.union(first + second);
        }
    }
    bounds.sums = bounds
        .outputs
        .iter()
        .copied()
        .reduce(Interval::union)
        .unwrap_or(Interval::ZERO);
    bounds
}

/// The range of `weight * x` for x in `0..=greatest`.
fn product(greatest: i64, weight: i8) -> Interval {
    let product = greatest * i64::from(weight);
    Interval {
        min: product.min(0),
        max: product.max(0),
    }
}

/// Columns of two neighbouring inputs; `None` for an input without a column.
type Pair = [Option<usize>; 2];

/// The first pairs and the second pairs of the blocks of four inputs.
fn halves(net: &NetDesc<'_>, index: usize) -> [Vec<Pair>; 2] {
    let desc = &net.layers[index];
    let mut halves = [Vec::new(), Vec::new()];
    for (number, segment) in desc.segments.iter().enumerate() {
        let first = desc.segment_column(number);
        let column = |value: usize| {
            value
                .checked_sub(segment.start)
                .filter(|&k| k < segment.len)
                .map(|k| first + k)
        };
        for pair in segment.start / 2..(segment.start + segment.len).div_ceil(2) {
            halves[pair % 2].push([column(2 * pair), column(2 * pair + 1)]);
        }
    }
    halves
}

/// The two least minima and the two greatest maxima; `[0]` has the extremes.
fn two_farthest(pairs: impl Iterator<Item = Interval>) -> [Interval; 2] {
    pairs.fold([Interval::ZERO; 2], |[first, second], pair| {
        [
            first.union(pair),
            Interval {
                min: second.min.min(pair.min.max(first.min)),
                max: second.max.max(pair.max.min(first.max)),
            },
        ]
    })
}
