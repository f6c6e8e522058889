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
//! of the next four rows are asked for while these four are multiplied.

use super::unroll::unroll;
use crate::layer::{Dot, RowsLayer};
use crate::memory::{Bytes, LINE, prefetch, view};
use crate::simd::Simd;

/// Rows that are multiplied together.
const TOGETHER: usize = 4;

/// The rows that a caller wants of a layer of [`LayerKind::Rows`](nnue_spec::LayerKind::Rows), and where their logits go.
#[derive(Debug, Default)]
pub struct Rows<'a> {
    /// the rows, in any order; a row may be listed more than once
    pub(crate) listed: &'a [usize],
    /// one for each
    pub(crate) logits: &'a mut [f32],
}

impl<'a> Rows<'a> {
    /// These rows, and the logits of them.
    ///
    /// # Panics
    ///
    /// If there are not as many logits as rows.
    #[inline(always)]
    pub fn new(listed: &'a [usize], logits: &'a mut [f32]) -> Self {
        assert_eq!(listed.len(), logits.len(), "each row has a logit");
        Self { listed, logits }
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }
}

/// The logits of the listed rows of a layer that reads a whole buffer, in stack `stack`; `unit` is what 1 of its sums is.
///
/// # Panics
///
/// If there is no such stack or row.
#[inline(always)]
pub fn rows_on_demand<S: Simd, const BYTES: usize, const FILE_IN: usize, const OUT: usize, const STACKS: usize>(
    simd: S,
    x: &Bytes<BYTES>,
    layer: &RowsLayer<FILE_IN, OUT, STACKS, BYTES>,
    stack: usize,
    rows: &mut Rows<'_>,
    unit: f32,
) {
    let (bias, weights) = (&layer.bias[stack], layer.rows(stack));
    let exact = !S::DOT_IS_EXACT && layer.dot() == Dot::Exact;
    let mut next = group(weights, rows.listed, 0);
    for first in (0..rows.listed.len()).step_by(TOGETHER) {
        let these = next;
        next = group(weights, rows.listed, first + TOGETHER);
        let sums = multiply(simd, x, these, next, exact);
        for at in first..rows.listed.len().min(first + TOGETHER) {
            rows.logits[at] = bias[rows.listed[at]].wrapping_add(sums[at - first]) as f32 * unit;
        }
    }
}

/// The listed rows from `first` on; the last one stands for those after it.
#[inline(always)]
fn group<'w, const BYTES: usize, const OUT: usize>(
    weights: &'w [[i8; BYTES]; OUT],
    listed: &[usize],
    first: usize,
) -> [&'w [i8; BYTES]; TOGETHER] {
    let mut rows = [&weights[0]; TOGETHER];
    for (at, row) in rows.iter_mut().enumerate() {
        if let Some(&last) = listed.get((first + at).min(listed.len().wrapping_sub(1))) {
            *row = &weights[last];
        }
    }
    rows
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
                acc[K] = if exact { simd.dot_exact_u8i8(acc[K], x, w) } else { simd.dot_u8i8(acc[K], x, w) };
            });
        }
    }
    let mut sums = [0; TOGETHER];
    unroll!(4, |K| sums[K] = simd.reduce_i32(acc[K]));
    sums
}
