//! Products of a float table with prepared weights: many rows at once.
//!
//! ```text
//!   y[r][o] = (..((start[o] + x[r][0] w[o][0]) + x[r][1] w[o][1]) + ..)          each step rounded once
//!
//!   x          [row][input], `row` floats from one to the next
//!   weights    [line of outputs][input][16 outputs]
//!   y          [row][line of outputs]
//!
//!   a tile     ROWS rows of LINES lines: its sums stay in registers. Of each input, it loads LINES lines of weights and ROWS numbers
//!              for ROWS x LINES products. With 32 registers of a line each, 8 x 2 needs 10 loads for 16 products.
//! ```
//!
//! A lane is an output, so the order of additions does not depend on the level.

use crate::memory::{Line, view, view_mut};
use crate::simd::{Simd, Task};

/// The most vectors of a line.
const MOST_VECTORS: usize = 4;

pub(crate) struct Product<'a> {
    pub(crate) x: &'a [f32],
    /// floats from one row of `x` to the next
    pub(crate) row: usize,
    /// floats per row that are read
    pub(crate) inputs: usize,
    /// `inputs` lines for each line of outputs
    pub(crate) weights: &'a [Line],
    /// the start values of each row's sums
    pub(crate) start: &'a [Line],
    /// the result; its length gives the number of rows
    pub(crate) y: &'a mut [Line],
}

impl Task for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let rows = self.y.len() / self.start.len();
        assert!(
            self.weights.len() == self.inputs * self.start.len()
                && self.y.len() == rows * self.start.len()
        );
        match const { vectors::<S>() } {
            1 if rows == 1 => self.tiles::<S, 1, 8>(simd, rows),
            1 if rows <= 4 => self.tiles::<S, 4, 4>(simd, rows),
            1 => self.tiles::<S, 8, 2>(simd, rows),
            2 if rows == 1 => self.tiles::<S, 1, 4>(simd, rows),
            2 => self.tiles::<S, 4, 1>(simd, rows),
            _ if rows == 1 => self.tiles::<S, 1, 2>(simd, rows),
            _ if cfg!(target_arch = "aarch64") => self.tiles::<S, 4, 1>(simd, rows),
            _ => self.tiles::<S, 2, 1>(simd, rows),
        }
    }
}

const fn vectors<S: Simd>() -> usize {
    size_of::<Line>() / size_of::<S::F32>()
}

impl Product<'_> {
    /// All tiles: `LINES` lines together, the rest one by one.
    #[inline(always)]
    fn tiles<S: Simd, const ROWS: usize, const LINES: usize>(&mut self, simd: S, rows: usize) {
        let mut line = 0;
        while line + LINES <= self.start.len() {
            self.column::<S, ROWS, LINES>(simd, rows, line);
            line += LINES;
        }
        while line < self.start.len() {
            self.column::<S, ROWS, 1>(simd, rows, line);
            line += 1;
        }
    }

    /// `LINES` lines from `line` on, of all rows. The last tile repeats its last row.
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators may become functions without the features of the level"
    )]
    #[inline(always)]
    fn column<S: Simd, const ROWS: usize, const LINES: usize>(
        &mut self,
        simd: S,
        rows: usize,
        line: usize,
    ) {
        let (inputs, lines) = (self.inputs, self.start.len());
        let mut weights: [&[Line]; LINES] = [&[]; LINES];
        for at in 0..LINES {
            weights[at] = &self.weights[(line + at) * inputs..][..inputs];
        }
        let start: &[S::F32] = view(&self.start[line..line + LINES]);
        let mut first = 0;
        while first < rows {
            let mut x: [&[f32]; ROWS] = [&[]; ROWS];
            for row in 0..ROWS {
                x[row] = &self.x[(first + row).min(rows - 1) * self.row..][..inputs];
            }
            let sums = tile::<S, ROWS, LINES>(simd, &x, &weights, start);
            for row in 0..ROWS.min(rows - first) {
                let at = (first + row) * lines + line;
                let y: &mut [S::F32] = view_mut(&mut self.y[at..at + LINES]);
                for at in 0..LINES {
                    for vector in 0..const { vectors::<S>() } {
                        y[at * const { vectors::<S>() } + vector] = sums[row][at][vector];
                    }
                }
            }
            first += ROWS;
        }
    }
}

/// The sums of a tile.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn tile<S: Simd, const ROWS: usize, const LINES: usize>(
    simd: S,
    x: &[&[f32]; ROWS],
    weights: &[&[Line]; LINES],
    start: &[S::F32],
) -> [[[S::F32; MOST_VECTORS]; LINES]; ROWS] {
    let mut sums = [[[simd.splat_f32(0.0); MOST_VECTORS]; LINES]; ROWS];
    for row in 0..ROWS {
        for line in 0..LINES {
            for vector in 0..const { vectors::<S>() } {
                sums[row][line][vector] = start[line * const { vectors::<S>() } + vector];
            }
        }
    }
    let (mut x, mut weights) = (*x, *weights);
    let inputs = x[0].len();
    for row in 0..ROWS {
        x[row] = &x[row][..inputs];
    }
    for line in 0..LINES {
        weights[line] = &weights[line][..inputs];
    }
    for k in 0..inputs {
        let mut w: [&[S::F32]; LINES] = [&[]; LINES];
        for line in 0..LINES {
            w[line] = view(&weights[line][k..=k]);
        }
        for row in 0..ROWS {
            let value = simd.splat_f32(x[row][k]);
            for line in 0..LINES {
                for vector in 0..const { vectors::<S>() } {
                    let sum = &mut sums[row][line][vector];
                    *sum = simd.mul_add_f32(value, w[line][vector], *sum);
                }
            }
        }
    }
    sums
}
