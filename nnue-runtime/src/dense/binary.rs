//! Sign convolutions and layers: their prepared weights, and the step of an evaluation.

use alloc::vec::Vec;

use nnue_spec::dense::Binary;

use super::value::{LINE, Value, floats, floats_mut, in_lines, zeros};
use crate::kernel::binary_convolution::{PackSigns, SumSigns, magnitude};
use crate::kernel::planes::Scale;
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// A binary convolution, or a binary layer, which has windows of one pixel.
pub(super) struct BinaryWindows {
    kernel: usize,
    stride: usize,
    padding: usize,
    /// bits `[word][output]`; see the kernel
    weights: Vec<Line>,
    scale: Vec<Line>,
    bias: Vec<Line>,
    /// whether the scale is also multiplied by the mean magnitude of the input
    input_scale: bool,
}

impl BinaryWindows {
    /// Prepares weights `[output][channel][row][column]`.
    pub(super) fn new(
        binary: Binary,
        [kernel, stride, padding]: [usize; 3],
        channels: usize,
        weights: &[f32],
        bias: &[f32],
    ) -> Self {
        let outputs = bias.len();
        Self {
            kernel,
            stride,
            padding,
            weights: packed(weights, outputs, channels, kernel),
            scale: in_lines(&binary.scales(weights, outputs)),
            bias: in_lines(bias),
            input_scale: binary.input_scale,
        }
    }

    /// Computes `result`, the lines of `value`, from `lines`, those of `x`.
    pub(super) fn run(
        &self,
        level: AvailableLevel,
        [x, value]: [&Value; 2],
        lines: &[Line],
        result: &mut [Line],
        scratch: &mut Vec<Line>,
        fused: bool,
    ) {
        let (channels, [_, width]) = (x.shape.channels(), x.shape.size());
        let planes = PackSigns {
            x: lines,
            channels,
            size: x.shape.size(),
            padding: self.padding,
        };
        let window = SumSigns::words(self.kernel, self.kernel * channels) + 1;
        let (scales, words) = (self.scale.len(), window + planes.words());
        scratch.clear();
        scratch.resize(scales + words.div_ceil(LINE), bytemuck::Zeroable::zeroed());
        let (scale, words) = scratch.split_at_mut(scales);
        let (window, words) = bytemuck::cast_slice_mut(words).split_at_mut(window);
        planes.run(level, words);

        let row = (width + 2 * self.padding) * channels;
        let sums = SumSigns {
            x: words,
            row,
            steps: [self.stride * row, self.stride * channels],
            rows: self.kernel,
            run: self.kernel * channels,
            size: value.shape.size(),
            weights: bytemuck::cast_slice(&self.weights),
        };
        sums.run(level, window, result);

        let magnitude = if self.input_scale {
            magnitude(level, lines, channels)
        } else {
            1.0
        };
        floats_mut(scale)
            .iter_mut()
            .zip(floats(&self.scale))
            .for_each(|(to, from)| *to = from * magnitude);
        let (scale, shift) = (&*scale, &*self.bias);
        if fused {
            dispatch_family(
                level,
                Scale::<true> {
                    scale,
                    shift,
                    y: result,
                },
            );
        } else {
            dispatch_family(
                level,
                Scale::<false> {
                    scale,
                    shift,
                    y: result,
                },
            );
        }
    }
}

/// The signs of weights `[output][channel][row][column]` as bits `[word][output]`, the bits of an
/// output in the order row, column, channel.
fn packed(weights: &[f32], outputs: usize, channels: usize, kernel: usize) -> Vec<Line> {
    let (window, lines) = (kernel * kernel * channels, outputs.div_ceil(LINE));
    let mut packed = zeros(window.div_ceil(32) * lines);
    let words: &mut [u32] = bytemuck::cast_slice_mut(&mut packed);
    for (output, weights) in weights.chunks_exact(window).enumerate() {
        for (at, _) in weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > 0.0)
        {
            let (channel, place) = (at / (kernel * kernel), at % (kernel * kernel));
            let bit = place * channels + channel;
            words[bit / 32 * lines * LINE + output] |= 1 << (bit % 32);
        }
    }
    packed
}
