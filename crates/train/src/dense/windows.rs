//! Windows of planes: convolutions with their gradients, and the operands of pools.

use nnue_spec::dense::Shape;
use nnue_spec::op::Real;

use crate::network::{add_scaled, dot};

/// The windows of an operation. A layer has windows of one number of each channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) from: Shape,
    pub(super) to: Shape,
    pub(super) kernel: usize,
    pub(super) stride: usize,
    pub(super) padding: usize,
}

/// Numbers at one place of all windows of a row: `patches[patch + n] = x[x + n * stride]` for `n < count`.
#[derive(Clone, Copy)]
struct Run {
    x: usize,
    patch: usize,
    count: usize,
}

impl Windows {
    /// Numbers of a window in one channel.
    pub(super) const fn size(&self) -> usize {
        self.kernel * self.kernel
    }

    /// Forward pass of a convolution.
    pub(super) fn convolve<T: Real>(&self, x: &[T], weight: &[T], bias: &[T], y: &mut [T]) {
        let (patches, pixels) = (self.patches(x), self.to.pixels());
        let rows = weight.chunks_exact(patches.len() / pixels);
        for ((y, weights), &bias) in y.chunks_exact_mut(pixels).zip(rows).zip(bias) {
            if let [y] = y {
                *y = bias + dot(&patches, weights);
                continue;
            }
            y.fill(bias);
            let places = patches.chunks_exact(pixels);
            weights
                .iter()
                .zip(places)
                .for_each(|(&weight, patch)| add_scaled(y, weight, patch));
        }
    }

    /// Backward pass of a convolution: adds the gradients of operands, weights and biases.
    pub(super) fn backward<T: Real>(
        &self,
        x: &[T],
        weight: &[T],
        of_y: &[T],
        of_x: &mut [T],
        [of_weight, of_bias]: [&mut [T]; 2],
    ) {
        let (patches, pixels) = (self.patches(x), self.to.pixels());
        let mut of_patches = vec![T::ZERO; patches.len()];
        let window = patches.len() / pixels;
        let rows = weight
            .chunks_exact(window)
            .zip(of_weight.chunks_exact_mut(window));
        for ((of_y, (weights, of_weights)), of_bias) in
            of_y.chunks_exact(pixels).zip(rows).zip(of_bias)
        {
            *of_bias += of_y.iter().fold(T::ZERO, |sum, &of| sum + of);
            if let [of_y] = *of_y {
                add_scaled(of_weights, of_y, &patches);
                add_scaled(&mut of_patches, of_y, weights);
                continue;
            }
            let places = patches
                .chunks_exact(pixels)
                .zip(of_patches.chunks_exact_mut(pixels));
            for ((&weight, of_weight), (patch, of_patch)) in
                weights.iter().zip(of_weights).zip(places)
            {
                *of_weight += dot(of_y, patch);
                add_scaled(of_patch, weight, of_y);
            }
        }
        self.for_each_run(|Run { x, patch, count }| {
            (0..count).for_each(|n| of_x[x + n * self.stride] += of_patches[patch + n]);
        });
    }

    /// im2col: `[channel, row, column][window]` with zeros as padding, so that a weight is multiplied with
    /// one run of numbers.
    fn patches<T: Real>(&self, values: &[T]) -> Vec<T> {
        let mut patches = vec![T::ZERO; self.from.channels() * self.size() * self.to.pixels()];
        self.for_each_run(|Run { x, patch, count }| {
            (0..count).for_each(|n| patches[patch + n] = values[x + n * self.stride]);
        });
        patches
    }

    /// Calls `f` for every place of a window and every row of results, with the columns whose window is
    /// inside there.
    fn for_each_run(&self, mut f: impl FnMut(Run)) {
        let ([height, width], [to_rows, columns]) = (self.from.size(), self.to.size());
        for place in 0..self.from.channels() * self.size() {
            let (channel, i, j) = (
                place / self.size(),
                place / self.kernel % self.kernel,
                place % self.kernel,
            );
            let (rows, inside) = (
                self.inside(i, height, to_rows),
                self.inside(j, width, columns),
            );
            if inside.is_empty() {
                continue;
            }
            for row in rows {
                let (first, count) = (inside.start, inside.len());
                let (from_row, from_column) = (
                    row * self.stride + i - self.padding,
                    first * self.stride + j - self.padding,
                );
                let x = (channel * height + from_row) * width + from_column;
                f(Run {
                    x,
                    patch: place * self.to.pixels() + row * columns + first,
                    count,
                });
            }
        }
    }

    /// The range of windows, of `count`, whose row (or column) `offset` is inside the `size` rows of the
    /// operand.
    fn inside(&self, offset: usize, size: usize, count: usize) -> std::ops::Range<usize> {
        let first = self.padding.saturating_sub(offset).div_ceil(self.stride);
        let end = (size + self.padding)
            .saturating_sub(offset)
            .div_ceil(self.stride);
        first.min(count)..end.min(count)
    }

    /// Calls `f` with the index of each result of a pool and the indices of its window.
    pub(super) fn for_each_pooled(&self, mut f: impl FnMut(usize, &[usize])) {
        let ([height, width], [_, columns]) = (self.from.size(), self.to.size());
        let mut window = vec![0; self.size()];
        for to in 0..self.to.len() {
            let (channel, pixel) = (to / self.to.pixels(), to % self.to.pixels());
            let first = (channel * height + pixel / columns * self.stride) * width
                + pixel % columns * self.stride;
            for (at, place) in window.iter_mut().enumerate() {
                *place = first + at / self.kernel * width + at % self.kernel;
            }
            f(to, &window);
        }
    }
}
