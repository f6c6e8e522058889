//! The memory layout of values.
//!
//! ```text
//!   planes of C channels, H rows, W columns      [row][column][line][16 channels]     ceil(C / 16) lines for each pixel
//!   a list of N numbers                          the same with 1 row, 1 column and N channels: one number after the other
//! ```
//!
//! The padding after the last channel of a pixel is not read.
//!
//! A value reuses lines that no later step reads, so that a deep network needs as much memory as
//! two or three of its values:
//!
//! ```text
//!   conv2d 0 ──► batch_norm 1 ──► conv2d 2 ──► batch_norm 3          lines:  | 0, then 2 | 1, then 3 |
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::dense::{DenseNode, DenseOp, Shape};

use crate::memory::Line;

/// Floats per line.
pub(super) const LINE: usize = size_of::<Line>() / size_of::<f32>();

/// A value: its lines in the memory of an evaluation, and its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    first: usize,
    pub(super) shape: Shape,
}

impl Value {
    /// The values of nodes. A value does not overlap its operands.
    pub(super) fn all(nodes: &[DenseNode]) -> Vec<Self> {
        let mut values: Vec<Self> = Vec::new();
        let mut free = Free {
            parts: Vec::new(),
            end: 0,
        };
        for (index, node) in nodes.iter().enumerate() {
            let mut value = Self {
                first: 0,
                shape: node.shape,
            };
            value.first = free.take(value.range().len());
            values.push(value);
            let is_last = |read: &usize| {
                nodes[index + 1..]
                    .iter()
                    .all(|later| !operands(later).contains(read))
            };
            let [operand, other] = operands(node);
            let read = [Some(operand), (other != operand).then_some(other)]
                .into_iter()
                .flatten();
            for read in read.filter(|read| *read < index && is_last(read)) {
                free.parts.push(values[read].range());
            }
        }
        values
    }

    /// Lines per pixel.
    pub(super) fn lines(&self) -> usize {
        self.shape.channels().div_ceil(LINE)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.shape.pixels() * self.lines()
    }

    /// The index of a number among the value's floats.
    #[inline]
    pub(super) fn at(&self, channel: usize, pixel: usize) -> usize {
        pixel * self.lines() * LINE + channel
    }
}

/// The operands of a node; the same one twice if there is only one.
fn operands(node: &DenseNode) -> [usize; 2] {
    match node.op {
        DenseOp::Add { other } | DenseOp::Concat { other } => [node.operand, other],
        _ => [node.operand; 2],
    }
}

/// Lines that no later step reads.
struct Free {
    parts: Vec<Range<usize>>,
    /// the first line that was never used
    end: usize,
}

impl Free {
    /// Takes `len` lines and returns the first.
    fn take(&mut self, len: usize) -> usize {
        if let Some(part) = self.parts.iter_mut().find(|part| part.len() >= len) {
            part.start += len;
            return part.start - len;
        }
        self.end += len;
        self.end - len
    }
}

pub(super) fn floats(lines: &[Line]) -> &[f32] {
    bytemuck::cast_slice(lines)
}

pub(super) fn floats_mut(lines: &mut [Line]) -> &mut [f32] {
    bytemuck::cast_slice_mut(lines)
}

pub(super) fn zeros(lines: usize) -> Vec<Line> {
    alloc::vec![bytemuck::Zeroable::zeroed(); lines]
}

/// `numbers` in whole lines, padded with zeros.
pub(super) fn in_lines(numbers: &[f32]) -> Vec<Line> {
    let mut lines = zeros(numbers.len().div_ceil(LINE));
    floats_mut(&mut lines)[..numbers.len()].copy_from_slice(numbers);
    lines
}
