//! Windows of planes: convolutions and their gradient, and the places that pools read.

use nnue_spec::dense::Shape;
use nnue_spec::op::Real;

/// The windows of an operation. Those of a layer are one number of each channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) from: Shape,
    pub(super) to: Shape,
    pub(super) kernel: usize,
    pub(super) stride: usize,
    pub(super) padding: usize,
}

/// A weight and the numbers that it connects: `y[y + n] += w[weight] * x[x + n * stride]` for `n < count`.
#[derive(Clone, Copy)]
struct Run {
    weight: usize,
    x: usize,
    y: usize,
    count: usize,
}

impl Windows {
    /// Numbers of a window of one channel.
    pub(super) const fn size(&self) -> usize {
        self.kernel * self.kernel
    }

    /// The sums of all windows.
    pub(super) fn convolve<T: Real>(&self, x: &[T], weight: &[T], bias: &[T], y: &mut [T]) {
        y.chunks_exact_mut(self.to.pixels()).zip(bias).for_each(|(y, &bias)| y.fill(bias));
        self.for_each_run(|run| {
            let w = weight[run.weight];
            let x = x[run.x..].iter().step_by(self.stride);
            y[run.y..][..run.count].iter_mut().zip(x).for_each(|(y, &x)| *y += w * x);
        });
    }

    /// Adds to the gradient of what was read and of weights and biases what follows from that of the sums.
    pub(super) fn backward<T: Real>(
        &self,
        x: &[T],
        weight: &[T],
        of_y: &[T],
        of_x: &mut [T],
        [of_weight, of_bias]: [&mut [T]; 2],
    ) {
        let sum = |numbers: &[T]| numbers.iter().fold(T::ZERO, |sum, &number| sum + number);
        of_y.chunks_exact(self.to.pixels()).zip(of_bias).for_each(|(of_y, of_bias)| *of_bias += sum(of_y));
        self.for_each_run(|run| {
            let (w, of_y) = (weight[run.weight], &of_y[run.y..][..run.count]);
            let mut of_w = T::ZERO;
            for (n, &of_y) in of_y.iter().enumerate() {
                of_w += of_y * x[run.x + n * self.stride];
                of_x[run.x + n * self.stride] += of_y * w;
            }
            of_weight[run.weight] += of_w;
        });
    }

    /// Every weight with every row of the result, for the columns whose window does not reach into the padding there.
    fn for_each_run(&self, mut f: impl FnMut(Run)) {
        let ([height, width], [_, columns]) = (self.from.size(), self.to.size());
        let channels = self.from.channels();
        for weight in 0..self.to.channels() * channels * self.size() {
            let (i, j) = (weight / self.kernel % self.kernel, weight % self.kernel);
            let (channel, output) = (weight / self.size() % channels, weight / self.size() / channels);
            let [rows, columns_inside] = [(i, height, self.to.size()[0]), (j, width, columns)]
                .map(|(offset, size, to)| self.inside(offset, size, to));
            if columns_inside.is_empty() {
                continue;
            }
            for row in rows {
                let (first, count) = (columns_inside.start, columns_inside.len());
                let (from_row, from_column) =
                    (row * self.stride + i - self.padding, first * self.stride + j - self.padding);
                let x = (channel * height + from_row) * width + from_column;
                f(Run { weight, x, y: output * self.to.pixels() + row * columns + first, count });
            }
        }
    }

    /// The windows of which row (or column) `offset` lies inside of `size` rows, of `count` in all.
    fn inside(&self, offset: usize, size: usize, count: usize) -> std::ops::Range<usize> {
        let first = self.padding.saturating_sub(offset).div_ceil(self.stride);
        let end = (size + self.padding).saturating_sub(offset).div_ceil(self.stride);
        first.min(count)..end.min(count)
    }

    /// Calls `f` with every place of the result of a pool and the places of its window.
    pub(super) fn for_each_pooled(&self, mut f: impl FnMut(usize, &[usize])) {
        let ([height, width], [_, columns]) = (self.from.size(), self.to.size());
        let mut window = vec![0; self.size()];
        for to in 0..self.to.len() {
            let (channel, pixel) = (to / self.to.pixels(), to % self.to.pixels());
            let first = (channel * height + pixel / columns * self.stride) * width + pixel % columns * self.stride;
            for (at, place) in window.iter_mut().enumerate() {
                *place = first + at / self.kernel * width + at % self.kernel;
            }
            f(to, &window);
        }
    }
}
