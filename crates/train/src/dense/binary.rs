//! Binary convolutions and layers: `y = sum of s[o] * sign(w[o]) * sign(x) + bias[o]`. `s[o]` is the mean
//! magnitude of the weights of the output (or of all outputs), times that of `x` with `input_scale`.
//!
//! # Gradient
//!
//! With `g[k]` the gradient of the effective weight `s * sign(w[k])`, and `a * b` the two factors of `s`, the
//! mean magnitudes of `n` weights and of `m` values of `x` (Rastegari et al. 2016):
//!
//! ```text
//!   of w[i]:   g[i] * s * slope(w[i])                through the sign
//!              + sign(w[i]) / n * b * sum of g[k] * sign(w[k])            through the scale, over the weights that share it
//!   of x[i]:   of_sign(x[i]) * slope(x[i])           through the sign
//!              + sign(x[i]) / m * sum over o of a[o] * sum of g[k] * sign(w[k])        through the scale
//! ```
//!
//! `slope` is the surrogate derivative of a sign ([`sign_slope`]): 1 from -1 to 1. The approximate gradient
//! has only the first line of both, as if scales were constants. The derivative of a magnitude at 0 is taken
//! as that of its sign, -1.

use nnue_spec::dense::{Binary, Shape};
use nnue_spec::op::{Real, sign, sign_slope};

use super::windows::Windows;

#[derive(Clone, Copy, Debug)]
pub(super) struct SignWindows {
    /// windows over the padded signs
    windows: Windows,
    from: Shape,
    padding: usize,
    binary: Binary,
    /// whether gradients pass through scales
    exact: bool,
}

/// Effective operands of the convolution.
struct Acting<T> {
    /// signs of the values, padded with -1
    signs: Vec<T>,
    /// `s * sign(w)`
    weights: Vec<T>,
    /// mean magnitude of the weights of each output
    scales: Vec<T>,
    /// mean magnitude of the values, or 1
    magnitude: T,
}

fn mean_magnitude<T: Real>(values: &[T]) -> T {
    let magnitudes = values
        .iter()
        .map(|&value| if value < T::ZERO { -value } else { value });
    magnitudes.fold(T::ZERO, |sum, magnitude| sum + magnitude) * T::of(1.0 / values.len() as f64)
}

impl SignWindows {
    pub(super) fn new(windows: Windows, binary: Binary, exact: bool) -> Self {
        let Windows { from, padding, .. } = windows;
        let padded = match from {
            Shape::Flat(_) => from,
            Shape::Planes([channels, height, width]) => {
                Shape::Planes([channels, height + 2 * padding, width + 2 * padding])
            }
        };
        Self {
            windows: Windows {
                from: padded,
                padding: 0,
                ..windows
            },
            from,
            padding,
            binary,
            exact,
        }
    }

    /// Number of weights that share a scale.
    fn shared(&self, weights: usize) -> usize {
        if self.binary.one_scale {
            weights
        } else {
            weights / self.windows.to.channels()
        }
    }

    /// Index of value `at` in the padded signs.
    fn place(&self, at: usize) -> usize {
        let ([height, width], [rows, columns]) = (self.from.size(), self.windows.from.size());
        let (channel, row, column) = (at / (height * width), at / width % height, at % width);
        (channel * rows + row + self.padding) * columns + column + self.padding
    }

    fn acting<T: Real>(&self, x: &[T], weights: &[T]) -> Acting<T> {
        let mut signs = vec![-T::ONE; self.windows.from.len()];
        x.iter()
            .enumerate()
            .for_each(|(at, &x)| signs[self.place(at)] = sign(x));
        let magnitude = if self.binary.input_scale {
            mean_magnitude(x)
        } else {
            T::ONE
        };
        let shared = self.shared(weights.len());
        let scales: Vec<T> = weights.chunks_exact(shared).map(mean_magnitude).collect();
        let acting = |(at, &weight): (usize, &T)| scales[at / shared] * magnitude * sign(weight);
        Acting {
            signs,
            weights: weights.iter().enumerate().map(acting).collect(),
            scales,
            magnitude,
        }
    }

    pub(super) fn forward<T: Real>(&self, x: &[T], weights: &[T], bias: &[T], y: &mut [T]) {
        let acting = self.acting(x, weights);
        self.windows
            .convolve(&acting.signs, &acting.weights, bias, y);
    }

    /// Backward pass: adds the gradients of operands, weights and biases.
    pub(super) fn backward<T: Real>(
        &self,
        x: &[T],
        weights: &[T],
        of_y: &[T],
        of_x: &mut [T],
        [of_weights, of_bias]: [&mut [T]; 2],
    ) {
        let acting = self.acting(x, weights);
        let mut of_signs = vec![T::ZERO; acting.signs.len()];
        let mut of_acting = vec![T::ZERO; weights.len()];
        self.windows.backward(
            &acting.signs,
            &acting.weights,
            of_y,
            &mut of_signs,
            [&mut of_acting, of_bias],
        );
        for (at, (&x, of_x)) in x.iter().zip(&mut *of_x).enumerate() {
            *of_x += of_signs[self.place(at)] * sign_slope(x);
        }
        let shared = self.shared(weights.len());
        let mut of_magnitude = T::ZERO;
        let groups = weights
            .chunks_exact(shared)
            .zip(of_acting.chunks_exact(shared));
        for ((scale, (weights, of_acting)), of_weights) in acting
            .scales
            .iter()
            .zip(groups)
            .zip(of_weights.chunks_exact_mut(shared))
        {
            let agreeing = weights
                .iter()
                .zip(of_acting)
                .fold(T::ZERO, |sum, (&w, &of)| sum + of * sign(w));
            of_magnitude += agreeing * *scale;
            let of_scale = agreeing
                * acting.magnitude
                * T::of(if self.exact { 1.0 / shared as f64 } else { 0.0 });
            for ((&weight, &of), of_weight) in weights.iter().zip(of_acting).zip(of_weights) {
                *of_weight +=
                    of * *scale * acting.magnitude * sign_slope(weight) + of_scale * sign(weight);
            }
        }
        if self.exact && self.binary.input_scale {
            let of_each = of_magnitude * T::of(1.0 / x.len() as f64);
            x.iter()
                .zip(of_x)
                .for_each(|(&x, of_x)| *of_x += of_each * sign(x));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: [usize; 3] = [2, 4, 3];
    const OUTPUTS: usize = 3;
    const KERNEL: usize = 2;
    const STRIDE: usize = 2;
    const PADDING: usize = 1;
    /// `(4 + 2 - 2) / 2 + 1` and `(3 + 2 - 2) / 2 + 1`
    const TO: [usize; 2] = [3, 2];

    /// Values, and the point around which their signs are linearised with the surrogate slope.
    type Around<'a> = (&'a [f64], &'a [f64]);

    fn line((values, at): Around<'_>, place: usize) -> f64 {
        sign(at[place]) + sign_slope(at[place]) * (values[place] - at[place])
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64
    }

    /// The sum of `of_y * y`, term by term. Its derivative is the expected gradient.
    fn objective(binary: Binary, exact: bool, x: Around<'_>, w: Around<'_>, of_y: &[f64]) -> f64 {
        let [channels, height, width] = FROM;
        let window = channels * KERNEL * KERNEL;
        let mut sum = 0.0;
        for (at, of) in of_y.iter().enumerate() {
            let (output, row, column) = (at / (TO[0] * TO[1]), at / TO[1] % TO[0], at % TO[1]);
            let mut signs = 0.0;
            for k in 0..window {
                let (channel, i, j) = (k / (KERNEL * KERNEL), k / KERNEL % KERNEL, k % KERNEL);
                let (row, column) = (
                    (row * STRIDE + i).wrapping_sub(PADDING),
                    (column * STRIDE + j).wrapping_sub(PADDING),
                );
                let inside = row < height && column < width;
                let value = if inside {
                    line(x, (channel * height + row) * width + column)
                } else {
                    -1.0
                };
                signs += line(w, output * window + k) * value;
            }
            let shared = if binary.one_scale {
                0..w.0.len()
            } else {
                output * window..(output + 1) * window
            };
            let [x, w] = [x, w].map(|(moved, at)| if exact { moved } else { at });
            let scale = mean(&w[shared]) * if binary.input_scale { mean(x) } else { 1.0 };
            sum += of * signs * scale;
        }
        sum
    }

    #[test]
    fn gradients_are_those_of_signs_with_a_slope() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut numbers = |count: usize| {
            (0..count)
                .map(|_| random.f64() * 3.0 - 1.5)
                .collect::<Vec<f64>>()
        };
        let windows = Windows {
            from: Shape::Planes(FROM),
            to: Shape::Planes([OUTPUTS, TO[0], TO[1]]),
            kernel: KERNEL,
            stride: STRIDE,
            padding: PADDING,
        };
        for case in 0..8 {
            let (binary, exact) = (
                Binary {
                    one_scale: case & 1 > 0,
                    input_scale: case & 2 > 0,
                },
                case & 4 > 0,
            );
            let (x, w, of_y) = (numbers(24), numbers(24), numbers(18));
            let layer = SignWindows::new(windows, binary, exact);
            let mut y = vec![0.0; 18];
            layer.forward(&x, &w, &[0.0; OUTPUTS], &mut y);
            let value: f64 = y.iter().zip(&of_y).map(|(y, of)| y * of).sum();
            assert!((value - objective(binary, exact, (&x, &x), (&w, &w), &of_y)).abs() < 1e-12);

            let (mut of_x, mut of_w, mut of_bias) =
                (vec![0.0; 24], vec![0.0; 24], vec![0.0; OUTPUTS]);
            layer.backward(&x, &w, &of_y, &mut of_x, [&mut of_w, &mut of_bias]);
            for at in 0..24 {
                let moved = |values: &[f64], by: f64| {
                    let mut values = values.to_vec();
                    values[at] += by;
                    values
                };
                let of = |f: &dyn Fn(f64) -> f64| (f(1e-5) - f(-1e-5)) / 2e-5;
                let by_x =
                    of(&|by| objective(binary, exact, (&moved(&x, by), &x), (&w, &w), &of_y));
                let by_w =
                    of(&|by| objective(binary, exact, (&x, &x), (&moved(&w, by), &w), &of_y));
                assert!(
                    (of_x[at] - by_x).abs() < 1e-8,
                    "case {case}, x[{at}]: {} instead of {by_x}",
                    of_x[at]
                );
                assert!(
                    (of_w[at] - by_w).abs() < 1e-8,
                    "case {case}, w[{at}]: {} instead of {by_w}",
                    of_w[at]
                );
            }
            let sums = of_y.chunks_exact(6).map(|of| of.iter().sum::<f64>());
            assert!(
                of_bias
                    .iter()
                    .zip(sums)
                    .all(|(found, expected)| (found - expected).abs() < 1e-12)
            );
        }
    }
}
