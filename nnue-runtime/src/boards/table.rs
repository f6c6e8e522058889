//! Tables of floats.

use alloc::vec::Vec;
use core::fmt;

use crate::memory::Line;

/// Floats per line.
pub(super) const LINE: usize = size_of::<Line>() / size_of::<f32>();

/// Rows of floats, each of which starts at a whole line of 64 bytes. A board is 64 rows, a1 first,
/// with a column for each channel.
///
/// ```text
///   | columns .. zeros or anything up to a multiple of 16 |    stride floats from one row to the next
/// ```
#[derive(Clone, Default)]
pub struct Table {
    pub(super) lines: Vec<Line>,
    columns: usize,
}

impl Table {
    /// A table without rows.
    pub const fn new() -> Self {
        Self {
            lines: Vec::new(),
            columns: 0,
        }
    }

    /// Changes the sizes. The contents are unspecified afterwards.
    pub fn resize(&mut self, rows: usize, columns: usize) {
        self.columns = columns;
        self.lines
            .resize(rows * columns.div_ceil(LINE), bytemuck::Zeroable::zeroed());
    }

    /// The number of columns.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Floats from one row to the next: [`columns`](Self::columns), rounded up to a multiple of 16.
    pub const fn stride(&self) -> usize {
        self.columns.next_multiple_of(LINE)
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        match self.columns {
            0 => 0,
            columns => self.lines.len() / columns.div_ceil(LINE),
        }
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.floats()[row * self.stride()..][..self.columns]
    }

    /// All floats, row by row, including the padding after the last column.
    pub fn floats(&self) -> &[f32] {
        bytemuck::cast_slice(&self.lines)
    }

    /// All floats, mutably.
    pub fn floats_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(&mut self.lines)
    }

    /// Lines per row.
    pub(super) const fn lines_of_row(&self) -> usize {
        self.columns.div_ceil(LINE)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("rows", &self.rows())
            .field("columns", &self.columns)
            .finish()
    }
}

pub(super) fn zeros(lines: usize) -> Vec<Line> {
    alloc::vec![bytemuck::Zeroable::zeroed(); lines]
}

/// `numbers` in whole lines, padded with zeros.
pub(super) fn in_lines(numbers: &[f32]) -> Vec<Line> {
    let mut lines = zeros(numbers.len().div_ceil(LINE));
    bytemuck::cast_slice_mut(&mut lines)[..numbers.len()].copy_from_slice(numbers);
    lines
}
