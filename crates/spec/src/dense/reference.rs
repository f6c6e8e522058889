//! The reference interpreter of networks over a dense input: plain loops in the order of operations of
//! [`dense`](super). It shares no code with the kernels.

use alloc::vec;
use alloc::vec::Vec;

use super::{Binary, DenseDesc, DenseNode, DenseOp, DenseRole, Shape, normalization};
use crate::op::sign;
use crate::reference::multiply_add;

/// The values of all nodes for `input`, channel by channel; the last is the output.
///
/// `tensors` are in the order of [`DenseDesc::tensors`]. Bits are 0.0 and 1.0.
///
/// # Panics
///
/// If the input or a tensor has a wrong length.
pub fn evaluate(net: &DenseDesc<'_>, tensors: &[Vec<f32>], input: &[f32]) -> Vec<Vec<f32>> {
    assert_eq!(input.len(), net.input().len(), "numbers of the input");
    let described = net.tensors();
    assert!(
        described
            .iter()
            .map(|tensor| tensor.len())
            .eq(tensors.iter().map(Vec::len)),
        "the tensors of the network"
    );
    let mut values = vec![input.to_vec()];
    for (index, node) in net.nodes.iter().enumerate().skip(1) {
        let tensor = |role: DenseRole| {
            let found = described
                .iter()
                .position(|tensor| tensor.node == index && tensor.role == role);
            tensors[found.expect("a layer has its tensors")].as_slice()
        };
        let of = Operand {
            shape: net.nodes[node.operand].shape,
            values: &values[node.operand],
        };
        values.push(result(node, &of, &values, &tensor, net.fused));
    }
    values
}

/// The operand of a node.
struct Operand<'a> {
    shape: Shape,
    values: &'a [f32],
}

impl Operand<'_> {
    /// A value of a plane; 0 outside of the plane.
    fn at(&self, channel: usize, row: Option<usize>, column: Option<usize>) -> f32 {
        let [height, width] = self.shape.size();
        match (row, column) {
            (Some(row), Some(column)) if row < height && column < width => {
                self.values[(channel * height + row) * width + column]
            }
            _ => 0.0,
        }
    }
}

fn result<'a>(
    node: &DenseNode,
    x: &Operand<'_>,
    values: &[Vec<f32>],
    tensor: &dyn Fn(DenseRole) -> &'a [f32],
    fused: bool,
) -> Vec<f32> {
    match node.op {
        DenseOp::Input | DenseOp::Bits => unreachable!("only the first node is the input"),
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary: Some(binary),
        } => binary_windows(
            node.shape,
            x,
            binary,
            [kernel, stride, padding],
            tensor,
            fused,
        ),
        DenseOp::Affine {
            binary: Some(binary),
        } => binary_windows(node.shape, x, binary, [1, 1, 0], tensor, fused),
        DenseOp::Conv2d {
            kernel,
            stride,
            padding,
            binary: None,
        } => {
            let [weight, bias] = [DenseRole::Weight, DenseRole::Bias].map(tensor);
            let channels = x.shape.channels();
            each(node.shape, |output, row, column| {
                let mut sum = bias[output];
                for (i, j) in window(kernel) {
                    let inside =
                        |at: usize, offset: usize| (at * stride + offset).checked_sub(padding);
                    for channel in 0..channels {
                        let weight =
                            weight[((output * channels + channel) * kernel + i) * kernel + j];
                        sum = multiply_add(
                            fused,
                            x.at(channel, inside(row, i), inside(column, j)),
                            weight,
                            sum,
                        );
                    }
                }
                sum
            })
        }
        DenseOp::MaxPool2d { kernel, stride } => each(node.shape, |channel, row, column| {
            let in_window =
                |(i, j)| x.at(channel, Some(row * stride + i), Some(column * stride + j));
            let greater = |greatest, value| if value > greatest { value } else { greatest };
            window(kernel)
                .map(in_window)
                .reduce(greater)
                .expect("a window is not empty")
        }),
        DenseOp::AvgPool2d { kernel, stride } => each(node.shape, |channel, row, column| {
            let in_window =
                |(i, j)| x.at(channel, Some(row * stride + i), Some(column * stride + j));
            let sum = window(kernel)
                .map(in_window)
                .reduce(|sum, value| sum + value);
            sum.expect("a window is not empty") / (kernel * kernel) as f32
        }),
        DenseOp::BatchNorm { eps } => {
            let roles = [
                DenseRole::Weight,
                DenseRole::Bias,
                DenseRole::Mean,
                DenseRole::Variance,
            ]
            .map(tensor);
            each(node.shape, |channel, row, column| {
                let (scale, shift) = normalization(roles.map(|values| values[channel]), eps);
                multiply_add(fused, x.at(channel, Some(row), Some(column)), scale, shift)
            })
        }
        DenseOp::Flatten | DenseOp::Reshape => x.values.to_vec(),
        DenseOp::Affine { binary: None } => {
            let [weight, bias] = [DenseRole::Weight, DenseRole::Bias].map(tensor);
            let row = |output: usize| &weight[output * x.values.len()..][..x.values.len()];
            let sum = |(output, &bias): (usize, &f32)| {
                let products = x.values.iter().zip(row(output));
                products.fold(bias, |sum, (&x, &weight)| {
                    multiply_add(fused, x, weight, sum)
                })
            };
            bias.iter().enumerate().map(sum).collect()
        }
        DenseOp::Activate(activation) => {
            let formula = activation
                .operation()
                .and_then(|operation| operation.floats);
            let formula = formula.expect("a checked network has activations of floats only");
            x.values
                .iter()
                .map(|&value| (formula.value)(value, value))
                .collect()
        }
        DenseOp::Add { other } => x
            .values
            .iter()
            .zip(&values[other])
            .map(|(a, b)| a + b)
            .collect(),
        DenseOp::Concat { other } => [x.values, &values[other]].concat(),
    }
}

/// A binary convolution, or a binary layer as a convolution with 1x1 windows.
fn binary_windows<'a>(
    shape: Shape,
    x: &Operand<'_>,
    binary: Binary,
    [kernel, stride, padding]: [usize; 3],
    tensor: &dyn Fn(DenseRole) -> &'a [f32],
    fused: bool,
) -> Vec<f32> {
    let [weight, bias] = [DenseRole::Weight, DenseRole::Bias].map(tensor);
    let mut scales = binary.scales(weight, shape.channels());
    if binary.input_scale {
        let magnitude = mean_magnitude(x);
        scales.iter_mut().for_each(|scale| *scale *= magnitude);
    }
    let channels = x.shape.channels();
    each(shape, |output, row, column| {
        let inside = |at: usize, offset: usize| (at * stride + offset).checked_sub(padding);
        let mut sum = 0;
        for (i, j) in window(kernel) {
            for channel in 0..channels {
                let weight = weight[((output * channels + channel) * kernel + i) * kernel + j];
                let signs = [x.at(channel, inside(row, i), inside(column, j)), weight].map(sign);
                sum += if signs[0] == signs[1] { 1 } else { -1 };
            }
        }
        multiply_add(fused, sum as f32, scales[output], bias[output])
    })
}

/// The mean of `|x|`, from sixteen sums.
fn mean_magnitude(x: &Operand<'_>) -> f32 {
    let mut sums = [0.0; 16];
    for pixel in 0..x.shape.pixels() {
        for channel in 0..x.shape.channels() {
            sums[channel % 16] += x.values[channel * x.shape.pixels() + pixel].abs();
        }
    }
    for half in [8, 4, 2, 1] {
        for at in 0..half {
            sums[at] += sums[at + half];
        }
    }
    sums[0] / x.values.len() as f32
}

/// `f` for every channel, row and column.
fn each(shape: Shape, f: impl Fn(usize, usize, usize) -> f32) -> Vec<f32> {
    let [_, width] = shape.size();
    (0..shape.len())
        .map(|at| f(at / shape.pixels(), at % shape.pixels() / width, at % width))
        .collect()
}

/// The rows and columns of a window, in order.
fn window(kernel: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..kernel * kernel).map(move |at| (at / kernel, at % kernel))
}
