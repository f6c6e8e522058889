//! Subnets: the sums of those that a caller's moves name, their activations, and the products that
//! form logits.
//!
//! ```text
//!   weights    [subnet][row][8 neurons at a time]     the bias stands where row ROWS would be
//!   values     [subnet][8 neurons at a time]          sums, then activated
//!
//!   subnet s   y[k] = ((bias[k] + w[r0][k]) + w[r1][k]) + ..       r0 < r1 < .. the active rows; each subnet once a position
//!   logit      ((0 + x[0] z[0]) + x[1] z[1]) + ..                  of both subnets of each product, then the terms
//! ```
//!
//! Thirty moves name about forty subnets, each of which reads 32 bytes of thirty rows, so the main
//! point is to compute each subnet only once. Four subnets are summed up side by side, since each
//! addition of one waits for the one before. A row of 8 floats is half a cache line and one 256-bit
//! vector. The loops use plain arrays of that size, which compilers vectorise with the level's
//! features, in the order that the declaration fixes.

use bytemuck::Pod;
use nnue_spec::Activation;
use nnue_spec::subnets::SubnetProduct;

use super::float_activation::activate_floats;
use crate::memory::{Line, view_mut};
use crate::simd::{Simd, Task};

/// Neurons that are added together.
pub(crate) const LANES: usize = 8;

/// Subnets that are summed up side by side.
const TOGETHER: usize = 4;

pub(crate) trait Weight: Pod + Default {
    /// a sum of weights, and its activation
    type Value: Pod + Default;
    /// a sum of products
    type Total: Copy + Default;

    /// Adds a weight.
    fn add(sum: Self::Value, weight: Self) -> Self::Value;

    /// Applies an activation with the scale `one`.
    fn activate<S: Simd>(simd: S, activation: Activation, one: i32, values: &mut [Line]);

    /// Adds a product, or subtracts it if `negative`.
    fn multiply(total: Self::Total, product: [Self::Value; 2], negative: bool) -> Self::Total;

    /// The total as a float; integer totals are multiplied by `unit`.
    fn logit(total: Self::Total, unit: f32) -> f32;
}

impl Weight for f32 {
    type Value = f32;
    type Total = f32;

    #[inline(always)]
    fn add(sum: f32, weight: f32) -> f32 {
        sum + weight
    }

    #[inline(always)]
    fn activate<S: Simd>(simd: S, activation: Activation, _one: i32, values: &mut [Line]) {
        activate_floats(simd, activation, view_mut(values));
    }

    #[inline(always)]
    fn multiply(total: f32, [a, b]: [f32; 2], negative: bool) -> f32 {
        if negative {
            total - a * b
        } else {
            total + a * b
        }
    }

    #[inline(always)]
    fn logit(total: f32, _unit: f32) -> f32 {
        total
    }
}

impl Weight for i16 {
    type Value = i32;
    type Total = i64;

    #[inline(always)]
    fn add(sum: i32, weight: i16) -> i32 {
        sum.wrapping_add(i32::from(weight))
    }

    #[inline(always)]
    fn activate<S: Simd>(_simd: S, activation: Activation, one: i32, values: &mut [Line]) {
        let most = if activation == Activation::Relu {
            i32::MAX
        } else {
            one
        };
        let squared = activation == Activation::Screlu;
        for value in bytemuck::cast_slice_mut::<Line, i32>(values) {
            let clipped = (*value).clamp(0, most);
            *value = if squared {
                clipped.wrapping_mul(clipped)
            } else {
                clipped
            };
        }
    }

    #[inline(always)]
    fn multiply(total: i64, [a, b]: [i32; 2], negative: bool) -> i64 {
        let product = i64::from(a).wrapping_mul(i64::from(b));
        if negative {
            total.wrapping_sub(product)
        } else {
            total.wrapping_add(product)
        }
    }

    #[inline(always)]
    fn logit(total: i64, unit: f32) -> f32 {
        total as f32 * unit
    }
}

/// The layout of a group in the weights and values, counted in pieces of [`LANES`] neurons.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// number of subnets
    pub(crate) count: usize,
    /// neurons per subnet
    pub(crate) width: usize,
    /// pieces per row
    pub(crate) pieces: usize,
    /// index of the first weights
    pub(crate) weights: usize,
    /// index of the first values
    pub(crate) values: usize,
    /// index of its first subnet among all
    pub(crate) first: usize,
    /// lines of its values
    pub(crate) lines: core::ops::Range<usize>,
    pub(crate) activation: Activation,
    /// the scale of its sums
    pub(crate) one: i32,
}

/// The subnets and terms of a logit.
pub trait Listed {
    /// For each product, the subnet of its first group and that of its second.
    fn subnets(&self) -> &[[u16; 2]];

    /// The terms in the order of addition.
    fn terms(&self) -> &[u16];
}

pub(crate) struct Logits<'a, W, M> {
    pub(crate) groups: &'a [Group],
    pub(crate) products: &'a [SubnetProduct],
    /// rows of weights per subnet, without the bias
    pub(crate) features: usize,
    pub(crate) weights: &'a [[W; LANES]],
    pub(crate) unit: f32,
    pub(crate) terms: &'a [f32],
    /// the active rows, ascending
    pub(crate) rows: &'a [u32],
    pub(crate) moves: &'a [M],
    /// room for the values of all subnets
    pub(crate) values: &'a mut [Line],
    /// for each subnet, whether a move names it; initially false
    pub(crate) named: &'a mut [bool],
    pub(crate) logits: &'a mut [f32],
}

impl<W: Weight, M: Listed> Task for Logits<'_, W, M> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for listed in self.moves {
            for (product, subnets) in self.products.iter().zip(listed.subnets()) {
                self.name(product.groups[0], subnets[0].into());
                self.name(product.groups[1], subnets[1].into());
            }
        }
        for group in self.groups {
            self.sum_up(group);
        }
        for group in self.groups {
            W::activate(
                simd,
                group.activation,
                group.one,
                &mut self.values[group.lines.clone()],
            );
        }
        let values: &[W::Value] = bytemuck::cast_slice(self.values);
        for (logit, listed) in self.logits.iter_mut().zip(self.moves) {
            let mut total = W::Total::default();
            for (product, subnets) in self.products.iter().zip(listed.subnets()) {
                let [a, b] = product.groups;
                let a = of_subnet(&self.groups[a], subnets[0].into(), values);
                let b = of_subnet(&self.groups[b], subnets[1].into(), values);
                for k in 0..a.len().min(b.len()) {
                    total = W::multiply(total, [a[k], b[k]], product.negative);
                }
            }
            *logit = W::logit(total, self.unit);
            for &term in listed.terms() {
                *logit += self.terms[usize::from(term)];
            }
        }
    }
}

impl<W: Weight, M> Logits<'_, W, M> {
    /// Notes that a move names a subnet.
    #[inline(always)]
    fn name(&mut self, group: usize, subnet: usize) {
        let group = &self.groups[group];
        assert!(
            subnet < group.count,
            "a move names subnet {subnet} of a group of {}",
            group.count
        );
        self.named[group.first + subnet] = true;
    }

    /// Computes the sums of all subnets of a group that are named.
    #[inline(always)]
    fn sum_up(&mut self, group: &Group) {
        let (mut together, mut count) = ([0; TOGETHER], 0);
        for subnet in 0..group.count {
            if !self.named[group.first + subnet] {
                continue;
            }
            together[count] = subnet;
            count += 1;
            if count == TOGETHER {
                self.sums(group, &together);
                count = 0;
            }
        }
        for &subnet in &together[..count] {
            self.sums(group, &[subnet]);
        }
    }

    /// Computes the sums of some subnets of a group.
    #[inline(always)]
    fn sums<const N: usize>(&mut self, group: &Group, subnets: &[usize; N]) {
        let stride = (self.features + 1) * group.pieces;
        let weights =
            subnets.map(|subnet| &self.weights[group.weights + subnet * stride..][..stride]);
        let values: &mut [[W::Value; LANES]] = bytemuck::cast_slice_mut(self.values);
        for piece in 0..group.pieces {
            let mut sums = [[W::Value::default(); LANES]; N];
            // The bias stands after the rows.
            add(&mut sums, &weights, self.features * group.pieces + piece);
            for &row in self.rows {
                add(&mut sums, &weights, row as usize * group.pieces + piece);
            }
            for n in 0..N {
                values[group.values + subnets[n] * group.pieces + piece] = sums[n];
            }
        }
    }
}

/// Adds to the sums of each subnet its weights `at`.
#[inline(always)]
fn add<W: Weight, const N: usize>(
    sums: &mut [[W::Value; LANES]; N],
    weights: &[&[[W; LANES]]; N],
    at: usize,
) {
    for n in 0..N {
        let weights = &weights[n][at];
        for lane in 0..LANES {
            sums[n][lane] = W::add(sums[n][lane], weights[lane]);
        }
    }
}

#[inline(always)]
fn of_subnet<'a, V>(group: &Group, subnet: usize, values: &'a [V]) -> &'a [V] {
    &values[(group.values + subnet * group.pieces) * LANES..][..group.width]
}
