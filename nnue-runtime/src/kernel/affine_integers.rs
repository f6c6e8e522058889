//! Layers of 32-bit integers.
//!
//! ```text
//!   y[o] = bias[o] + sum over k of weight[o][k] * x[k]        modulo 2^32, so in any order
//!
//!   affine_integers   a lane is an output: for each line of outputs and each input, sums += x[k] * columns[k],
//!                     or two inputs at once, if all inputs and weights fit in i16
//!   row_integers      a lane is a partial sum of one output: for each line of inputs, sums += x * row
//! ```
//!
//! The sums of a line stay in registers.

use super::line::{MOST_VECTORS, Vectors, each_vector, load, store, vectors};
use crate::integer::{Columns, IntegerLayer, IntegerRow, LANES};
use crate::memory::{Number, Sums, view};
use crate::simd::{Simd, Task};

/// The sums of a layer in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_integers<
    S: Simd,
    T: Number,
    const N: usize,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const LINES: usize,
    const OUTP: usize,
>(
    simd: S,
    x: &Sums<N>,
    layer: &IntegerLayer<T, IN, OUT, STACKS, LINES>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(IN <= N && OUTP == LANES * LINES) }
    let mut sums = Sums::zeroed();
    SumsOfIntegers {
        x: &x.0,
        columns: layer.columns(stack),
        start: layer.start(stack),
        sums: &mut sums.0,
    }
    .run(simd);
    sums
}

/// The sums of a layer of any size, in lines of 16 outputs.
pub(crate) struct SumsOfIntegers<'a> {
    /// whole lines; the values after the last input are multiplied by zeros or not at all
    pub(crate) x: &'a [i32],
    pub(crate) columns: Columns<'a>,
    pub(crate) start: &'a [i32],
    pub(crate) sums: &'a mut [i32],
}

impl Task for SumsOfIntegers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Columns {
            weights,
            inputs,
            pairs,
        } = self.columns;
        let each = LANES * if pairs { inputs.div_ceil(2) } else { inputs };
        for line in 0..self.sums.len() / LANES {
            let (first, weights) = (line * LANES, &weights[line * each..][..each]);
            let sums = load(simd, &self.start[first..][..LANES]);
            let sums = match pairs {
                true => add_pairs(simd, self.x, view(weights), sums),
                false => add_columns(simd, self.x, view(weights), sums),
            };
            store::<S>(sums, &mut self.sums[first..][..LANES]);
        }
    }
}

/// Adds the products of inputs with a line of outputs.
#[inline(always)]
fn add_columns<S: Simd>(
    simd: S,
    x: &[i32],
    columns: &[S::I32],
    mut sums: Vectors<S>,
) -> Vectors<S> {
    let x = &x[..columns.len() / const { vectors::<S>() }];
    for k in 0..x.len() {
        let column = &columns[k * const { vectors::<S>() }..][..const { vectors::<S>() }];
        let x = simd.splat_i32(x[k]);
        each_vector!(S, V sums[V] = simd.add_i32(sums[V], simd.mul_low_i32(x, column[V])));
    }
    sums
}

/// [`add_columns`] for pairs of inputs.
#[inline(always)]
fn add_pairs<S: Simd>(simd: S, x: &[i32], columns: &[S::I16], mut sums: Vectors<S>) -> Vectors<S> {
    let x = &x.as_chunks::<2>().0[..columns.len() / const { vectors::<S>() }];
    if const { vectors::<S>() == 1 } {
        sums[0] = add_in_turns(simd, x, columns, sums[0]);
        return sums;
    }
    for k in 0..x.len() {
        let column = &columns[k * const { vectors::<S>() }..][..const { vectors::<S>() }];
        let x = splat_pair(simd, x[k]);
        each_vector!(S, V sums[V] = simd.add_i32(sums[V], simd.dot_i16(x, column[V])));
    }
    sums
}

/// [`add_pairs`] for a line of one vector. Four sums are added to in turns: an instruction that multiplies and adds
/// does not wait for the one before.
#[inline(always)]
fn add_in_turns<S: Simd>(simd: S, x: &[[i32; 2]], columns: &[S::I16], start: S::I32) -> S::I32 {
    let columns = &columns[..x.len()];
    let product = |k: usize| simd.dot_i16(splat_pair(simd, x[k]), columns[k]);
    let zero = simd.zero_i32();
    let (mut a, mut b, mut c, mut d) = (start, zero, zero, zero);
    let fours = x.len() / 4 * 4;
    for k in (0..fours).step_by(4) {
        a = simd.add_i32(a, product(k));
        b = simd.add_i32(b, product(k + 1));
        c = simd.add_i32(c, product(k + 2));
        d = simd.add_i32(d, product(k + 3));
    }
    for k in fours..x.len() {
        a = simd.add_i32(a, product(k));
    }
    simd.add_i32(simd.add_i32(a, b), simd.add_i32(c, d))
}

#[inline(always)]
fn splat_pair<S: Simd>(simd: S, pair: [i32; 2]) -> S::I16 {
    simd.splat_i16x2([pair[0] as i16, pair[1] as i16])
}

/// The sum of a layer with one output in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn row_integers<
    S: Simd,
    T: Number,
    const IN: usize,
    const STACKS: usize,
    const INP: usize,
    const OUTP: usize,
>(
    simd: S,
    x: &Sums<INP>,
    layer: &IntegerRow<T, IN, STACKS, INP>,
    stack: usize,
) -> Sums<OUTP> {
    let mut sums = Sums::zeroed();
    let (x, row) = (&x.0, layer.row(stack));
    sums.0[0] = layer.bias[stack][0].wrapping_add(SumOfRow { x, row }.run(simd));
    sums
}

/// The sum of the products of lines of inputs with a row.
pub(crate) struct SumOfRow<'a> {
    pub(crate) x: &'a [i32],
    /// as long as `x`
    pub(crate) row: &'a [i32],
}

impl Task for SumOfRow<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let (x, row): (&[S::I32], &[S::I32]) = (view(self.x), view(self.row));
        let row = &row[..x.len()];
        let mut sums = [simd.zero_i32(); MOST_VECTORS];
        for first in (0..x.len()).step_by(const { vectors::<S>() }) {
            each_vector!(S, V sums[V] = simd.add_i32(sums[V], simd.mul_low_i32(x[first + V], row[first + V])));
        }
        let [a, b, c, d] = sums;
        simd.reduce_i32(simd.add_i32(simd.add_i32(a, b), simd.add_i32(c, d)))
    }
}
