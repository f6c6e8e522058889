//! Where values lie in memory.
//!
//! ```text
//!   planes of C channels, H rows, W columns      [row][column][line][16 channels]     ceil(C / 16) lines for each pixel
//!   a list of N numbers                          the same with 1 row, 1 column and N channels: one number after the other
//! ```
//!
//! What stands after the last channel of a pixel is not read.
//!
//! A value gets lines that no value needs any more, so that a deep network needs as much memory as two or three of its values:
//!
//! ```text
//!   conv2d 0 ──► batch_norm 1 ──► conv2d 2 ──► batch_norm 3          lines:  | 0, then 2 | 1, then 3 |
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::dense::{DenseNode, DenseOp, Shape};

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
    /// The values of nodes. A value lies apart from those that it is made of.
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

/// The nodes that a node reads, the same one twice if there is one.
fn operands(node: &DenseNode) -> [usize; 2] {
    match node.op {
        DenseOp::Add { other } | DenseOp::Concat { other } => [node.operand, other],
        _ => [node.operand; 2],
    }
}

/// Lines that no value needs any more.
struct Free {
    parts: Vec<Range<usize>>,
    /// the first line that was never needed
    end: usize,
}

impl Free {
    /// The first of `len` lines.
    fn take(&mut self, len: usize) -> usize {
        if let Some(part) = self.parts.iter_mut().find(|part| part.len() >= len) {
            part.start += len;
            return part.start - len;
        }
        self.end += len;
        self.end - len
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

/// Numbers in whole lines, with zeros after them.
pub(super) fn in_lines(numbers: &[f32]) -> Vec<Line> {
    let mut lines = zeros(numbers.len().div_ceil(LINE));
    floats_mut(&mut lines)[..numbers.len()].copy_from_slice(numbers);
    lines
}
