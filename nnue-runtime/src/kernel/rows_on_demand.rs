//! Rows on demand: of a layer with thousands of outputs, those that the caller lists.
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
//! A position reads thirty of thousands of rows, each of which is somewhere else in memory: what a row costs is its way from memory. So the lines
//! of the next four rows are asked for while these four are multiplied; after the last ones, in a batch, the first rows of the position after
//! this one, which then are on their way while its body is computed.

use super::unroll::unroll;
use crate::layer::{Dot, RowsLayer};
use crate::memory::{Bytes, LINE, prefetch, view};
use crate::simd::Simd;

/// Rows that are multiplied together.
pub(super) const TOGETHER: usize = 4;

/// The rows that a caller wants of a layer of [`LayerKind::Rows`](nnue_spec::LayerKind::Rows), and where their logits go.
#[derive(Debug, Default)]
pub struct Rows<'a> {
    listed: Listed<'a>,
    /// one for each
    logits: &'a mut [f32],
    /// those of the position after this one, whose first lines are fetched at the end
    upcoming: &'a [usize],
}

/// Numbers of rows.
#[derive(Clone, Copy, Debug)]
enum Listed<'a> {
    /// in any order; a row may be listed more than once
    These(&'a [usize]),
    /// all of them in their order: so many
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

    /// The row at a place of the list, which has it.
    #[inline(always)]
    fn row(self, at: usize) -> usize {
        match self {
            Self::These(rows) => rows[at],
            Self::All(_) => at,
        }
    }
}

impl<'a> Rows<'a> {
    /// These rows, in any order, and the logits of them. A row may be listed more than once.
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

    /// All rows: as many as there are logits.
    #[inline(always)]
    pub fn all(logits: &'a mut [f32]) -> Self {
        Self {
            listed: Listed::All(logits.len()),
            logits,
            upcoming: &[],
        }
    }

    /// The same, with the rows that will be asked for next.
    #[must_use]
    #[inline(always)]
    pub fn before(self, upcoming: &'a [usize]) -> Self {
        Self { upcoming, ..self }
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.logits.is_empty()
    }

    /// How many are listed.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.listed.len()
    }

    /// The row at a place of the list, which has it.
    #[inline(always)]
    pub(super) fn row(&self, at: usize) -> usize {
        self.listed.row(at)
    }

    /// Four rows from place `first` of the list on, which has it; after its end the last one again.
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

    /// Sets the logit at a place of the list.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, logit: f32) {
        self.logits[at] = logit;
    }

    /// The weights of four rows from place `first` of the list on: after its end those of the position after this one, then the last of the
    /// list again.
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

/// The logits of the listed rows of a layer that reads a whole buffer, in stack `stack`; `unit` is what 1 of its sums is.
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

/// The dot products of a buffer with four rows, while the lines of the next four are fetched.
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
