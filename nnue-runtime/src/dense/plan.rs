//! The steps of an evaluation, with weights in the kernels' order. The plan is the same for all
//! levels.

use alloc::vec::Vec;

use nnue_spec::Activation;
use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, DenseRole, normalization};

use super::binary::BinaryWindows;
use super::scratch::Scratch;
use super::value::{LINE, Value, floats, floats_mut, in_lines, zeros};
use crate::kernel::convolution::Convolution;
use crate::kernel::planes::{Activate, Add, Pool, Scale};
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// A network over a dense input, ready to evaluate.
pub(super) struct Plan {
    /// the value of each node; the first is the input
    values: Vec<Value>,
    /// the step of each value but the first
    steps: Vec<Step>,
    lines: usize,
    fused: bool,
}

struct Step {
    operation: Operation,
    /// the value that the step reads
    operand: usize,
}

enum Operation {
    /// a convolution, or a layer
    Windows {
        kernel: usize,
        stride: usize,
        padding: usize,
        weights: Vec<Line>,
        start: Vec<Line>,
    },
    /// a convolution or layer of signs
    BinaryWindows(BinaryWindows),
    Pool {
        kernel: usize,
        stride: usize,
        mean: bool,
    },
    Scale {
        scale: Vec<Line>,
        shift: Vec<Line>,
    },
    Flatten,
    Reshape,
    Activate(Activation),
    Add {
        other: usize,
    },
    Concat {
        other: usize,
    },
}

impl Plan {
    /// Prepares the tensors of `net`, given in the order of [`DenseDesc::tensors`].
    pub(super) fn new(net: &DenseDesc<'_>, tensors: &[Vec<f32>]) -> Self {
        let described = net.tensors();
        let steps = net.nodes.iter().enumerate().skip(1).map(|(index, node)| {
            let tensor = |role: DenseRole| {
                let found = described
                    .iter()
                    .position(|tensor| tensor.node == index && tensor.role == role);
                found.map_or(&[][..], |found| &tensors[found])
            };
            Step {
                operation: operation(net, node, &tensor),
                operand: node.operand,
            }
        });
        let (steps, values) = (steps.collect(), Value::all(net.nodes));
        let lines = values
            .iter()
            .map(|value| value.range().end)
            .max()
            .unwrap_or(0);
        Self {
            values,
            steps,
            lines,
            fused: net.fused,
        }
    }

    /// Evaluates the network into `output`. `get` returns pixel `pixel` of channel `channel` of the
    /// input.
    pub(super) fn run(
        &self,
        level: AvailableLevel,
        scratch: &mut Scratch,
        get: impl Fn(usize, usize) -> f32,
        output: &mut [f32],
    ) {
        let Scratch { lines, padded } = scratch;
        lines.clear();
        lines.resize(self.lines, bytemuck::Zeroable::zeroed());
        fill(&self.values[0], lines, get);
        for (step, value) in self.steps.iter().zip(&self.values[1..]) {
            self.step(level, step, value, lines, padded);
        }
        if let Some(last) = self.values.last() {
            in_order(last, &lines[last.range()], output);
        }
    }

    fn step(
        &self,
        level: AvailableLevel,
        step: &Step,
        value: &Value,
        all: &mut [Line],
        scratch: &mut Vec<Line>,
    ) {
        let x = &self.values[step.operand];
        let (lines, result) = apart(all, x, value);
        match &step.operation {
            Operation::Windows {
                kernel,
                stride,
                padding,
                weights,
                start,
            } => {
                let channels = x.shape.channels();
                let [_, width] = x.shape.size();
                let x = padded(x, lines, *padding, scratch);
                let row = (width + 2 * padding) * channels;
                let steps = [stride * row, stride * channels];
                let (rows, run, size, fused) =
                    (*kernel, kernel * channels, value.shape.size(), self.fused);
                Convolution {
                    x,
                    row,
                    steps,
                    rows,
                    run,
                    size,
                    weights,
                    start,
                    fused,
                }
                .run(level, result);
            }
            Operation::BinaryWindows(windows) => {
                windows.run(level, [x, value], lines, result, scratch, self.fused)
            }
            &Operation::Pool {
                kernel,
                stride,
                mean,
            } => {
                let [_, width] = x.shape.size();
                let (row, size) = (width * x.lines(), value.shape.size());
                dispatch_family(
                    level,
                    Pool {
                        x: lines,
                        row,
                        lines: x.lines(),
                        kernel,
                        stride,
                        size,
                        mean,
                        y: result,
                    },
                );
            }
            Operation::Scale { scale, shift } => {
                result.copy_from_slice(lines);
                if self.fused {
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
            Operation::Flatten => in_order(x, lines, floats_mut(result)),
            Operation::Reshape => reshape([x, value], lines, result),
            &Operation::Activate(activation) => {
                result.copy_from_slice(lines);
                dispatch_family(
                    level,
                    Activate {
                        activation,
                        y: result,
                    },
                );
            }
            &Operation::Add { other } => {
                result.copy_from_slice(lines);
                let (other, y) = apart(all, &self.values[other], value);
                dispatch_family(level, Add { other, y });
            }
            &Operation::Concat { other } => {
                join(value, result, 0, x, lines);
                let other = &self.values[other];
                let (lines, result) = apart(all, other, value);
                join(value, result, x.shape.channels(), other, lines);
            }
        }
    }
}

/// The lines of an operand, and those of its result.
fn apart<'a>(lines: &'a mut [Line], from: &Value, to: &Value) -> (&'a [Line], &'a mut [Line]) {
    let [from, to] = lines
        .get_disjoint_mut([from.range(), to.range()])
        .expect("a value lies apart from its operands");
    (from, to)
}

fn operation<'a>(
    net: &DenseDesc<'_>,
    node: &DenseNode,
    tensor: &dyn Fn(DenseRole) -> &'a [f32],
) -> Operation {
    let (outputs, channels) = (
        node.shape.channels(),
        net.nodes[node.operand].shape.channels(),
    );
    let windows = |[kernel, stride, padding]: [usize; 3], binary: Option<Binary>| {
        let [weights, bias] = [DenseRole::Weight, DenseRole::Bias].map(tensor);
        if let Some(binary) = binary {
            let windows =
                BinaryWindows::new(binary, [kernel, stride, padding], channels, weights, bias);
            return Operation::BinaryWindows(windows);
        }
        let weights = by_outputs(weights, outputs, channels, kernel);
        Operation::Windows {
            kernel,
            stride,
            padding,
            weights,
            start: in_lines(bias),
        }
    };
    match node.op {
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary,
        } => windows([kernel, stride, padding], binary),
        DenseOp::Affine { binary } => windows([1, 1, 0], binary),
        DenseOp::MaxPool2d { kernel, stride } => Operation::Pool {
            kernel,
            stride,
            mean: false,
        },
        DenseOp::AvgPool2d { kernel, stride } => Operation::Pool {
            kernel,
            stride,
            mean: true,
        },
        DenseOp::BatchNorm { eps } => {
            let roles = [
                DenseRole::Weight,
                DenseRole::Bias,
                DenseRole::Mean,
                DenseRole::Variance,
            ]
            .map(tensor);
            let (scale, shift): (Vec<f32>, Vec<f32>) = (0..outputs)
                .map(|channel| normalization(roles.map(|values| values[channel]), eps))
                .unzip();
            Operation::Scale {
                scale: in_lines(&scale),
                shift: in_lines(&shift),
            }
        }
        DenseOp::Flatten => Operation::Flatten,
        DenseOp::Reshape => Operation::Reshape,
        DenseOp::Activate(activation) => Operation::Activate(activation),
        DenseOp::Add { other } => Operation::Add { other },
        DenseOp::Concat { other } => Operation::Concat { other },
        DenseOp::Input | DenseOp::Bits => unreachable!("only the first node is an input"),
    }
}

/// Weights `[output][channel][row][column]` as `[line of outputs][row][column][channel][16 outputs]`.
fn by_outputs(weights: &[f32], outputs: usize, channels: usize, kernel: usize) -> Vec<Line> {
    let window = kernel * kernel * channels;
    let mut lines = zeros(outputs.div_ceil(LINE) * window);
    let prepared = floats_mut(&mut lines);
    for (output, weights) in weights.chunks_exact(window).enumerate() {
        for (at, &weight) in weights.iter().enumerate() {
            let (channel, place) = (at / (kernel * kernel), at % (kernel * kernel));
            let line = output / LINE * window + place * channels + channel;
            prepared[line * LINE + output % LINE] = weight;
        }
    }
    lines
}

/// Fills a value from `get`.
fn fill(value: &Value, lines: &mut [Line], get: impl Fn(usize, usize) -> f32) {
    let to = floats_mut(&mut lines[value.range()]);
    for channel in 0..value.shape.channels() {
        for pixel in 0..value.shape.pixels() {
            to[value.at(channel, pixel)] = get(channel, pixel);
        }
    }
}

/// The numbers of a value, channel by channel.
fn in_order(value: &Value, lines: &[Line], out: &mut [f32]) {
    let (from, pixels) = (floats(lines), value.shape.pixels());
    for (channel, out) in out
        .chunks_exact_mut(pixels)
        .take(value.shape.channels())
        .enumerate()
    {
        for (pixel, out) in out.iter_mut().enumerate() {
            *out = from[value.at(channel, pixel)];
        }
    }
}

/// Copies the numbers of a value to one of another shape, in order.
fn reshape([x, y]: [&Value; 2], lines: &[Line], result: &mut [Line]) {
    let (from, to) = (floats(lines), floats_mut(result));
    let place =
        |value: &Value, at: usize| value.at(at / value.shape.pixels(), at % value.shape.pixels());
    (0..x.shape.len()).for_each(|at| to[place(y, at)] = from[place(x, at)]);
}

/// A value without gaps after its channels and with a margin of zeros: `[row][column][channel]`. If
/// it has neither gaps nor a margin, the value itself.
fn padded<'a>(
    value: &Value,
    lines: &'a [Line],
    padding: usize,
    scratch: &'a mut Vec<Line>,
) -> &'a [f32] {
    let (from, channels, [height, width]) =
        (floats(lines), value.shape.channels(), value.shape.size());
    if padding == 0 && (channels.is_multiple_of(LINE) || value.shape.pixels() == 1) {
        return from;
    }
    let [rows, columns] = [height, width].map(|size| size + 2 * padding);
    scratch.clear();
    scratch.resize(
        (rows * columns * channels).div_ceil(LINE),
        bytemuck::Zeroable::zeroed(),
    );
    let to = floats_mut(scratch);
    for row in 0..height {
        for column in 0..width {
            let to =
                &mut to[((row + padding) * columns + column + padding) * channels..][..channels];
            to.copy_from_slice(&from[value.at(0, row * width + column)..][..channels]);
        }
    }
    to
}

/// Copies the channels of `part` to those of `value` from `first` on.
fn join(value: &Value, result: &mut [Line], first: usize, part: &Value, lines: &[Line]) {
    let (to, from, channels) = (floats_mut(result), floats(lines), part.shape.channels());
    for pixel in 0..value.shape.pixels() {
        to[value.at(first, pixel)..][..channels]
            .copy_from_slice(&from[part.at(0, pixel)..][..channels]);
    }
}
