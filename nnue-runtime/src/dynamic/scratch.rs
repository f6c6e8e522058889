//! The memory of a forward pass: values between the accumulators and the output.
//!
//! ```text
//!   lines    | sums of fc0 | x1 | sums of fc1 | ..     one after the other in the order of the steps: what a step reads lies before what it writes
//!   sparse   bytes of accumulators, with the lists of their blocks
//! ```

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::memory::{Line, SparseLines};

/// Lines that hold values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    first: usize,
    lines: usize,
}

impl Place {
    /// `bytes` bytes, a multiple of 64, after `lines` lines.
    pub(super) fn after(lines: usize, bytes: usize) -> Self {
        Self {
            first: lines,
            lines: bytes.div_ceil(64),
        }
    }

    pub(super) fn end(self) -> usize {
        self.first + self.lines
    }

    fn range(self) -> Range<usize> {
        self.first..self.end()
    }
}

/// The values of a forward pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    lines: Vec<Line>,
    pub(super) sparse: Vec<SparseLines>,
}

impl Scratch {
    /// Room for `lines` lines, and for accumulator buffers of these sizes in bytes.
    pub(super) fn new(lines: usize, sparse: &[usize]) -> Self {
        Self {
            lines: vec![Line::zeroed(); lines],
            sparse: sparse
                .iter()
                .map(|&bytes| SparseLines::zeroed(bytes))
                .collect(),
        }
    }

    #[inline(always)]
    pub(super) fn at<T: Pod>(&self, place: Place) -> &[T] {
        bytemuck::cast_slice(&self.lines[place.range()])
    }

    /// The values at a place, mutably, and everything before them.
    #[inline(always)]
    pub(super) fn split<T: Pod>(&mut self, place: Place) -> (Before<'_>, &mut [T]) {
        let (before, lines) = self.split_lines(place);
        (before, bytemuck::cast_slice_mut(lines))
    }

    /// [`Self::split`] as lines.
    #[inline(always)]
    pub(super) fn split_lines(&mut self, place: Place) -> (Before<'_>, &mut [Line]) {
        let (before, after) = self.lines.split_at_mut(place.first);
        (
            Before {
                lines: before,
                sparse: &self.sparse,
            },
            &mut after[..place.lines],
        )
    }
}

impl Scratch {
    /// [`split`](Self::split) with scratch memory of the step, in the next place after `place`.
    pub(super) fn split_two<T: Pod, U: Pod>(
        &mut self,
        place: Place,
        after: Place,
    ) -> (Before<'_>, &mut [T], &mut [U]) {
        let (before, own) = self.lines.split_at_mut(place.first);
        let (first, second) = own.split_at_mut(place.lines);
        let before = Before {
            lines: before,
            sparse: &self.sparse,
        };
        (
            before,
            bytemuck::cast_slice_mut(first),
            bytemuck::cast_slice_mut(&mut second[..after.lines]),
        )
    }
}

/// The results of earlier steps.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    lines: &'a [Line],
    pub(super) sparse: &'a [SparseLines],
}

impl<'a> Before<'a> {
    #[inline(always)]
    pub(super) fn at<T: Pod>(self, place: Place) -> &'a [T] {
        bytemuck::cast_slice(&self.lines[place.range()])
    }
}
