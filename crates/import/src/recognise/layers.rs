//! Layers, convolutions, pools and means.

use super::piece::{Affine, Function, Parts, Piece, Segment, joined};
use super::walk::{Form, NOTHING, Operand, Walk};
use crate::graph::Node;
use crate::op::{Op, Windows};

pub(super) fn layer(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    let weight = walk
        .constant(node, 1)
        .ok_or("it multiplies two values that are computed")?;
    let (&[_, inputs], &[_, outputs]) = (walk.shape(node, 0), walk.result(node)) else {
        return Err("a layer reads a list of numbers: flatten planes first".into());
    };
    let values = weight.to_floats();
    let weight: Vec<f32> = match node.op {
        Op::Linear => values,
        _ => (0..outputs * inputs)
            .map(|at| values[at % inputs * outputs + at / inputs])
            .collect(),
    };
    let bias = match walk.operand(node, 2) {
        None => vec![0.0; outputs],
        Some(Operand::Constant(bias)) if bias.len() == 1 => vec![bias.to_floats()[0]; outputs],
        Some(Operand::Constant(bias)) => bias.to_floats(),
        Some(Operand::Form(..)) => return Err("its bias is computed".into()),
    };
    let affine = Affine {
        x,
        windows: None,
        weight,
        bias,
        input_scale: false,
    };
    Ok(Form::Parts(walk.build.affine(affine, vec![outputs])))
}

pub(super) fn convolution(
    walk: &mut Walk<'_>,
    node: &Node,
    windows: Windows,
) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    let weight = walk
        .constant(node, 1)
        .ok_or("its weights are computed")?
        .to_floats();
    let shape = walk.result(node)[1..].to_vec();
    let bias = match walk.operand(node, 2) {
        None => vec![0.0; shape[0]],
        Some(Operand::Constant(bias)) => bias.to_floats(),
        Some(Operand::Form(..)) => return Err("its bias is computed".into()),
    };
    square(windows)?;
    let (windows, weight) = grown(windows, weight);
    let affine = Affine {
        x,
        windows: Some(windows),
        weight,
        bias,
        input_scale: false,
    };
    Ok(Form::Parts(walk.build.affine(affine, shape)))
}

/// Square windows of which each sees the input, as in the language: where the padding is as wide as the kernel, zeros
/// around the kernel, and as many rows and columns more of padding.
///
/// ```text
///   kernel 1, padding 1:  w      =  kernel 3, padding 2:  0 0 0
///                                                         0 w 0
///                                                         0 0 0
/// ```
fn grown(windows: Windows, weight: Vec<f32>) -> (Windows, Vec<f32>) {
    let ([kernel, _], [padding, _]) = (windows.kernel, windows.padding);
    if padding < kernel {
        return (windows, weight);
    }
    let around = padding - kernel + 1;
    let wide = kernel + 2 * around;
    let mut grown = Vec::new();
    for plane in weight.chunks_exact(kernel * kernel) {
        let start = grown.len();
        grown.resize(start + wide * wide, 0.0);
        for (row, values) in plane.chunks_exact(kernel).enumerate() {
            let at = start + (row + around) * wide + around;
            grown[at..at + kernel].copy_from_slice(values);
        }
    }
    let windows = Windows {
        kernel: [wide; 2],
        padding: [padding + around; 2],
        ..windows
    };
    (windows, grown)
}

/// Checks that size, stride and padding are the same in both directions, as in the language.
fn square(windows: Windows) -> Result<(), String> {
    let Windows {
        kernel,
        stride,
        padding,
    } = windows;
    let is_square = [kernel, stride, padding]
        .iter()
        .all(|[rows, columns]| rows == columns);
    is_square.then_some(()).ok_or_else(|| {
        "windows of the language are square, and move alike along rows and columns".into()
    })
}

pub(super) fn pool(
    walk: &mut Walk<'_>,
    node: &Node,
    windows: Windows,
    greatest: bool,
) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    square(windows)?;
    if windows.padding != [0, 0] {
        return Err("pools of the language have no padding".into());
    }
    let shape = walk.result(node)[1..].to_vec();
    pooled(walk, &x, windows, greatest, &shape)
}

fn pooled(
    walk: &mut Walk<'_>,
    x: &Parts,
    windows: Windows,
    greatest: bool,
    shape: &[usize],
) -> Result<Form, String> {
    let mut result = Parts::new();
    for &segment in x {
        let shape = [&[segment.len], &shape[1..]].concat();
        result.extend(walk.build.make(
            Piece::Pool {
                x: segment,
                greatest,
                windows,
            },
            shape,
        ));
    }
    Ok(Form::Parts(result))
}

pub(super) fn mean(walk: &mut Walk<'_>, node: &Node, keep: bool) -> Result<Form, String> {
    let (shape, result) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    let form = match walk.operand(node, 0) {
        Some(Operand::Form(form, _)) => form.clone(),
        _ => return Err(NOTHING.into()),
    };
    if let Form::Parts(parts) = &form
        && let Some(x) = magnitudes(walk, parts)
    {
        return match keep && result[0] == shape[0] && result[1..].iter().all(|&length| length == 1) {
            true => Ok(Form::MeanMagnitude(x, 1.0)),
            false => Err(
                "the mean magnitude is that of all numbers of a row, and keeps their axes: `mean(dim, keepdim=True)`"
                    .into(),
            ),
        };
    }
    match form {
        Form::Parts(x)
            if shape.len() == 4
                && result[..2] == shape[..2]
                && shape[2] == shape[3]
                && result.iter().product::<usize>() == shape[0] * shape[1] =>
        {
            let windows = Windows { kernel: [shape[2]; 2], stride: [shape[2]; 2], padding: [0, 0] };
            let pooled = pooled(walk, &x, windows, false, &[shape[1], 1, 1])?;
            match (pooled, keep) {
                (Form::Parts(parts), false) => Ok(Form::Parts(flattened(walk, &parts))),
                (pooled, _) => Ok(pooled),
            }
        }
        Form::Parts(x) if shape.len() == 2 && keep && result[1] == 1 => match x.as_slice() {
            &[x] => Ok(Form::Parts(walk.build.make(Piece::Mean { x }, vec![1]))),
            _ => Err("a mean of the language is that of one value".into()),
        },
        _ => Err(
            "means of the language are those of square planes (`avg_pool2d`), and of a list: `mean(1, keepdim=True)`"
                .into(),
        ),
    }
}

/// The operand of magnitudes.
fn magnitudes(walk: &Walk<'_>, parts: &Parts) -> Option<Parts> {
    let of = |&segment: &Segment| match *walk.build.pieces.of(segment) {
        Piece::Activate {
            x,
            function: Function::Magnitude,
        } => Some(Segment {
            piece: x.piece,
            start: x.start + segment.start,
            len: segment.len,
        }),
        _ => None,
    };
    parts.iter().map(of).collect::<Option<Parts>>().map(joined)
}

/// Planes as vectors.
pub(super) fn flattened(walk: &mut Walk<'_>, parts: &Parts) -> Parts {
    let mut result = Parts::new();
    for &segment in parts {
        let shape = walk.build.pieces.shape(segment);
        match shape.len() {
            1 => result.push(segment),
            _ => result.extend(
                walk.build
                    .make(Piece::Flatten { x: segment }, vec![shape.iter().product()]),
            ),
        }
    }
    result
}
