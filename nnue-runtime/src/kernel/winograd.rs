//! The transforms of 3 x 3 convolutions over boards of 8 x 8 squares with a margin of zeros, by
//! tiles of 4 x 4 (Winograd 1980; Lavin and Gray 2016).
//!
//! ```text
//!   y = A^T [ sum over channels of (G g G^T) * (B^T d B) ] A          * element by element
//!
//!   d    6 x 6 squares of a channel: a tile and the squares around it        y    4 x 4 squares
//!
//!         4  0 -5  0  1  0         1/4     0     0         1  1  1  1  1  0
//!         0 -4 -4  1  1  0        -1/6  -1/6  -1/6         0  1 -1  2 -2  0
//!   B^T = 0  4 -4 -1  1  0    G = -1/6   1/6  -1/6   A^T = 0  1  1  4  4  0
//!         0 -2 -1  2  1  0        1/24  1/12   1/6         0  1 -1  8 -8  1
//!         0  2 -1 -2  1  0        1/24 -1/12   1/6
//!         0  4  0 -5  0  1           0     0     1
//!
//!   boards       [board][row][column][line of channels]
//!   transformed  36 parts, [board][tile][line of channels] each: a product with the weights of that part          tiles:  2 3
//!                                                                                                                         0 1
//! ```
//!
//! 36 products per channel give 16 squares; the direct sum needs 144. A lane is a channel, and the
//! order of operations is as written on all levels.

use crate::memory::{Line, view, view_mut};
use crate::simd::{Simd, Task};

/// Parts of a transformed tile.
pub(crate) const PARTS: usize = 36;
pub(crate) const TILES: usize = 4;
pub(crate) const SQUARES: usize = 64;

/// Transforms boards to tiles.
pub(crate) struct Forth<'a> {
    pub(crate) x: &'a [Line],
    /// lines per square
    pub(crate) lines: usize,
    pub(crate) y: &'a mut [Line],
    /// lines from one part to the next
    pub(crate) part: usize,
}

impl Task for Forth<'_> {
    type Output = ();

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators may become functions without the features of the level"
    )]
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let of_line = const { size_of::<Line>() / size_of::<S::F32>() };
        let (square, part) = (self.lines * of_line, self.part * of_line);
        let boards = self.x.len() / (SQUARES * self.lines);
        let (x, y): (&[S::F32], &mut [S::F32]) = (view(self.x), view_mut(self.y));
        let zero = simd.splat_f32(0.0);
        for tile in 0..boards * TILES {
            let board = &x[tile / TILES * SQUARES * square..][..SQUARES * square];
            let (top, left) = (tile % TILES / 2 * 4, tile % 2 * 4);
            for at in 0..square {
                let mut half = [[zero; 6]; 6];
                for column in 0..6 {
                    let from = left + column;
                    if from == 0 || from == 9 {
                        continue;
                    }
                    let mut d = [zero; 6];
                    for row in 0..6 {
                        if top + row > 0 && top + row < 9 {
                            d[row] = board[((top + row - 1) * 8 + from - 1) * square + at];
                        }
                    }
                    half[column] = forth(simd, d);
                }
                for i in 0..6 {
                    let [a, b, c, d, e, f] = half;
                    let values = forth(simd, [a[i], b[i], c[i], d[i], e[i], f[i]]);
                    for j in 0..6 {
                        y[(6 * i + j) * part + tile * square + at] = values[j];
                    }
                }
            }
        }
    }
}

/// `B^T d`.
#[inline(always)]
fn forth<S: Simd>(simd: S, d: [S::F32; 6]) -> [S::F32; 6] {
    let (a, b) = (
        simd.add_f32(d[4], times(simd, -4.0, d[2])),
        simd.add_f32(d[3], times(simd, -4.0, d[1])),
    );
    let (c, e) = (
        minus(simd, d[4], d[2]),
        times(simd, 2.0, minus(simd, d[3], d[1])),
    );
    [
        simd.add_f32(
            simd.add_f32(times(simd, 4.0, d[0]), times(simd, -5.0, d[2])),
            d[4],
        ),
        simd.add_f32(a, b),
        minus(simd, a, b),
        simd.add_f32(c, e),
        minus(simd, c, e),
        simd.add_f32(
            simd.add_f32(times(simd, 4.0, d[1]), times(simd, -5.0, d[3])),
            d[5],
        ),
    ]
}

/// Transforms products back to boards.
pub(crate) struct Back<'a> {
    pub(crate) x: &'a [Line],
    /// lines from one part to the next
    pub(crate) part: usize,
    /// a line for each line of a square: the bias
    pub(crate) bias: &'a [Line],
    /// boards to add square by square, or empty
    pub(crate) skip: &'a [Line],
    /// whether to clamp negative results to 0
    pub(crate) relu: bool,
    pub(crate) y: &'a mut [Line],
}

impl Task for Back<'_> {
    type Output = ();

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators may become functions without the features of the level"
    )]
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let of_line = const { size_of::<Line>() / size_of::<S::F32>() };
        let (square, part) = (self.bias.len() * of_line, self.part * of_line);
        let boards = self.y.len() / (SQUARES * self.bias.len());
        let (x, bias): (&[S::F32], &[S::F32]) = (view(self.x), view(self.bias));
        let (skip, y): (&[S::F32], &mut [S::F32]) = (view(self.skip), view_mut(self.y));
        let zero = simd.splat_f32(0.0);
        for tile in 0..boards * TILES {
            let first = (tile / TILES * SQUARES + tile % TILES / 2 * 32 + tile % 2 * 4) * square;
            for at in 0..square {
                let mut half = [[zero; 4]; 6];
                for i in 0..6 {
                    let mut m = [zero; 6];
                    for j in 0..6 {
                        m[j] = x[(6 * i + j) * part + tile * square + at];
                    }
                    half[i] = back(simd, m);
                }
                for column in 0..4 {
                    let [a, b, c, d, e, f] = half;
                    let values = back(
                        simd,
                        [
                            a[column], b[column], c[column], d[column], e[column], f[column],
                        ],
                    );
                    for row in 0..4 {
                        let to = first + (row * 8 + column) * square + at;
                        let mut value = simd.add_f32(values[row], bias[at]);
                        if !skip.is_empty() {
                            value = simd.add_f32(value, skip[to]);
                        }
                        y[to] = if self.relu {
                            simd.max_f32(value, zero)
                        } else {
                            value
                        };
                    }
                }
            }
        }
    }
}

/// `A^T m`.
#[inline(always)]
fn back<S: Simd>(simd: S, m: [S::F32; 6]) -> [S::F32; 4] {
    let (a, b) = (simd.add_f32(m[1], m[2]), minus(simd, m[1], m[2]));
    let (c, d) = (simd.add_f32(m[3], m[4]), minus(simd, m[3], m[4]));
    [
        simd.add_f32(simd.add_f32(m[0], a), c),
        simd.add_f32(b, times(simd, 2.0, d)),
        simd.add_f32(a, times(simd, 4.0, c)),
        simd.add_f32(simd.add_f32(b, times(simd, 8.0, d)), m[5]),
    ]
}

#[inline(always)]
fn times<S: Simd>(simd: S, factor: f32, value: S::F32) -> S::F32 {
    simd.mul_f32(simd.splat_f32(factor), value)
}

#[inline(always)]
fn minus<S: Simd>(simd: S, a: S::F32, b: S::F32) -> S::F32 {
    simd.add_f32(a, times(simd, -1.0, b))
}

/// `max((x * gate + shift) + skip, 0)`, with a gate and a shift for each channel of each board: the
/// end of a block with squeeze and excitation.
pub(crate) struct Excite<'a> {
    /// for each board, a line for each line of a square
    pub(crate) gate: &'a [Line],
    /// as `gate`
    pub(crate) shift: &'a [Line],
    /// the boards to add
    pub(crate) skip: &'a [Line],
    /// lines per square
    pub(crate) lines: usize,
    /// the boards, updated in place
    pub(crate) y: &'a mut [Line],
}

impl Task for Excite<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let square = self.lines * const { size_of::<Line>() / size_of::<S::F32>() };
        let (gates, shifts): (&[S::F32], &[S::F32]) = (view(self.gate), view(self.shift));
        let y: &mut [S::F32] = view_mut(self.y);
        let skip: &[S::F32] = &view(self.skip)[..y.len()];
        let zero = simd.splat_f32(0.0);
        let mut first = 0;
        while first < y.len() {
            let board = first / (SQUARES * square) * square;
            let (gate, shift) = (&gates[board..][..square], &shifts[board..][..square]);
            let (y, skip) = (&mut y[first..][..square], &skip[first..][..square]);
            for at in 0..square {
                let value = simd.mul_add_f32(y[at], gate[at], shift[at]);
                y[at] = simd.max_f32(simd.add_f32(value, skip[at]), zero);
            }
            first += square;
        }
    }
}
