//! Layers with one output that read the accumulators directly, with 16-bit weights.
//!
//! The kernels multiply 16-bit integers: `clamp(a) * w` must fit in 16 bits before it is multiplied
//! by `clamp(a)` again. Trained weights are usually small enough. If they are not, the weights are
//! split into smaller digits, *planes*, and each plane is summed separately:
//!
//! ```text
//!   w = p0 + p1 << bits + p2 << 2 * bits + ..         sum over k of f(a[k]) * w[k] = sum over i of (sum of plane i) << i * bits
//! ```
//!
//! Lane sums are kept in 32 bits and wrap, so they are right wherever the true sum fits. Where the
//! weights do not prove that it fits, the inputs are split into *runs* whose sums fit, and the sums
//! of runs are added in 64 bits.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{Activation, ElementType, NetDesc, StepDesc};

use crate::memory::{Number, Numbers, Tensor};
use crate::simd::Level;

/// The most inputs that a kernel reads at once: a vector of the widest level. Runs are made of such
/// blocks.
pub(crate) const BLOCK: usize = 32;

/// A layer with one output that reads `IN` accumulator values, in `STACKS` copies, with biases of type `B`.
#[derive(Clone, Debug)]
pub struct DirectLayer<B: Number, const IN: usize, const STACKS: usize> {
    /// bias
    pub bias: Tensor<[B; 1], STACKS>,
    /// weights as in the file: the side to move's accumulator first
    pub weight: Tensor<[[i16; IN]; 1], STACKS>,
    prepared: Prepared,
}

/// The planes and runs of a layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    /// digits of the weights of all stacks; empty if the weights themselves are small enough
    planes: Vec<Numbers>,
    /// bits per digit
    bits: u32,
    /// ends of the runs, in inputs; empty if all inputs are one run
    runs: Vec<usize>,
}

impl<B: Number + Into<i64>, const IN: usize, const STACKS: usize> DirectLayer<B, IN, STACKS> {
    /// All weights and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                IN.is_multiple_of(BLOCK),
                "accumulators are whole vectors of the widest level"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            prepared: Prepared::default(),
        }
    }

    /// Analyses the weights of layer `layer` of `net`: makes planes and runs if they are needed.
    ///
    /// # Panics
    ///
    /// If `net` has no such layer or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc<'_>, layer: usize, _level: Level) {
        assert_eq!(
            net.layers[layer].inputs, IN,
            "layer {layer} has another shape"
        );
        self.prepared = Prepared::of(net, layer, self.weight.flat());
    }

    #[inline(always)]
    pub(crate) fn bias(&self, stack: usize) -> i64 {
        self.bias[stack][0].into()
    }

    #[inline(always)]
    pub(crate) fn weights(&self, stack: usize) -> Weights<'_> {
        Weights {
            weights: &self.weight[stack][0],
            stack,
            prepared: &self.prepared,
        }
    }
}

impl Prepared {
    /// Analyses the weights of all stacks of layer `layer` of `net`.
    pub(crate) fn of(net: &NetDesc<'_>, layer: usize, weights: &[i16]) -> Self {
        let (range, inputs) = (Range::of(net, layer), net.layers[layer].inputs);
        let (planes, bits) = Self::cut(weights, range.digit);
        let runs = {
            let planes = planes
                .iter()
                .map(Numbers::values::<i16>)
                .chain(planes.is_empty().then_some(weights));
            let rows: Vec<&[i16]> = planes.flat_map(|plane| plane.chunks(inputs)).collect();
            Self::runs_of(&rows, range.greatest, inputs / net.accumulator.perspectives)
        };
        Self { planes, bits, runs }
    }

    /// Splits the weights into digits of at most `greatest`; empty if the weights themselves are
    /// small enough.
    fn cut(weights: &[i16], greatest: i32) -> (Vec<Numbers>, u32) {
        if weights
            .iter()
            .all(|&weight| i32::from(weight).abs() <= greatest)
        {
            return (Vec::new(), 0);
        }
        // Digits of b bits are at least -2^(b - 1) and less than 2^(b - 1).
        let bits = greatest.ilog2() + 1;
        let mut rest: Vec<i32> = weights.iter().map(|&weight| weight.into()).collect();
        let mut planes = Vec::new();
        while rest.iter().any(|&rest| rest != 0) {
            let mut plane = Numbers::zeroed(ElementType::I16, weights.len());
            for (digit, rest) in plane.values_mut::<i16>().iter_mut().zip(&mut rest) {
                let low = *rest << (32 - bits) >> (32 - bits);
                *digit = low as i16; // of fewer than 16 bits
                *rest = (*rest - low) >> bits;
            }
            planes.push(plane);
        }
        (planes, bits)
    }

    /// The ends of runs in which no sum of any of `rows` overflows 32 bits with inputs of
    /// `0..=greatest`. A run ends at the end of a perspective (`width` inputs). Empty if all inputs
    /// can be one run.
    fn runs_of(rows: &[&[i16]], greatest: i64, width: usize) -> Vec<usize> {
        let inputs = rows.first().map_or(0, |row| row.len());
        let mut ends = Vec::new();
        let mut sums = vec![(0_i64, 0_i64); rows.len()];
        let mut fits_whole = true;
        for start in (0..inputs).step_by(BLOCK) {
            let reach: Vec<(i64, i64)> = rows
                .iter()
                .map(|row| reach(&row[start..start + BLOCK], greatest))
                .collect();
            let fit = sums
                .iter()
                .zip(&reach)
                .all(|(sum, more)| fits((sum.0 + more.0, sum.1 + more.1)));
            let new_perspective = start.is_multiple_of(width);
            if start > 0 && (!fit || (new_perspective && !fits_whole)) {
                ends.push(start);
                sums.fill((0, 0));
            }
            fits_whole &= fit;
            sums.iter_mut()
                .zip(&reach)
                .for_each(|(sum, more)| *sum = (sum.0 + more.0, sum.1 + more.1));
        }
        if fits_whole {
            return Vec::new();
        }
        // The loop may have passed the end of the first perspective before runs were needed.
        ends.extend((width..=inputs).step_by(width));
        ends.sort_unstable();
        ends.dedup();
        ends
    }
}

/// The weights of a stack with their planes and runs.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) weights: &'a [i16],
    pub(crate) stack: usize,
    pub(crate) prepared: &'a Prepared,
}

impl<'a> Weights<'a> {
    /// The number of planes, at least one.
    #[inline(always)]
    pub(crate) fn planes(self) -> usize {
        self.prepared.planes.len().max(1)
    }

    #[inline(always)]
    pub(crate) fn plane(self, plane: usize) -> &'a [i16] {
        match self.prepared.planes.get(plane) {
            Some(digits) => {
                &digits.values()[self.stack * self.weights.len()..][..self.weights.len()]
            }
            None => self.weights,
        }
    }

    /// The left shift of a plane's sum.
    #[inline(always)]
    pub(crate) fn shift(self, plane: usize) -> u32 {
        plane as u32 * self.prepared.bits
    }

    /// The ends of the runs; empty if all inputs are one run.
    #[inline(always)]
    pub(crate) fn runs(self) -> &'a [usize] {
        &self.prepared.runs
    }
}

/// The ranges that the kernel of a layer supports.
struct Range {
    /// greatest activated input
    greatest: i64,
    /// greatest absolute weight
    digit: i32,
}

impl Range {
    fn of(net: &NetDesc<'_>, layer: usize) -> Self {
        let one = i64::from(net.accumulator.one);
        let activation = net.steps.iter().find_map(|step| match *step {
            StepDesc::AffineDirect {
                activation,
                layer: of,
            } if of == layer => Some(activation),
            _ => None,
        });
        let Some(formula) = activation
            .and_then(Activation::operation)
            .and_then(|operation| operation.whole)
        else {
            panic!("layer {layer} is not computed from accumulators");
        };
        let (greatest, most) = ((formula.greatest)(one, 0), i64::from(i16::MAX));
        let product = if greatest <= most { most } else { most / one };
        // The sum of a block must fit for any inputs, so that there are runs that fit.
        let digit = product.min(i64::from(i32::MAX) / BLOCK as i64 / greatest);
        Self {
            greatest,
            digit: digit as i32,
        }
    }
}

/// The least and the greatest sum of products with inputs of `0..=greatest`.
fn reach(weights: &[i16], greatest: i64) -> (i64, i64) {
    let of_sign = |sign: fn(i64) -> i64| {
        weights
            .iter()
            .map(|&weight| sign(weight.into()) * greatest)
            .sum()
    };
    (
        of_sign(|weight| weight.min(0)),
        of_sign(|weight| weight.max(0)),
    )
}

fn fits((least, greatest): (i64, i64)) -> bool {
    least >= i32::MIN.into() && greatest <= i32::MAX.into()
}
