//! Operations on planes: `[n, channels, rows, columns]`.

use crate::budget::Budget;
use crate::error::ImportError;
use crate::op::Windows;
use crate::tensor::{Element, Tensor};

use super::{Operands, floats, required, shape};

pub(super) fn convolution(
    x: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    windows: Windows,
    budget: &mut Budget,
) -> Result<Tensor, ImportError> {
    let (&[n, channels, height, width], &[outputs, inputs, rows, columns]) =
        (x.shape(), weight.shape())
    else {
        return Err(shape(format!(
            "a convolution of {:?} with weights {:?}",
            x.shape(),
            weight.shape()
        )));
    };
    let fit = windows
        .fit([height, width])
        .filter(|_| inputs == channels && windows.kernel == [rows, columns]);
    let bias = bias.map(floats).transpose()?;
    let (Some([high, wide]), true) = (fit, bias.is_none_or(|bias| bias.len() == outputs)) else {
        return Err(shape(format!(
            "a convolution of {:?} with weights {:?}",
            x.shape(),
            weight.shape()
        )));
    };
    let lengths = [n, outputs, high, wide];
    let count = budget.fits(&lengths, Element::F32)?;
    budget.work(count.saturating_mul(inputs * rows * columns))?;
    let (values, weight) = (floats(x)?, floats(weight)?);
    let sum = |at: [usize; 4]| {
        let [image, output, row, column] = at;
        let mut sum = bias.map_or(0.0, |bias| f64::from(bias[output]));
        for channel in 0..channels {
            for (i, j, place) in inside(windows, [row, column], [height, width]) {
                let x = values[(image * channels + channel) * height * width + place];
                sum += f64::from(x)
                    * f64::from(weight[((output * inputs + channel) * rows + i) * columns + j]);
            }
        }
        sum as f32
    };
    Tensor::floats(&lengths, each(lengths).map(sum).collect())
}

/// The maximum or the mean of each window.
pub(super) fn pool(
    x: &Tensor,
    windows: Windows,
    greatest: bool,
    budget: &mut Budget,
) -> Result<Tensor, ImportError> {
    let &[n, channels, height, width] = x.shape() else {
        return Err(shape(format!("a pool of {:?}", x.shape())));
    };
    let Some([high, wide]) = windows.fit([height, width]) else {
        return Err(shape(format!(
            "windows of {:?} in {height}x{width}",
            windows.kernel
        )));
    };
    let lengths = [n, channels, high, wide];
    let size = windows.kernel[0].saturating_mul(windows.kernel[1]);
    let count = budget.fits(&lengths, Element::F32)?;
    budget.work(count.saturating_mul(size))?;
    let values = floats(x)?;
    let result = |[image, channel, row, column]: [usize; 4]| {
        let plane = &values[(image * channels + channel) * height * width..][..height * width];
        let places =
            inside(windows, [row, column], [height, width]).map(|(_, _, place)| plane[place]);
        if greatest {
            return places.fold(f32::NEG_INFINITY, f32::max);
        }
        (places.map(f64::from).sum::<f64>() / size as f64) as f32
    };
    Tensor::floats(&lengths, each(lengths).map(result).collect())
}

/// All indices of a shape, the last axis fastest.
fn each(lengths: [usize; 4]) -> impl Iterator<Item = [usize; 4]> {
    let [_, b, c, d] = lengths;
    (0..lengths.iter().product())
        .map(move |at: usize| [at / (b * c * d), at / (c * d) % b, at / d % c, at % d])
}

/// The positions of a window that are not padding: row and column in the window, index in the plane.
fn inside(
    windows: Windows,
    at: [usize; 2],
    size: [usize; 2],
) -> impl Iterator<Item = (usize, usize, usize)> {
    let Windows {
        kernel,
        stride,
        padding,
    } = windows;
    let offsets = (0..kernel[0]).flat_map(move |i| (0..kernel[1]).map(move |j| [i, j]));
    offsets.filter_map(move |[i, j]| {
        let row = (at[0] * stride[0] + i)
            .checked_sub(padding[0])
            .filter(|&row| row < size[0])?;
        let column = (at[1] * stride[1] + j)
            .checked_sub(padding[1])
            .filter(|&column| column < size[1])?;
        Some((i, j, row * size[1] + column))
    })
}

pub(super) fn batch_norm(
    x: &Tensor,
    operands: &Operands<'_>,
    eps: f64,
) -> Result<Tensor, ImportError> {
    let [_, channels, rest @ ..] = x.shape() else {
        return Err(shape(format!("a batch norm of {:?}", x.shape())));
    };
    let (channels, size) = (*channels, rest.iter().product::<usize>());
    let mut tensors = Vec::new();
    for index in 1..=4 {
        let tensor = floats(required(operands, index)?)?;
        if tensor.len() != channels {
            return Err(shape(format!(
                "a batch norm of {channels} channels with {} numbers",
                tensor.len()
            )));
        }
        tensors.push(tensor);
    }
    let result = |(at, &x): (usize, &f32)| {
        let channel = at / size % channels;
        let [weight, bias, mean, variance] =
            [0, 1, 2, 3].map(|index: usize| f64::from(tensors[index][channel]));
        ((f64::from(x) - mean) / (variance + eps).sqrt() * weight + bias) as f32
    };
    Tensor::floats(
        x.shape(),
        floats(x)?.iter().enumerate().map(result).collect(),
    )
}
