//! Operations on planes of floats other than convolutions. Planes are `[row][column][line]`; a line
//! has 16 channels, so a lane is a channel and the order of operations does not depend on the
//! level.
//!
//! ```text
//!   Pool       y = the greatest value of a window, or the sum of its values divided by their number
//!   Scale      y = y * scale + shift, by channels
//!   Activate   y = f(y)
//!   Add        y = y + other
//! ```

use nnue_spec::Activation;

use super::float::multiply_add;
use super::float_activation::activate_floats;
use crate::memory::{Line, view, view_mut};
use crate::simd::{Simd, Task};

/// Pools windows of planes: their maxima or means.
pub(crate) struct Pool<'a> {
    pub(crate) x: &'a [Line],
    /// lines per row of `x`
    pub(crate) row: usize,
    /// lines per pixel
    pub(crate) lines: usize,
    /// rows and columns of a window
    pub(crate) kernel: usize,
    /// rows and columns from one window to the next
    pub(crate) stride: usize,
    /// height and width of the result
    pub(crate) size: [usize; 2],
    /// whether to compute means instead of maxima
    pub(crate) mean: bool,
    pub(crate) y: &'a mut [Line],
}

impl Task for Pool<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let [height, width] = self.size;
        let y: &mut [S::F32] = view_mut(self.y);
        let x: &[S::F32] = view(self.x);
        // in vectors from here on
        let of_line = const { size_of::<Line>() / size_of::<S::F32>() };
        let (row, pixel) = (self.row * of_line, self.lines * of_line);
        let count = simd.splat_f32((self.kernel * self.kernel) as f32);
        for r in 0..height {
            for c in 0..width {
                let first = r * self.stride * row + c * self.stride * pixel;
                for at in 0..pixel {
                    let window = Window {
                        first: first + at,
                        row,
                        pixel,
                        kernel: self.kernel,
                    };
                    y[(r * width + c) * pixel + at] = if self.mean {
                        simd.div_f32(window.sum(simd, x), count)
                    } else {
                        window.greatest(simd, x)
                    };
                }
            }
        }
    }
}

/// The offsets of a window, in vectors.
struct Window {
    first: usize,
    row: usize,
    pixel: usize,
    kernel: usize,
}

impl Window {
    /// Starts with the first value; then `x > greatest ? x : greatest`.
    #[inline(always)]
    fn greatest<S: Simd>(&self, simd: S, x: &[S::F32]) -> S::F32 {
        let mut greatest = x[self.first];
        for i in 0..self.kernel {
            for j in 0..self.kernel {
                greatest = simd.max_f32(x[self.first + i * self.row + j * self.pixel], greatest);
            }
        }
        greatest
    }

    /// Starts with the first value.
    #[inline(always)]
    fn sum<S: Simd>(&self, simd: S, x: &[S::F32]) -> S::F32 {
        let mut sum = x[self.first];
        for i in 0..self.kernel {
            for j in usize::from(i == 0)..self.kernel {
                sum = simd.add_f32(sum, x[self.first + i * self.row + j * self.pixel]);
            }
        }
        sum
    }
}

/// A factor and a summand for each channel.
pub(crate) struct Scale<'a, const FUSED: bool> {
    /// one line for each line of a pixel
    pub(crate) scale: &'a [Line],
    /// as `scale`
    pub(crate) shift: &'a [Line],
    /// updated in place
    pub(crate) y: &'a mut [Line],
}

impl<const FUSED: bool> Task for Scale<'_, FUSED> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (scale, shift): (&[S::F32], &[S::F32]) = (view(self.scale), view(self.shift));
        let y: &mut [S::F32] = view_mut(self.y);
        let pixel = scale.len();
        let shift = &shift[..pixel];
        let mut first = 0;
        while first + pixel <= y.len() {
            let y = &mut y[first..][..pixel];
            for at in 0..pixel {
                y[at] = multiply_add::<S, FUSED>(simd, y[at], scale[at], shift[at]);
            }
            first += pixel;
        }
    }
}

pub(crate) struct Activate<'a> {
    pub(crate) activation: Activation,
    /// updated in place
    pub(crate) y: &'a mut [Line],
}

impl Task for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        activate_floats(simd, self.activation, view_mut(self.y));
    }
}

pub(crate) struct Add<'a> {
    pub(crate) other: &'a [Line],
    /// updated in place
    pub(crate) y: &'a mut [Line],
}

impl Task for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let y: &mut [S::F32] = view_mut(self.y);
        let other: &[S::F32] = &view(self.other)[..y.len()];
        for at in 0..y.len() {
            y[at] = simd.add_f32(y[at], other[at]);
        }
    }
}
