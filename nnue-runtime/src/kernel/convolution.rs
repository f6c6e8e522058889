//! Convolutions and float layers over a dense input.
//!
//! ```text
//!   y[o][r][c] = bias[o] + sum over i, j, k of w[o][k][i][j] * x[k][r * stride + i][c * stride + j]
//!                in the order of the rows i and columns j of a window and the channels k of a pixel
//!
//!   x          [row][column][channel], padded: a row of a window is one run of floats
//!   weights    [line of outputs][i][j][k][16 outputs]
//!   y          [row][column][line of outputs], 16 outputs each
//!
//!   a tile     16 outputs of 6 neighbouring pixels (3 where a line is four vectors): the sums stay in registers, and each weight that is
//!              loaded is used for all pixels
//! ```
//!
//! A lane is an output, so the order of additions does not depend on the level. A layer is a
//! convolution with one pixel; a tile then has up to four lines of outputs, because the additions
//! of one sum wait for each other.

use super::float::multiply_add;
use crate::memory::{Line, view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, dispatch_family};

/// The most vectors of a line.
const MOST_VECTORS: usize = 4;
const PIXELS: usize = 6;
/// Pixels of a tile where a line is [`MOST_VECTORS`] vectors.
const FEW_PIXELS: usize = 3;
/// Lines of a tile of one pixel.
const LINES: usize = 4;

/// A convolution's operands and sizes.
pub(crate) struct Convolution<'a> {
    /// the padded values
    pub(crate) x: &'a [f32],
    /// floats from a row of `x` to the next
    pub(crate) row: usize,
    /// floats from a window to the one below, and to the one to its right
    pub(crate) steps: [usize; 2],
    /// rows of a window
    pub(crate) rows: usize,
    /// floats of a row of a window
    pub(crate) run: usize,
    /// height and width of the result
    pub(crate) size: [usize; 2],
    /// `rows * run` lines for each line of outputs
    pub(crate) weights: &'a [Line],
    pub(crate) start: &'a [Line],
    /// whether products and additions are rounded together
    pub(crate) fused: bool,
}

impl Convolution<'_> {
    /// Computes the result.
    ///
    /// # Panics
    ///
    /// If `y` or an operand is shorter than the sizes require.
    pub(crate) fn run(&self, level: AvailableLevel, y: &mut [Line]) {
        if self.fused {
            dispatch_family(
                level,
                Run::<true> {
                    convolution: self,
                    y,
                },
            );
        } else {
            dispatch_family(
                level,
                Run::<false> {
                    convolution: self,
                    y,
                },
            );
        }
    }
}

struct Run<'a, const FUSED: bool> {
    convolution: &'a Convolution<'a>,
    y: &'a mut [Line],
}

impl<const FUSED: bool> Task for Run<'_, FUSED> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { convolution, y } = self;
        if convolution.size == [1, 1] {
            one_pixel::<S, FUSED>(simd, convolution, y);
        } else if const { vectors::<S>() == MOST_VECTORS && cfg!(not(target_arch = "aarch64")) } {
            pixels::<S, FUSED, FEW_PIXELS>(simd, convolution, y);
        } else {
            pixels::<S, FUSED, PIXELS>(simd, convolution, y);
        }
    }
}

const fn vectors<S: Simd>() -> usize {
    size_of::<Line>() / size_of::<S::F32>()
}

#[inline(always)]
fn pixels<S: Simd, const FUSED: bool, const TILE: usize>(
    simd: S,
    c: &Convolution<'_>,
    y: &mut [Line],
) {
    let ([height, width], lines, window) = (c.size, c.start.len(), c.rows * c.run);
    assert!(y.len() == height * width * lines && c.weights.len() == window * lines);
    for line in 0..lines {
        let weights = &c.weights[line * window..][..window];
        for row in 0..height {
            let mut column = 0;
            while column < width {
                // At the end of a row, a tile repeats its last pixel.
                let mut at = [0; TILE];
                let mut pixel = 0;
                while pixel < TILE {
                    at[pixel] = row * c.steps[0] + (column + pixel).min(width - 1) * c.steps[1];
                    pixel += 1;
                }
                let sums = tile::<S, FUSED, TILE>(simd, c, at, weights, &c.start[line]);
                let mut pixel = 0;
                while pixel < TILE && column + pixel < width {
                    store::<S>(
                        &mut y[(row * width + column + pixel) * lines + line],
                        &sums[pixel],
                    );
                    pixel += 1;
                }
                column += TILE;
            }
        }
    }
}

/// The sums of the windows that start at `at`, for a line of outputs.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn tile<S: Simd, const FUSED: bool, const TILE: usize>(
    simd: S,
    c: &Convolution<'_>,
    at: [usize; TILE],
    weights: &[Line],
    start: &Line,
) -> [[S::F32; MOST_VECTORS]; TILE] {
    let mut sums = [[simd.splat_f32(0.0); MOST_VECTORS]; TILE];
    for pixel in 0..TILE {
        load::<S>(start, &mut sums[pixel]);
    }
    for row in 0..c.rows {
        let mut x: [&[f32]; TILE] = [&[]; TILE];
        for pixel in 0..TILE {
            x[pixel] = &c.x[at[pixel] + row * c.row..][..c.run];
        }
        let weights = &weights[row * c.run..][..c.run];
        for k in 0..c.run {
            let w: &[S::F32] = view(&weights[k..=k]);
            for pixel in 0..TILE {
                let value = simd.splat_f32(x[pixel][k]);
                for vector in 0..const { vectors::<S>() } {
                    let sum = &mut sums[pixel][vector];
                    *sum = multiply_add::<S, FUSED>(simd, value, w[vector], *sum);
                }
            }
        }
    }
    sums
}

/// All outputs of a single pixel.
#[inline(always)]
fn one_pixel<S: Simd, const FUSED: bool>(simd: S, c: &Convolution<'_>, y: &mut [Line]) {
    let mut line = 0;
    while line + LINES <= y.len() {
        several_lines::<S, FUSED, LINES>(simd, c, line, y);
        line += LINES;
    }
    while line < y.len() {
        several_lines::<S, FUSED, 1>(simd, c, line, y);
        line += 1;
    }
}

#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn several_lines<S: Simd, const FUSED: bool, const COUNT: usize>(
    simd: S,
    c: &Convolution<'_>,
    first: usize,
    y: &mut [Line],
) {
    let window = c.rows * c.run;
    let mut sums = [[simd.splat_f32(0.0); MOST_VECTORS]; COUNT];
    for line in 0..COUNT {
        load::<S>(&c.start[first + line], &mut sums[line]);
    }
    for row in 0..c.rows {
        let x = &c.x[row * c.row..][..c.run];
        let mut weights: [&[Line]; COUNT] = [&[]; COUNT];
        for line in 0..COUNT {
            weights[line] = &c.weights[(first + line) * window + row * c.run..][..c.run];
        }
        for k in 0..c.run {
            let value = simd.splat_f32(x[k]);
            for line in 0..COUNT {
                let w: &[S::F32] = view(&weights[line][k..=k]);
                for vector in 0..const { vectors::<S>() } {
                    let sum = &mut sums[line][vector];
                    *sum = multiply_add::<S, FUSED>(simd, value, w[vector], *sum);
                }
            }
        }
    }
    for line in 0..COUNT {
        store::<S>(&mut y[first + line], &sums[line]);
    }
}

#[expect(clippy::manual_memcpy, reason = "a copy of slices may become a call")]
#[inline(always)]
fn load<S: Simd>(line: &Line, vectors: &mut [S::F32; MOST_VECTORS]) {
    let from: &[S::F32] = view(core::slice::from_ref(line));
    for vector in 0..const { self::vectors::<S>() } {
        vectors[vector] = from[vector];
    }
}

#[expect(clippy::manual_memcpy, reason = "a copy of slices may become a call")]
#[inline(always)]
fn store<S: Simd>(line: &mut Line, vectors: &[S::F32; MOST_VECTORS]) {
    let to: &mut [S::F32] = view_mut(core::slice::from_mut(line));
    for vector in 0..const { self::vectors::<S>() } {
        to[vector] = vectors[vector];
    }
}
