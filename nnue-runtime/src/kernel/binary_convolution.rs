//! Convolutions and layers of signs over a dense input.
//!
//! ```text
//!   PackSigns     the signs of planes of floats: bit = x > 0
//!   SumSigns      y[o][r][c] = sum over i, j, k of sign(w[o][k][i][j]) * sign(x[k][r * stride + i][c * stride + j])
//!                            = n - 2 * (bits in which window and weights differ), n bits each
//!   magnitude     the mean of |x|
//! ```
//!
//! Scales and biases are applied in a separate pass (`Scale`, in `planes`).
//!
//! ```text
//!   planes     bits [row][column][channel] without gaps, with padding, which is 0: a row of a window is one run of bits
//!   window     its runs one after the other: i, j, k
//!   weights    [word of the window][output]: 32 bits of each output, as in `binary`
//! ```
//!
//! Planes have no gaps after their channels, so that the window of a picture of one channel is 25
//! bits, not 25 words.
//!
//! If channels are whole words, a window is copied; otherwise its bits are gathered, with six
//! scalar instructions per word.
//!
//! What bounds it: counting, as in `binary`. With 64 channels, 3x3 and 64 outputs, a pixel compares
//! 18 words with 64 outputs: 72 vectors of three instructions with VPOPCNTDQ, 144 of eight with
//! AVX2, 288 of eight with SSE4.1. Floats would need 576 times 4, 8 or 16 vector multiplications.
//! With FMA, that is 11 times as many instructions on AVX-512 and 4 times on AVX2. The rest of the
//! gain comes from weights that are a thirty-second of the floats and stay in the first-level
//! cache: 4.6 KB instead of 147 KB.

use super::binary::count;
use crate::memory::{Line, view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, dispatch_counting, dispatch_family};

/// Channels per line.
const LINE: usize = 16;

/// The planes whose signs are taken.
pub(crate) struct PackSigns<'a> {
    /// `[row][column][line]`
    pub(crate) x: &'a [Line],
    /// channels per pixel
    pub(crate) channels: usize,
    pub(crate) size: [usize; 2],
    /// rows and columns of zeros on each side
    pub(crate) padding: usize,
}

impl PackSigns<'_> {
    /// The number of words of all bits plus one, so that 32 bits can be read at any bit.
    pub(crate) fn words(&self) -> usize {
        let [rows, columns] = self.size.map(|size| size + 2 * self.padding);
        (rows * columns * self.channels).div_ceil(32) + 1
    }

    /// Sets the bits of values above 0 in `words`, which must be zero.
    ///
    /// # Panics
    ///
    /// If there are fewer than [`words`](Self::words), or `x` is shorter than the sizes require.
    pub(crate) fn run(&self, level: AvailableLevel, words: &mut [u32]) {
        dispatch_family(
            level,
            Pack {
                planes: self,
                words,
            },
        );
    }
}

struct Pack<'a> {
    planes: &'a PackSigns<'a>,
    words: &'a mut [u32],
}

impl Task for Pack<'_> {
    type Output = ();

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators may become functions without the features of the level"
    )]
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let PackSigns {
            x,
            channels,
            size: [height, width],
            padding,
        } = *self.planes;
        let lines = channels.div_ceil(LINE);
        for row in 0..height {
            let mut to = ((row + padding) * (width + 2 * padding) + padding) * channels;
            for column in 0..width {
                let pixel = &x[(row * width + column) * lines..][..lines];
                let mut left = channels;
                for at in 0..lines {
                    let len = if left < LINE { left } else { LINE };
                    let bits = positive(simd, &pixel[at]) & (u32::MAX >> (32 - len));
                    append(self.words, to, bits);
                    to += len;
                    left -= len;
                }
            }
        }
    }
}

/// Sets those bits of `words` from bit `at` on that are set in `bits`.
#[inline(always)]
fn append(words: &mut [u32], at: usize, bits: u32) {
    let (word, shifted) = (at / 32, u64::from(bits) << (at % 32));
    words[word] |= shifted as u32;
    words[word + 1] |= (shifted >> 32) as u32;
}

/// Bit i: float i is above 0. A float above 0 is an integer above 0; so is a NaN without a sign
/// bit, which counts as greater than infinity.
#[expect(
    clippy::needless_range_loop,
    reason = "iterators may become functions without the features of the level"
)]
#[inline(always)]
fn positive<S: Simd>(simd: S, line: &Line) -> u32 {
    let vectors: &[S::I32] = view(core::slice::from_ref(line));
    let infinity = simd.splat_i32(f32::INFINITY.to_bits().cast_signed().wrapping_neg());
    let mut bits = 0;
    for at in 0..vectors.len() {
        let above_zero = simd.positive_i32(vectors[at]);
        let above_infinity = simd.positive_i32(simd.add_i32(vectors[at], infinity));
        bits |= (above_zero & !above_infinity) << (at * (S::BYTES / 4));
    }
    bits
}

pub(crate) struct SumSigns<'a> {
    /// the signs of padded planes, [`PackSigns::words`] of them
    pub(crate) x: &'a [u32],
    /// bits from a row of `x` to the next
    pub(crate) row: usize,
    /// bits from a window to the one below, and to the one to its right
    pub(crate) steps: [usize; 2],
    /// rows of a window
    pub(crate) rows: usize,
    /// bits per row of a window
    pub(crate) run: usize,
    /// height and width of the result
    pub(crate) size: [usize; 2],
    /// `ceil(rows * run / 32)` words of each output; the words of neighbouring outputs are adjacent
    pub(crate) weights: &'a [i32],
}

impl SumSigns<'_> {
    /// Words of a window.
    pub(crate) const fn words(rows: usize, run: usize) -> usize {
        (rows * run).div_ceil(32)
    }

    /// The sums as floats, `[row][column][line of outputs]`. `window` is scratch of one word more
    /// than a window.
    ///
    /// # Panics
    ///
    /// If a slice is shorter or longer than the sizes require.
    pub(crate) fn run(&self, level: AvailableLevel, window: &mut [u32], y: &mut [Line]) {
        let [height, width] = self.size;
        let words = Self::words(self.rows, self.run);
        let lines = y.len() / (height * width);
        assert!(window.len() == words + 1 && self.weights.len() == words * lines * LINE);
        dispatch_counting(
            level,
            Windows {
                sums: self,
                window,
                y,
            },
        );
    }
}

struct Windows<'a> {
    sums: &'a SumSigns<'a>,
    window: &'a mut [u32],
    y: &'a mut [Line],
}

impl Task for Windows<'_> {
    type Output = ();

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators may become functions without the features of the level"
    )]
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { sums, window, y } = self;
        let [height, width] = sums.size;
        let lines = y.len() / (height * width);
        let words = window.len() - 1;
        let bits = simd.splat_i32((sums.rows * sums.run) as i32);
        let minus_two = simd.splat_i32(-2);
        for row in 0..height {
            for column in 0..width {
                gather(sums, row * sums.steps[0] + column * sums.steps[1], window);
                let pixel = &mut y[(row * width + column) * lines..][..lines];
                let counts: &mut [S::I32] = view_mut(pixel);
                counts.fill(simd.zero_i32());
                count(simd, &window[..words], sums.weights, counts);
                for at in 0..counts.len() {
                    counts[at] = simd.add_i32(bits, simd.mul_low_i32(minus_two, counts[at]));
                }
                let floats: &mut [S::F32] = view_mut(pixel);
                for at in 0..floats.len() {
                    floats[at] = simd.f32_of_i32(floats[at]);
                }
            }
        }
    }
}

/// Gathers the window that begins at bit `first`.
#[expect(clippy::manual_memcpy, reason = "a copy of slices may become a call")]
#[inline(always)]
fn gather(sums: &SumSigns<'_>, first: usize, window: &mut [u32]) {
    if (first | sums.row | sums.run).is_multiple_of(32) {
        let (words, run) = (sums.row / 32, sums.run / 32);
        for row in 0..sums.rows {
            let from = &sums.x[first / 32 + row * words..][..run];
            let to = &mut window[row * run..][..run];
            for word in 0..run {
                to[word] = from[word];
            }
        }
        return;
    }
    window.fill(0);
    let mut to = 0;
    for row in 0..sums.rows {
        let mut from = first + row * sums.row;
        let mut left = sums.run;
        while left > 0 {
            let len = if left < 32 { left } else { 32 };
            let both = u64::from(sums.x[from / 32]) | u64::from(sums.x[from / 32 + 1]) << 32;
            append(
                window,
                to,
                (both >> (from % 32)) as u32 & (u32::MAX >> (32 - len)),
            );
            to += len;
            from += len;
            left -= len;
        }
    }
}

/// The mean of `|x|` over planes, in the order that [`nnue_spec::dense`] declares: sixteen sums,
/// which are then added by halves.
pub(crate) fn magnitude(level: AvailableLevel, x: &[Line], channels: usize) -> f32 {
    dispatch_family(level, Magnitude { x, channels })
}

struct Magnitude<'a> {
    x: &'a [Line],
    channels: usize,
}

impl Task for Magnitude<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) -> f32 {
        let lines = self.channels.div_ceil(LINE);
        let pixels = self.x.len() / lines;
        let x: &[[f32; LINE]] = bytemuck::cast_slice(self.x);
        let mut sums = [0.0_f32; LINE];
        for pixel in 0..pixels {
            let mut left = self.channels;
            for line in 0..lines {
                let x = &x[pixel * lines + line];
                if left >= LINE {
                    add_magnitudes(&mut sums, x, LINE);
                    left -= LINE;
                } else {
                    add_magnitudes(&mut sums, x, left);
                }
            }
        }
        let mut half = LINE / 2;
        while half > 0 {
            for at in 0..half {
                sums[at] += sums[at + half];
            }
            half /= 2;
        }
        sums[0] / (pixels * self.channels) as f32
    }
}

/// Inlined with a constant `len`, it is a few vector instructions.
#[inline(always)]
fn add_magnitudes(sums: &mut [f32; LINE], x: &[f32; LINE], len: usize) {
    for lane in 0..len {
        sums[lane] += x[lane].abs();
    }
}
