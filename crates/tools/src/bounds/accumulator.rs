//! Bounds of the accumulators.
//!
//! ```text
//!   crude:    bias + sum over squares of max(0, greatest weight over planes)       for each group of rows and each neuron
//!   refined:  bias + own king + greatest enemy king
//!                  + the 30 greatest of max(0, greatest weight over piece planes)  for the neurons that the crude bound leaves open
//! ```
//!
//! and the lower bounds likewise, with minima. The crude pass reads all feature weights once, row by row, and
//! keeps two i16 sums for each neuron. It compiles to vector minima and maxima on any processor and runs at
//! memory speed. Its sums saturate, so a sum at a limit of i16 proves nothing.

use nnue_spec::{NetDesc, TensorRef, TensorRole};

use super::geometry::{Geometry, SQUARES};
use super::interval::Interval;
use super::pairs;

/// Number of neurons processed together.
const LANES: usize = 32;

/// The range of an accumulator and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccumulatorBounds {
    /// contains every value of every neuron
    pub range: Interval,
    /// how the range was found
    pub proof: Proof,
    /// the neurons whose values may not fit in i16, ascending
    pub unproven: Vec<usize>,
}

/// How a range was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Proof {
    /// by the crude pass: a piece on every square
    Crude,
    /// with two kings and at most 30 other pieces, for the neurons that the crude pass left open
    Refined,
}

/// Effort for tight ranges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// refine only the neurons that the crude pass leaves open
    Enough,
    /// refine all neurons
    Full,
}

/// Bounds of the accumulators of `net` with the weights of `perspective`.
pub(super) fn prove<'t>(
    net: &NetDesc<'_>,
    tensor: impl Fn(TensorRole) -> Option<TensorRef<'t>>,
    perspective: usize,
    effort: Effort,
) -> AccumulatorBounds {
    let (bias, weight) = (
        net.accumulator.bias_of(perspective),
        net.accumulator.weight_of(perspective, 0),
    );
    let (Some(TensorRef::I16(bias)), Some(weight)) = (tensor(bias), tensor(weight)) else {
        panic!("`{}`: accumulators have an i16 bias and weights", net.name);
    };
    let width = net.accumulator.width;
    let others = pairs::of_others(
        net,
        tensor,
        |set| net.accumulator.weight_of(perspective, set),
        width,
    );
    match (Geometry::of(net.features[0].set), weight) {
        (Some(geometry), TensorRef::I16(weight)) => {
            prove_groups(&geometry, bias, weight, &others, effort)
        }
        (Some(geometry), TensorRef::I8(weight)) => {
            prove_groups(&geometry, bias, weight, &others, effort)
        }
        _ => {
            let first = pairs::of_set(&net.features[0], weight, width);
            let ranges = first
                .iter()
                .zip(&others)
                .zip(bias)
                .map(|((first, others), bias)| *first + *others + Interval::of(*bias));
            let ranges: Vec<Interval> = ranges.collect();
            let unproven = (0..width)
                .filter(|&neuron| !ranges[neuron].fits_i16())
                .collect();
            let range = ranges
                .into_iter()
                .reduce(Interval::union)
                .unwrap_or(Interval::ZERO);
            AccumulatorBounds {
                range,
                proof: Proof::Refined,
                unproven,
            }
        }
    }
}

/// Bounds of accumulators whose first set has the layout `geometry`; `others` are the ranges that the other
/// sets add to each neuron.
fn prove_groups<T: Copy + Into<i16>>(
    geometry: &Geometry,
    bias: &[i16],
    weight: &[T],
    others: &[Interval],
    effort: Effort,
) -> AccumulatorBounds {
    let width = bias.len();
    let mut crude = Crude {
        low: vec![0; width],
        high: vec![0; width],
    };
    let (mut ranges, mut proof, mut unproven) = (None, Proof::Crude, Vec::new());
    for group in 0..geometry.groups {
        crude.run(geometry, group, weight);
        for neuron in 0..width {
            let mut range = crude.range(neuron, bias[neuron]) + others[neuron];
            if effort == Effort::Full || !range.fits_i16() {
                range = geometry.range(group, |row| i64::from(weight[row * width + neuron].into()))
                    + Interval::of(bias[neuron])
                    + others[neuron];
                proof = Proof::Refined;
            }
            if !range.fits_i16() {
                unproven.push(neuron);
            }
            ranges = Some(ranges.map_or(range, |ranges: Interval| ranges.union(range)));
        }
    }
    unproven.sort_unstable();
    unproven.dedup();
    AccumulatorBounds {
        range: ranges.unwrap_or(Interval::ZERO),
        proof,
        unproven,
    }
}

/// Bounds of the PSQT sums of one perspective; `None` without PSQT.
pub(super) fn prove_psqt<'t>(
    net: &NetDesc<'_>,
    tensor: impl Fn(TensorRole) -> Option<TensorRef<'t>>,
) -> Option<Interval> {
    let first = pairs::of_set(
        &net.features[0],
        tensor(TensorRole::TransformerPsqt)?,
        net.accumulator.psqt,
    );
    let others = pairs::of_others(net, tensor, TensorRole::psqt_of, net.accumulator.psqt);
    first
        .into_iter()
        .zip(others)
        .map(|(first, others)| first + others)
        .reduce(Interval::union)
}

/// Saturated sums without the bias.
struct Crude {
    low: Vec<i16>,
    high: Vec<i16>,
}

impl Crude {
    /// Computes the sums of a group. `weight` is `[rows][width]`.
    fn run<T: Copy + Into<i16>>(&mut self, geometry: &Geometry, group: usize, weight: &[T]) {
        self.low.fill(0);
        self.high.fill(0);
        match geometry.planes {
            10 => self.add_squares::<_, 10>(geometry, group, weight),
            11 => self.add_squares::<_, 11>(geometry, group, weight),
            44 => self.add_squares::<_, 44>(geometry, group, weight),
            48 => self.add_squares::<_, 48>(geometry, group, weight),
            _ => self.add_squares::<_, 12>(geometry, group, weight),
        }
    }

    fn add_squares<T: Copy + Into<i16>, const PLANES: usize>(
        &mut self,
        geometry: &Geometry,
        group: usize,
        weight: &[T],
    ) {
        assert_eq!(geometry.planes, PLANES);
        let width = self.low.len();
        for square in 0..SQUARES {
            let rows: [&[T]; PLANES] = core::array::from_fn(|plane| {
                &weight[geometry.row(group, plane, square) * width..][..width]
            });
            let (low, low_rest) = self.low.as_chunks_mut::<LANES>();
            let (high, high_rest) = self.high.as_chunks_mut::<LANES>();
            let chunks = rows.map(|row| row.as_chunks::<LANES>());
            for (index, (low, high)) in low.iter_mut().zip(high).enumerate() {
                add_square(low, high, chunks.map(|(chunks, _)| &chunks[index]));
            }
            for (index, (low, high)) in low_rest.iter_mut().zip(high_rest).enumerate() {
                let (low, high) = (core::array::from_mut(low), core::array::from_mut(high));
                add_square(
                    low,
                    high,
                    chunks.map(|(_, rest)| core::array::from_ref(&rest[index])),
                );
            }
        }
    }

    /// The range of a neuron. It exceeds i16 if a sum is saturated.
    fn range(&self, neuron: usize, bias: i16) -> Interval {
        let sum =
            |sum: i16, limit: i16, beyond: i64| if sum == limit { beyond } else { i64::from(sum) };
        let low = sum(self.low[neuron], i16::MIN, 2 * i64::from(i16::MIN));
        let high = sum(self.high[neuron], i16::MAX, 2 * i64::from(i16::MAX));
        Interval {
            min: i64::from(bias) + low,
            max: i64::from(bias) + high,
        }
    }
}

/// Adds the range of the at most one piece on a square.
#[inline(always)]
fn add_square<T: Copy + Into<i16>, const N: usize, const PLANES: usize>(
    low: &mut [i16; N],
    high: &mut [i16; N],
    rows: [&[T; N]; PLANES],
) {
    let (mut least, mut greatest) = ([0; N], [0; N]);
    for row in rows {
        for lane in 0..N {
            let weight: i16 = row[lane].into();
            least[lane] = weight.min(least[lane]);
            greatest[lane] = weight.max(greatest[lane]);
        }
    }
    for lane in 0..N {
        low[lane] = low[lane].saturating_add(least[lane]);
        high[lane] = high[lane].saturating_add(greatest[lane]);
    }
}

#[cfg(test)]
mod tests {
    use nnue_spec::FeatureSetId;

    use super::*;

    #[test]
    fn columns_that_fill_no_vector_are_bounded_like_others() {
        const WIDTH: usize = 40;
        let geometry = Geometry::of(FeatureSetId::Chess768).expect("a set of pieces");
        let weight: Vec<i16> = (0..768 * WIDTH as i32)
            .map(|index| (index * 37 % 401 - 200) as i16)
            .collect();
        let crude = |width: usize, weight: &[i16]| {
            let mut crude = Crude {
                low: vec![0; width],
                high: vec![0; width],
            };
            crude.run(&geometry, 0, weight);
            (crude.low, crude.high)
        };
        let (low, high) = crude(WIDTH, &weight);
        for neuron in 0..WIDTH {
            let column: Vec<i16> = weight.iter().skip(neuron).step_by(WIDTH).copied().collect();
            assert_eq!(
                crude(1, &column),
                (vec![low[neuron]], vec![high[neuron]]),
                "neuron {neuron}"
            );
        }
    }
}
