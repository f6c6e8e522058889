//! Where values lie in memory.
//!
//! ```text
//!   planes of C channels, H rows, W columns      [row][column][line][16 channels]     ceil(C / 16) lines for each pixel
//!   a list of N numbers                          the same with 1 row, 1 column and N channels: one number after the other
//! ```
//!
//! What stands after the last channel of a pixel is not read.

use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::dense::Shape;

use crate::memory::Line;

/// Floats of a line.
pub(super) const LINE: usize = size_of::<Line>() / size_of::<f32>();

/// A value: its place among the lines of an evaluation, and its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// first line
    first: usize,
    pub(super) shape: Shape,
}

impl Value {
    /// Values of these shapes, one after the other.
    pub(super) fn all(shapes: impl Iterator<Item = Shape>) -> Vec<Self> {
        let mut next = 0;
        let value = |shape| {
            let value = Self { first: next, shape };
            next = value.range().end;
            value
        };
        shapes.map(value).collect()
    }

    /// Lines of a pixel.
    pub(super) fn lines(&self) -> usize {
        self.shape.channels().div_ceil(LINE)
    }

    /// Its lines among those of an evaluation.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.shape.pixels() * self.lines()
    }

    /// Index of a number among its floats.
    #[inline]
    pub(super) fn at(&self, channel: usize, pixel: usize) -> usize {
        pixel * self.lines() * LINE + channel
    }
}

/// Lines as floats.
pub(super) fn floats(lines: &[Line]) -> &[f32] {
    bytemuck::cast_slice(lines)
}

/// Lines as floats.
pub(super) fn floats_mut(lines: &mut [Line]) -> &mut [f32] {
    bytemuck::cast_slice_mut(lines)
}

/// Lines of zeros.
pub(super) fn zeros(lines: usize) -> Vec<Line> {
    alloc::vec![bytemuck::Zeroable::zeroed(); lines]
}
