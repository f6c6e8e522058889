//! Rows on demand: computes only the listed outputs of a layer with thousands of outputs.
//!
//! ```text
//!   for each listed row r:   logit = f32(bias[r] + sum over k of weight[r][k] * x[k]) * unit
//!
//!   weights:  row[stack][r][byte]    contiguous, 64-byte aligned, in the order of the buffer
//!
//!   four listed rows at a time       x is loaded once for four dot products, whose sums are four chains
//!   for each vector v:               acc[i] = dot(acc[i], x[v], row[r[i]][v]),   prefetch line v of the next four rows
//! ```
//!
//! A position reads about thirty of thousands of rows, scattered over memory, so the cost of a row
//! is its load from memory. Therefore the lines of the next four rows are prefetched while four
//! rows are multiplied. In a batch, the last four prefetch the first rows of the next position,
//! which then load while its body is computed.

use super::unroll::unroll;
use crate::layer::{Dot, RowsLayer};
use crate::memory::{Bytes, LINE, prefetch, view};
use crate::simd::Simd;

/// Rows that are multiplied together.
pub(super) const TOGETHER: usize = 4;

/// The rows that a caller wants of a layer of [`LayerKind::Rows`](nnue_spec::LayerKind::Rows), and
/// their logits.
#[derive(Debug, Default)]
pub struct Rows<'a> {
    listed: Listed<'a>,
    /// one per row
    logits: &'a mut [f32],
    /// the rows of the next position, whose first lines are prefetched at the end
    upcoming: &'a [usize],
}

#[derive(Clone, Copy, Debug)]
enum Listed<'a> {
    /// in any order; a row may be listed more than once
    These(&'a [usize]),
    /// this many rows from 0 on, in order
    All(usize),
}

impl Default for Listed<'_> {
    fn default() -> Self {
        Self::These(&[])
    }
}

impl Listed<'_> {
    #[inline(always)]
    const fn len(self) -> usize {
        match self {
            Self::These(rows) => rows.len(),
            Self::All(rows) => rows,
        }
    }

    /// Entry `at` of the list.
    #[inline(always)]
    fn row(self, at: usize) -> usize {
        match self {
            Self::These(rows) => rows[at],
            Self::All(_) => at,
        }
    }
}

impl<'a> Rows<'a> {
    /// These rows, in any order, with a place for the logit of each. A row may be listed more than
    /// once.
    ///
    /// # Panics
    ///
    /// If there are not as many logits as rows.
    #[inline(always)]
    pub fn new(listed: &'a [usize], logits: &'a mut [f32]) -> Self {
        assert_eq!(listed.len(), logits.len(), "each row has a logit");
        Self {
            listed: Listed::These(listed),
            logits,
            upcoming: &[],
        }
    }

    /// All rows: one for each of `logits`.
    #[inline(always)]
    pub fn all(logits: &'a mut [f32]) -> Self {
        Self {
            listed: Listed::All(logits.len()),
            logits,
            upcoming: &[],
        }
    }

    /// Adds the rows that will be wanted next.
    #[must_use]
    #[inline(always)]
    pub fn before(self, upcoming: &'a [usize]) -> Self {
        Self { upcoming, ..self }
    }

    /// Whether no row is listed.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.logits.is_empty()
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.listed.len()
    }

    /// Entry `at` of the list.
    #[inline(always)]
    pub(super) fn row(&self, at: usize) -> usize {
        self.listed.row(at)
    }

    /// Entries `first..first + 4` of the list; after its end the last entry again.
    #[inline(always)]
    pub(super) fn listed(&self, first: usize) -> [usize; TOGETHER] {
        let last = self.len() - 1;
        [
            self.row(first),
            self.row((first + 1).min(last)),
            self.row((first + 2).min(last)),
            self.row((first + 3).min(last)),
        ]
    }

    /// Sets the logit of entry `at`.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, logit: f32) {
        self.logits[at] = logit;
    }

    /// The weights of four rows from entry `first` on: after the end of the list those of the next
    /// position, then the last entry again.
    #[inline(always)]
    pub(super) fn group<'w, W, const OUT: usize>(
        &self,
        weights: &'w [W; OUT],
        first: usize,
    ) -> [&'w W; TOGETHER] {
        let (len, mut rows) = (self.listed.len(), [&weights[0]; TOGETHER]);
        for (place, row) in (first..).zip(&mut rows) {
            if place < len {
                *row = &weights[self.listed.row(place)];
            } else if let Some(upcoming) = self
                .upcoming
                .get(place - len)
                .and_then(|&row| weights.get(row))
            {
                *row = upcoming;
            } else if len > 0 {
                *row = &weights[self.listed.row(len - 1)];
            }
        }
        rows
    }
}

/// The logits of the listed rows of a layer that reads a whole buffer, in stack `stack`:
/// `sum * unit`.
///
/// # Panics
///
/// If there is no such stack or row.
#[inline(always)]
pub fn rows_on_demand<
    S: Simd,
    const BYTES: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
>(
    simd: S,
    x: &Bytes<BYTES>,
    layer: &RowsLayer<FILE_IN, OUT, STACKS, BYTES>,
    stack: usize,
    rows: &mut Rows<'_>,
    unit: f32,
) {
    let (bias, weights) = (&layer.bias[stack], layer.rows(stack));
    let exact = !S::DOT_IS_EXACT && layer.dot() == Dot::Exact;
    let mut next = rows.group(weights, 0);
    for first in (0..rows.len()).step_by(TOGETHER) {
        let these = next;
        next = rows.group(weights, first + TOGETHER);
        let sums = multiply(simd, x, these, next, exact);
        for (place, sum) in (first..rows.len()).zip(sums) {
            rows.set(place, bias[rows.row(place)].wrapping_add(sum) as f32 * unit);
        }
    }
}

/// The dot products of a buffer with four rows, while the lines of the next four are prefetched.
#[inline(always)]
fn multiply<S: Simd, const BYTES: usize>(
    simd: S,
    x: &Bytes<BYTES>,
    rows: [&[i8; BYTES]; TOGETHER],
    next: [&[i8; BYTES]; TOGETHER],
    exact: bool,
) -> [i32; TOGETHER] {
    let vectors = LINE / S::BYTES;
    let x: &[S::U8] = view(&x.0);
    let rows: [&[S::U8]; TOGETHER] = [view(rows[0]), view(rows[1]), view(rows[2]), view(rows[3])];
    let mut acc = [simd.zero_i32(); TOGETHER];
    for line in 0..BYTES / LINE {
        unroll!(4, |K| prefetch(&next[K].as_chunks::<LINE>().0[line], 1));
        for at in line * vectors..(line + 1) * vectors {
            unroll!(4, |K| {
                let (x, w) = (x[at], rows[K][at]);
                acc[K] = if exact {
                    simd.dot_exact_u8i8(acc[K], x, w)
                } else {
                    simd.dot_u8i8(acc[K], x, w)
                };
            });
        }
    }
    let mut sums = [0; TOGETHER];
    unroll!(4, |K| sums[K] = simd.reduce_i32(acc[K]));
    sums
}
