//! Layers of 16-bit values, with weights of 8 or 16 bits.
//!
//! ```text
//!   y[o] = held(bias[o] + sum over k of weight[o][k] * x[k])               held: to the range of i32
//!
//!   weights: row[stack][o][k], as in the file                            the values stand in order, so nothing is prepared
//!
//!   four rows at a time, or the only one                                 x is loaded once for four dot products
//!   for each vector v:    d = pairs of products of x[v] and row[v]       fits in i32 for any values
//!       rows that fit:    sum += d
//!       others:           low += d & 0xFFFF, high += d >> 16             sum = low + 2^16 * high
//! ```
//!
//! A row fits if the sum of its positive weights times the greatest value fits in i32, and so does
//! that of its negative weights: then every partial sum of its products fits, in any order. The
//! loader checks this for each row. The low and high halves of other rows are below 2^16; i32 holds
//! the sum of 2^15 of them, which is the maximum number of pairs.

use super::rows_on_demand::{Rows, TOGETHER};
use super::unroll::unroll;
use crate::layer::Bias;
use crate::memory::{LINE, Sums, Words, prefetch, view};
use crate::simd::{Simd, Task};
use crate::words::{WordWeight, WordsLayer};

/// The sums of a layer that reads a whole buffer, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_words<
    S: Simd,
    T: WordWeight,
    B: Bias,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const OUTP: usize,
>(
    simd: S,
    x: &Words<IN>,
    layer: &WordsLayer<T, IN, OUT, STACKS, B>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(OUT <= OUTP && IN <= MOST_INPUTS) }
    let mut sums = Sums::zeroed();
    let (bias, weights, fits) = (
        &layer.bias[stack],
        layer.weight[stack].as_flattened(),
        layer.fits(stack),
    );
    SumsOfWords {
        x: &x.0,
        weights,
        bias: bias.as_slice(),
        fits,
        sums: &mut sums.0,
    }
    .run(simd);
    sums
}

/// The most inputs of a layer: i32 holds the sum of 2^15 integers below 2^16.
pub(crate) const MOST_INPUTS: usize = 1 << 16;

/// The sums of a layer of any size with at most [`MOST_INPUTS`] inputs: one per bias.
pub(crate) struct SumsOfWords<'a, T, B> {
    pub(crate) x: &'a [i16],
    /// row after row
    pub(crate) weights: &'a [T],
    pub(crate) bias: &'a [B],
    /// for each row: whether every partial sum of its products fits in i32
    pub(crate) fits: &'a [bool],
    pub(crate) sums: &'a mut [i32],
}

impl<T: WordWeight, B: Bias> Task for SumsOfWords<'_, T, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            x,
            weights,
            bias,
            fits,
            sums,
        } = self;
        let inputs = x.len();
        if bias.len() == 1 {
            let [dot] = multiply(simd, x, [&weights[..inputs]], None, fits[0]);
            sums[0] = held(dot + i64::from(bias[0].start()));
            return;
        }
        for first in (0..bias.len()).step_by(TOGETHER) {
            let last = bias.len() - 1;
            let at = [
                first,
                (first + 1).min(last),
                (first + 2).min(last),
                (first + 3).min(last),
            ];
            let mut four = [weights; TOGETHER];
            unroll!(4, |K| four[K] = &weights[at[K] * inputs..][..inputs]);
            let fit = fits[at[0]] & fits[at[1]] & fits[at[2]] & fits[at[3]];
            let dots = multiply(simd, x, four, None, fit);
            for (place, dot) in (first..bias.len()).zip(dots) {
                sums[place] = held(dot + i64::from(bias[place].start()));
            }
        }
    }
}

/// The logits of the listed rows of a layer that reads a whole buffer, in stack `stack`:
/// `sum * unit`.
///
/// # Panics
///
/// If there is no such stack or row.
#[inline(always)]
pub fn rows_of_words<
    S: Simd,
    T: WordWeight,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
>(
    simd: S,
    x: &Words<IN>,
    layer: &WordsLayer<T, IN, OUT, STACKS>,
    stack: usize,
    rows: &mut Rows<'_>,
    unit: f32,
) {
    let (bias, weights, fits) = (&layer.bias[stack], &layer.weight[stack], layer.fits(stack));
    let mut next = rows.group(weights, 0);
    for first in (0..rows.len()).step_by(TOGETHER) {
        let these = next;
        next = rows.group(weights, first + TOGETHER);
        let listed = rows.listed(first);
        let fit = fits[listed[0]] & fits[listed[1]] & fits[listed[2]] & fits[listed[3]];
        let dots = multiply(
            simd,
            &x.0,
            these.map(|row| row.as_slice()),
            Some(next.map(|row| row.as_slice())),
            fit,
        );
        for (place, dot) in (first..rows.len()).zip(dots) {
            let sum = held(dot + i64::from(bias[rows.row(place)]));
            rows.set(place, sum as f32 * unit);
        }
    }
}

/// Clamps to the range of i32.
#[inline(always)]
fn held(sum: i64) -> i32 {
    sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The dot products of a buffer with up to four rows, while the lines of the `next` rows are
/// prefetched. `fit`: every partial sum of these rows fits in i32.
#[inline(always)]
fn multiply<S: Simd, T: WordWeight, const ROWS: usize>(
    simd: S,
    x: &[i16],
    rows: [&[T]; ROWS],
    next: Option<[&[T]; ROWS]>,
    fit: bool,
) -> [i64; ROWS] {
    if const { S::BYTES > 16 } && !x.len().is_multiple_of(S::BYTES / 2) {
        return multiply(simd.narrow(), x, rows, next, fit);
    }
    if fit {
        Vectors::new(simd, x, rows, next).sum()
    } else {
        Vectors::new(simd, x, rows, next).sum_halves()
    }
}

/// A loop over up to four rows, unrolled.
macro_rules! each {
    ($rows:ident, $k:ident $body:expr) => {
        unroll!(4, |$k| if const { $k < $rows } {
            $body
        })
    };
}

struct Vectors<'a, S: Simd, T: WordWeight, const ROWS: usize> {
    simd: S,
    x: &'a [S::I16],
    rows: [&'a [T::Vector<S>]; ROWS],
    next: Option<[&'a [T]; ROWS]>,
}

impl<'a, S: Simd, T: WordWeight, const ROWS: usize> Vectors<'a, S, T, ROWS> {
    /// Vectors of weights in a cache line.
    const PER_LINE: usize = LINE / size_of::<T::Vector<S>>();

    #[inline(always)]
    fn new(simd: S, x: &'a [i16], rows: [&'a [T]; ROWS], next: Option<[&'a [T]; ROWS]>) -> Self {
        let x: &[S::I16] = view(x);
        let len = x.len();
        let mut vectors: [&[T::Vector<S>]; ROWS] = [&[]; ROWS];
        each!(ROWS, K vectors[K] = &view(rows[K])[..len]);
        Self {
            simd,
            x,
            rows: vectors,
            next,
        }
    }

    #[inline(always)]
    fn sum(self) -> [i64; ROWS] {
        let simd = self.simd;
        let mut acc = [simd.zero_i32(); ROWS];
        for at in 0..self.x.len() {
            self.fetch(at);
            each!(ROWS, K acc[K] = simd.add_i32(acc[K], self.pairs(K, at)));
        }
        let mut sums = [0; ROWS];
        each!(ROWS, K sums[K] = simd.reduce_i32(acc[K]).into());
        sums
    }

    /// Sums of the lower and of the upper halves of pairs of products.
    #[inline(always)]
    fn sum_halves(self) -> [i64; ROWS] {
        let simd = self.simd;
        let (mut low, mut high) = ([simd.zero_i32(); ROWS], [simd.zero_i32(); ROWS]);
        let mask = simd.splat_i32(0xFFFF);
        for at in 0..self.x.len() {
            self.fetch(at);
            each!(ROWS, K {
                let pairs = self.pairs(K, at);
                low[K] = simd.add_i32(low[K], simd.and_i32(pairs, mask));
                high[K] = simd.add_i32(high[K], simd.shr_i32(pairs, 16));
            });
        }
        let mut sums = [0; ROWS];
        each!(ROWS, K sums[K] = i64::from(simd.reduce_i32(low[K])) + (i64::from(simd.reduce_i32(high[K])) << 16));
        sums
    }

    /// Sums of pairs of products of a vector with one of row `row`. `x` is not negative, so the
    /// sums fit in i32: 2 * 32767 * -32768 does.
    #[inline(always)]
    fn pairs(&self, row: usize, at: usize) -> S::I32 {
        self.simd
            .dot_i16(self.x[at], T::widened(self.simd, self.rows[row][at]))
    }

    /// Prefetches the next rows: one line of each whenever a line of the current rows begins.
    #[inline(always)]
    fn fetch(&self, at: usize) {
        let Some(next) = self.next else { return };
        if at.is_multiple_of(Self::PER_LINE) {
            let first = at / Self::PER_LINE * (LINE / size_of::<T>());
            each!(ROWS, K prefetch(&next[K][first..], 1));
        }
    }
}
