//! Random weights, for tests and measurements of networks that are not trained yet.
//!
//! ```text
//!   accumulator   bias -one/2 ..= one/2;  rows -r ..= r,  r = one / 8, less where so many rows are active that i16 would wrap
//!   PSQT          -2000 ..= 2000
//!   layer         bias -1/8 ..= 1/8;  weights -w ..= w,  w = 4 / sqrt(inputs);  both in the layer's units, so that sums of activations
//!                 are about 1.0
//! ```

use nnue_spec::{
    ElementType, FeatureSetId, LayerKind, NetDesc, Section, TensorDesc, TensorMut, TensorRole,
};

use crate::blocks;
use crate::shards;

/// The limit for the sum of the active rows of all sets: with the bias, it fits in i16.
const ROOM: usize = 24_000;
/// The largest integer.
const MOST: i64 = 1 << 24;
/// The largest PSQT weight.
const PSQT: i64 = 2_000;

/// Fills `tensors`, one for each of `net.tensors`, in that order, with weights that depend only on `seed`.
/// They are the same on every processor, but other versions of this crate may give others.
///
/// Activations are neither all zero nor all at their limits, and padding is zero.
///
/// # Panics
///
/// If the number, lengths or types of `tensors` are not those of `net.tensors`.
pub fn randomize(net: &NetDesc<'_>, tensors: &mut [TensorMut<'_>], seed: u64) {
    let refs = || tensors.iter().map(TensorMut::as_ref);
    crate::reader::assert_shapes(
        net,
        refs().map(|tensor| tensor.element()),
        refs().map(|tensor| tensor.len()),
    );
    let mut random = Random(seed);
    for (index, (desc, tensor)) in net.tensors.iter().zip(&mut *tensors).enumerate() {
        let times = multiple(net, index);
        let columns = match desc.role {
            TensorRole::LayerWeight(layer) => net.layers[layer].inputs,
            _ => desc.cols,
        };
        let range = Range::of(net, desc).within(narrowest(net, index));
        let places = (0..desc.len()).filter(|place| place % desc.cols < columns);
        match &mut *tensor {
            TensorMut::I8(values) => {
                places.for_each(|place| values[place] = random.below(range.integer) as i8);
                blocks::thin(net, desc, values, |count| random.index(count));
            }
            TensorMut::I16(values) => {
                places.for_each(|place| {
                    let value = random.below(range.integer);
                    values[place] = (value - value % times) as i16;
                });
            }
            TensorMut::I32(values) => {
                places.for_each(|place| {
                    let value = random.below(range.integer);
                    values[place] = (value - value % times) as i32;
                });
            }
            TensorMut::F32(values) => {
                places.for_each(|place| values[place] = random.share() * range.float)
            }
        }
    }
    shards::clear_all(net, tensors);
}

/// The number by which those of a tensor in the file are multiplied on loading.
fn multiple(net: &NetDesc<'_>, tensor: usize) -> i64 {
    let raw = net.raw.as_ref();
    let stored = raw.and_then(|raw| raw.stored(tensor));
    let whole = stored.filter(|stored| stored.over == 1);
    whole.map_or(1, |stored| stored.times)
}

/// The greatest number that all rows of a tensor may have in the file.
fn narrowest(net: &NetDesc<'_>, tensor: usize) -> i64 {
    let sections = net.raw.as_ref().map_or(&[][..], |raw| raw.sections);
    let greatest = |section: &Section<&[u8]>| match section {
        Section::Rows(rows) if rows.tensor == tensor => Some(rows.element.range().1),
        _ => None,
    };
    sections
        .iter()
        .filter_map(greatest)
        .min()
        .unwrap_or(i64::MAX)
}

/// The largest weight of a tensor; the smallest is its negative.
struct Range {
    /// for integers, at least 1
    integer: i64,
    /// for floats
    float: f32,
}

impl Range {
    fn within(self, greatest: i64) -> Self {
        Self {
            integer: self.integer.min(greatest),
            ..self
        }
    }

    fn of(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Self {
        let one = i64::from(net.accumulator.one);
        let of_set = |set: FeatureSetId| {
            (one / 8).min((ROOM / (net.features.len() * set.max_active().max(1))) as i64)
        };
        let (integer, float) = match desc.role {
            TensorRole::TransformerBias | TensorRole::SecondBias => (one / 2, 0.0),
            TensorRole::TransformerWeight | TensorRole::SecondWeight => {
                (of_set(net.features[0].set), 0.0)
            }
            TensorRole::ExtraWeight(set) | TensorRole::SecondExtraWeight(set) => {
                (of_set(net.features[set].set), 0.0)
            }
            TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => (PSQT, 0.125),
            TensorRole::LayerBias(layer) => (unit_of_sums(net, layer) / 8, 0.125),
            TensorRole::LayerScale(layer) => (
                unit_of_sums(net, layer) / (4 * net.layers[layer].inputs.isqrt()) as i64,
                0.0,
            ),
            TensorRole::LayerWeight(layer) if net.layers[layer].kind == LayerKind::Binary => {
                (127, 0.0)
            }
            TensorRole::LayerWeight(layer) => {
                let inputs = net.layers[layer].inputs;
                (
                    4 * i64::from(net.layers[layer].scale) / inputs.isqrt() as i64,
                    4.0 / inputs.isqrt() as f32,
                )
            }
        };
        let most = if desc.element == ElementType::F32 {
            i64::MAX
        } else {
            desc.element.range().1.min(MOST)
        };
        Self {
            integer: integer.clamp(1, most),
            float,
        }
    }
}

/// The scale of the sums of an integer layer: the sum that stands for 1.0.
fn unit_of_sums(net: &NetDesc<'_>, layer: usize) -> i64 {
    let desc = &net.layers[layer];
    let input = match desc.kind {
        LayerKind::Integer => {
            let unit = net.unit_of(desc.segments[0].buffer);
            i32::try_from(unit.den / unit.num.max(1)).unwrap_or(i32::MAX)
        }
        LayerKind::Direct => net.accumulator.one,
        _ if net.reads_words(layer) => net.buffers[desc.segments[0].buffer].max,
        _ => 127,
    };
    i64::from(input) * i64::from(desc.scale)
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `-limit` to `limit`; `limit` is below 2^31.
    fn below(&mut self, limit: i64) -> i64 {
        (((self.next() >> 32) as i64 * (2 * limit + 1)) >> 32) - limit
    }

    /// A number below `count`; `count` is below 2^31.
    fn index(&mut self, count: usize) -> usize {
        (((self.next() >> 32) * count as u64) >> 32) as usize
    }

    /// A number from -1 to below 1.
    pub(crate) fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}
