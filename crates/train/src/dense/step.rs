//! Operations of networks over a dense input, forward and backward.

use std::ops::Range;

use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, Shape};
use nnue_spec::op::{Constants, Loops, Real};

use super::binary::SignWindows;
use super::windows::Windows;
use crate::network::Parameters;

/// An operation with the ranges of its operand and result in the values.
#[derive(Clone, Debug)]
pub(super) struct Step<T> {
    operation: Operation<T>,
    operand: Range<usize>,
    result: Range<usize>,
}

#[derive(Clone, Debug)]
enum Operation<T> {
    /// a convolution or a layer: tensor `weight` has the weights, the next one the biases
    Convolve {
        windows: Windows,
        weight: usize,
    },
    /// a binary convolution or layer
    ConvolveSigns {
        windows: SignWindows,
        weight: usize,
    },
    MaxPool(Windows),
    AvgPool(Windows),
    /// batch norm: weights, biases, means and variances are tensors from `weight` on; a channel has `pixels`
    /// numbers
    Normalize {
        weight: usize,
        eps: f64,
        pixels: usize,
    },
    Activate(Loops<T>),
    /// `Flatten`, `Reshape` and the first operand of `Concat`: copies the operand
    Copy,
    /// the second operand of `Add`, added to the result of the previous step
    Add,
    /// the second operand of `Concat`
    Append,
}

/// The steps of a network. An operation with two operands becomes two steps. `exact`: gradients pass through
/// scales of binary layers.
pub(super) fn steps<T: Real>(net: &DenseDesc<'_>, exact: bool) -> Vec<Step<T>> {
    let mut ends = net.nodes.iter().scan(0, |end, node| {
        *end += node.shape.len();
        Some(*end - node.shape.len()..*end)
    });
    let places: Vec<Range<usize>> = ends.by_ref().collect();
    let (tensors, mut steps) = (net.tensors(), Vec::new());
    for (index, node) in net.nodes.iter().enumerate().skip(1) {
        let weight = tensors
            .iter()
            .position(|tensor| tensor.node == index)
            .unwrap_or(0);
        let (operand, result) = (places[node.operand].clone(), places[index].clone());
        let [operation, second] = operations(net.nodes[node.operand].shape, node, weight, exact);
        let other = match node.op {
            DenseOp::Add { other } | DenseOp::Concat { other } => other,
            _ => node.operand,
        };
        let first_of_concat = result.start..result.start + operand.len();
        let joined = matches!(second, Some(Operation::Append));
        let rest = if joined {
            first_of_concat.end..result.end
        } else {
            result.clone()
        };
        let result = if joined { first_of_concat } else { result };
        steps.extend(operation.map(|operation| Step {
            operation,
            operand,
            result,
        }));
        steps.extend(second.map(|operation| Step {
            operation,
            operand: places[other].clone(),
            result: rest,
        }));
    }
    steps
}

fn operations<T: Real>(
    from: Shape,
    node: &DenseNode,
    weight: usize,
    exact: bool,
) -> [Option<Operation<T>>; 2] {
    let windows = |kernel, stride, padding| Windows {
        from,
        to: node.shape,
        kernel,
        stride,
        padding,
    };
    let only = |operation| [Some(operation), None];
    let convolve = |windows: Windows, binary: Option<Binary>| match binary {
        Some(binary) => Operation::ConvolveSigns {
            windows: SignWindows::new(windows, binary, exact),
            weight,
        },
        None => Operation::Convolve { windows, weight },
    };
    match node.op {
        DenseOp::Input | DenseOp::Bits => [None, None],
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary,
        } => only(convolve(windows(kernel, stride, padding), binary)),
        DenseOp::Affine { binary } => only(convolve(windows(1, 1, 0), binary)),
        DenseOp::MaxPool2d { kernel, stride } => {
            only(Operation::MaxPool(windows(kernel, stride, 0)))
        }
        DenseOp::AvgPool2d { kernel, stride } => {
            only(Operation::AvgPool(windows(kernel, stride, 0)))
        }
        DenseOp::BatchNorm { eps } => only(Operation::Normalize {
            weight,
            eps,
            pixels: node.shape.pixels(),
        }),
        DenseOp::Flatten | DenseOp::Reshape => only(Operation::Copy),
        DenseOp::Activate(activation) => {
            let formula = activation
                .operation()
                .and_then(|operation| operation.floats);
            let formula = formula.expect("a checked network has activations of floats only");
            only(Operation::Activate(T::loops(&formula.real)))
        }
        DenseOp::Add { .. } => [Some(Operation::Copy), Some(Operation::Add)],
        DenseOp::Concat { .. } => [Some(Operation::Copy), Some(Operation::Append)],
    }
}

/// For floats: no shift, a scale of 1.
fn constants<T: Real>() -> Constants<T> {
    Constants {
        pairs: None,
        one: T::ONE,
        shift: 0,
    }
}

/// A batch norm: its operand, the length of a channel, and its first tensor.
pub(super) struct Norms {
    pub(super) operand: Range<usize>,
    pub(super) pixels: usize,
    pub(super) weight: usize,
}

impl Norms {
    pub(super) fn channels(&self) -> usize {
        self.operand.len() / self.pixels
    }
}

impl<T: Real> Step<T> {
    /// The batch norm of this step, if it is one.
    pub(super) fn norms(&self) -> Option<Norms> {
        match self.operation {
            Operation::Normalize { weight, pixels, .. } => Some(Norms {
                operand: self.operand.clone(),
                pixels,
                weight,
            }),
            _ => None,
        }
    }

    pub(super) fn forward(&self, parameters: &Parameters<T>, values: &mut [T]) {
        let (before, from) = values.split_at_mut(self.result.start);
        let (x, y) = (
            &before[self.operand.clone()],
            &mut from[..self.result.len()],
        );
        match &self.operation {
            Operation::Convolve { windows, weight } => {
                let [weight, bias] =
                    [*weight, weight + 1].map(|tensor| &*parameters.tensors[tensor]);
                windows.convolve(x, weight, bias, y);
            }
            Operation::ConvolveSigns { windows, weight } => {
                let [weight, bias] =
                    [*weight, weight + 1].map(|tensor| &*parameters.tensors[tensor]);
                windows.forward(x, weight, bias, y);
            }
            Operation::MaxPool(windows) => windows.for_each_pooled(|to, window| {
                let greatest = window
                    .iter()
                    .copied()
                    .reduce(|a, b| if x[b] > x[a] { b } else { a });
                y[to] = greatest.map_or(T::ZERO, |at| x[at]);
            }),
            Operation::AvgPool(windows) => {
                let share = T::of(1.0 / windows.size() as f64);
                windows.for_each_pooled(|to, window| {
                    y[to] = window.iter().fold(T::ZERO, |sum, &at| sum + x[at]) * share;
                });
            }
            Operation::Normalize {
                weight,
                eps,
                pixels,
            } => {
                for (channel, (x, y)) in x
                    .chunks_exact(*pixels)
                    .zip(y.chunks_exact_mut(*pixels))
                    .enumerate()
                {
                    let Norm {
                        weight,
                        bias,
                        mean,
                        inverse,
                    } = Norm::of(parameters, *weight, *eps, channel);
                    let pairs = x.iter().zip(y);
                    pairs.for_each(|(&x, y)| *y = (x - mean) * inverse * weight + bias);
                }
            }
            Operation::Activate(loops) => (loops.values)(constants(), x, y),
            Operation::Copy | Operation::Append => y.copy_from_slice(x),
            Operation::Add => y.iter_mut().zip(x).for_each(|(y, &x)| *y += x),
        }
    }

    /// Backward pass: adds the gradients of the operands to `gradients` and those of the parameters to
    /// `gradient`.
    pub(super) fn backward(
        &self,
        parameters: &Parameters<T>,
        values: &[T],
        gradients: &mut [T],
        gradient: &mut Parameters<T>,
    ) {
        let x = &values[self.operand.clone()];
        let (before, from) = gradients.split_at_mut(self.result.start);
        let (of_x, of_y) = (
            &mut before[self.operand.clone()],
            &from[..self.result.len()],
        );
        match &self.operation {
            Operation::Convolve { windows, weight } => {
                windows.backward(
                    x,
                    &parameters.tensors[*weight],
                    of_y,
                    of_x,
                    weights_and_biases(gradient, *weight),
                );
            }
            Operation::ConvolveSigns { windows, weight } => {
                windows.backward(
                    x,
                    &parameters.tensors[*weight],
                    of_y,
                    of_x,
                    weights_and_biases(gradient, *weight),
                );
            }
            Operation::MaxPool(windows) => windows.for_each_pooled(|to, window| {
                let greatest = window
                    .iter()
                    .copied()
                    .reduce(|a, b| if x[b] > x[a] { b } else { a });
                greatest.into_iter().for_each(|at| of_x[at] += of_y[to]);
            }),
            Operation::AvgPool(windows) => {
                let share = T::of(1.0 / windows.size() as f64);
                windows.for_each_pooled(|to, window| {
                    window.iter().for_each(|&at| of_x[at] += of_y[to] * share)
                });
            }
            Operation::Normalize {
                weight: tensor,
                eps,
                pixels,
            } => {
                let channels = x
                    .chunks_exact(*pixels)
                    .zip(of_y.chunks_exact(*pixels))
                    .zip(of_x.chunks_exact_mut(*pixels));
                for (channel, ((x, of_y), of_x)) in channels.enumerate() {
                    let Norm {
                        weight,
                        mean,
                        inverse,
                        ..
                    } = Norm::of(parameters, *tensor, *eps, channel);
                    for ((&x, &of_y), of_x) in x.iter().zip(of_y).zip(of_x) {
                        *of_x += of_y * inverse * weight;
                        gradient.tensors[*tensor][channel] += of_y * (x - mean) * inverse;
                        gradient.tensors[tensor + 1][channel] += of_y;
                    }
                }
            }
            Operation::Activate(loops) => (loops.gradients)(constants(), x, of_y, of_x),
            Operation::Copy | Operation::Append | Operation::Add => {
                of_x.iter_mut()
                    .zip(of_y)
                    .for_each(|(of_x, &of_y)| *of_x += of_y);
            }
        }
    }
}

fn weights_and_biases<T: Real>(gradient: &mut Parameters<T>, weight: usize) -> [&mut [T]; 2] {
    let (weights, biases) = gradient.tensors.split_at_mut(weight + 1);
    [&mut weights[weight], &mut biases[0]]
}

struct Norm<T> {
    weight: T,
    bias: T,
    mean: T,
    /// `1 / sqrt(variance + eps)`
    inverse: T,
}

impl<T: Real> Norm<T> {
    fn of(parameters: &Parameters<T>, first: usize, eps: f64, channel: usize) -> Self {
        let [weight, bias, mean, variance] =
            [0, 1, 2, 3].map(|tensor| parameters.tensors[first + tensor][channel]);
        Self {
            weight,
            bias,
            mean,
            inverse: T::of(1.0 / (variance.get() + eps).sqrt()),
        }
    }
}
