//! The form of what each operation makes.

use super::lists;
use super::piece::{Affine, Function, Parts, Piece, channels, joined, part};
use super::walk::{Form, Operand, Walk};
use crate::graph::Node;
use crate::op::{Binary, Op, Reduction, Unary, Windows};
use crate::tensor::Tensor;

/// What is said where nothing better is known.
const NOTHING: &str = "the language has nothing like it";

/// The forms of what a node makes, or why it has none.
pub(super) fn forms(walk: &mut Walk<'_>, node: &Node) -> Result<Vec<Form>, String> {
    if let Op::Split { axis, .. } = &node.op {
        return split(walk, node, *axis);
    }
    if let Some(form) = lists::form(walk, node) {
        return form.map(|form| vec![form]);
    }
    let form = match &node.op {
        Op::Unary(function) => unary(walk, node, *function)?,
        Op::Binary(function) => binary(walk, node, *function)?,
        Op::Clip => {
            let limit = |index: usize, default: f32| match walk.operand(node, index) {
                None => Some(default),
                Some(Operand::Constant(tensor)) => tensor.as_number(),
                Some(Operand::Form(..)) => None,
            };
            let (low, high) = (limit(1, f32::NEG_INFINITY), limit(2, f32::INFINITY));
            clamp(walk, node, low.zip(high).ok_or("its limits are no two numbers")?)?
        }
        Op::Where => {
            let numbers = [1, 2].map(|index| walk.constant(node, index).and_then(Tensor::as_number));
            match (walk.operand(node, 0), numbers) {
                (Some(Operand::Form(Form::Positive(x), _)), [Some(1.0), Some(-1.0)]) => {
                    let x = x.clone();
                    Form::Parts(walk.build.sign(&x))
                }
                _ => return Err("the language chooses by signs alone: `where(x > 0, 1, -1)`".into()),
            }
        }
        Op::MatMul | Op::Linear => layer(walk, node)?,
        Op::Conv2d(windows) => convolution(walk, node, *windows)?,
        Op::BatchNorm { eps } => {
            let x = numbers(walk, node)?;
            let tensors = [1, 2, 3, 4].map(|index| walk.constant(node, index).map(Tensor::to_floats));
            let [Some(weight), Some(bias), Some(mean), Some(variance)] = tensors else {
                return Err("its means and weights are computed".into());
            };
            Form::Parts(walk.build.norm(&x, &[weight, bias, mean, variance], *eps))
        }
        Op::MaxPool2d(windows) => pool(walk, node, *windows, true)?,
        Op::AvgPool2d(windows) => pool(walk, node, *windows, false)?,
        Op::Reduce { kind: Reduction::Mean, keep, .. } => mean(walk, node, *keep)?,
        Op::Reshape { .. } | Op::Flatten { .. } | Op::Squeeze(_) | Op::Unsqueeze(_) => reshape(walk, node)?,
        Op::Concat { axis } => concat(walk, node, *axis)?,
        Op::Slice => slice(walk, node)?,
        Op::Cast(_) => match walk.operand(node, 0) {
            Some(Operand::Form(form @ Form::Parts(_), _)) => form.clone(),
            _ => return Err("it makes numbers of what is none; signs are `where(x > 0, 1, -1)`".into()),
        },
        Op::Softmax { axis: 1 | -1 } if walk.shape(node, 0).len() == 2 => Form::Softmax(numbers(walk, node)?),
        Op::Softmax { .. } => {
            return Err(
                "the outputs of the language are the numbers before the softmax: leave it out of the export".into()
            );
        }
        Op::Transpose(_) => return Err("the language keeps channels, rows and columns in their order".into()),
        Op::Gather { .. } | Op::GatherElements { .. } | Op::GatherNd | Op::EmbeddingBag { .. } => {
            return Err("a network over a dense input takes no numbers by indices".into());
        }
        _ => return Err(NOTHING.into()),
    };
    Ok(vec![form])
}

/// The numbers that a node reads first.
fn numbers(walk: &Walk<'_>, node: &Node) -> Result<Parts, String> {
    walk.parts(node, 0).ok_or_else(|| "it reads something else than numbers of the network".into())
}

fn unary(walk: &mut Walk<'_>, node: &Node, function: Unary) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    let named = |name| Function::Named(name);
    let function = match function {
        Unary::Relu => Function::Clamp { low: 0.0, high: f32::INFINITY },
        Unary::Relu6 => Function::Clamp { low: 0.0, high: 6.0 },
        Unary::LeakyRelu(0.01) => named("leaky_relu"),
        Unary::LeakyRelu(slope) => return Err(format!("`leaky_relu` has the slope 0.01, not {slope}")),
        Unary::Sigmoid => named("sigmoid"),
        Unary::Tanh => named("tanh"),
        Unary::Silu => named("silu"),
        Unary::HardSwish => named("hard_swish"),
        Unary::HardSigmoid { slope, shift } => {
            let count = channels(&x);
            let scaled = walk.build.scale(&x, &vec![slope; count], &vec![shift; count]);
            return Ok(Form::Parts(walk.build.activate(&scaled, Function::Clamp { low: 0.0, high: 1.0 })));
        }
        Unary::Abs => return Ok(Form::Magnitude(x)),
        Unary::Neg => {
            let count = channels(&x);
            return Ok(Form::Parts(walk.build.scale(&x, &vec![-1.0; count], &vec![0.0; count])));
        }
        Unary::Sign => {
            return Err(
                "`sign(0)` is 0 there, and signs of the language are 1 or -1: write `where(x > 0, 1, -1)`".into()
            );
        }
        _ => return Err("the language has no such activation".into()),
    };
    Ok(Form::Parts(walk.build.activate(&x, function)))
}

fn clamp(walk: &mut Walk<'_>, node: &Node, (low, high): (f32, f32)) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    match low <= high {
        true => Ok(Form::Parts(walk.build.activate(&x, Function::Clamp { low, high }))),
        false => Err(format!("it clips to {low} and above, and to {high} and below")),
    }
}

fn binary(walk: &mut Walk<'_>, node: &Node, function: Binary) -> Result<Form, String> {
    let (first, second) = (walk.operand(node, 0), walk.operand(node, 1));
    let (Some(first), Some(second)) = (first, second) else { return Err("an input is missing".into()) };
    if let Some(form) = of_turn(walk, function, &first, &second) {
        return Ok(form);
    }
    match (first, second) {
        (Operand::Form(Form::Parts(a), one), Operand::Form(Form::Parts(b), other)) => {
            let (a, b, alike) = (a.clone(), b.clone(), one == other);
            both(walk, function, &a, &b, alike)
        }
        (Operand::Form(Form::Parts(x), shape), Operand::Constant(tensor)) => {
            let (x, tensor, shape) = (x.clone(), tensor.clone(), shape.to_vec());
            with_constant(walk, function, &x, &tensor, &shape, false)
        }
        (Operand::Constant(tensor), Operand::Form(Form::Parts(x), shape)) => {
            let (x, tensor, shape) = (x.clone(), tensor.clone(), shape.to_vec());
            with_constant(walk, function, &x, &tensor, &shape, true)
        }
        (Operand::Form(Form::MeanMagnitude(x, factor), _), Operand::Constant(tensor))
        | (Operand::Constant(tensor), Operand::Form(Form::MeanMagnitude(x, factor), _))
            if function == Binary::Mul =>
        {
            let more = tensor.as_number().ok_or("the mean magnitude of the input has one factor")?;
            Ok(Form::MeanMagnitude(x.clone(), factor * more))
        }
        (Operand::Form(Form::Parts(sums), _), Operand::Form(Form::MeanMagnitude(x, factor), _))
        | (Operand::Form(Form::MeanMagnitude(x, factor), _), Operand::Form(Form::Parts(sums), _))
            if function == Binary::Mul =>
        {
            let (sums, x, factor) = (sums.clone(), x.clone(), *factor);
            input_scale(walk, &sums, &x, factor)
        }
        _ => Err(NOTHING.into()),
    }
}

/// What is made of a number that says who moves: 1 minus it, or another value where it is 1.
fn of_turn(walk: &Walk<'_>, function: Binary, first: &Operand<'_>, second: &Operand<'_>) -> Option<Form> {
    let wide = |operand: &Operand<'_>| match operand {
        Operand::Form(Form::Parts(parts), [_, length]) if *length > 1 => Some(parts.clone()),
        _ => None,
    };
    match (function, lists::turn(walk, first), lists::turn(walk, second)) {
        (Binary::Sub, None, Some(input)) if matches!(first, Operand::Constant(one) if one.as_number() == Some(1.0)) => {
            Some(Form::Turn { input, flipped: true })
        }
        (Binary::Mul, Some(input), None) => wide(second).map(|parts| Form::Weighed { input, flipped: false, parts }),
        (Binary::Mul, None, Some(input)) => wide(first).map(|parts| Form::Weighed { input, flipped: false, parts }),
        _ => None,
    }
}

/// A function of two values of the network.
fn both(walk: &mut Walk<'_>, function: Binary, a: &Parts, b: &Parts, alike: bool) -> Result<Form, String> {
    if !alike {
        return Err("it repeats one of its values to the shape of the other, which the language does not".into());
    }
    Ok(Form::Parts(match function {
        Binary::Add => walk.build.sum(a, b),
        Binary::Sub => {
            let count = channels(b);
            let negative = walk.build.scale(b, &vec![-1.0; count], &vec![0.0; count]);
            walk.build.sum(a, &negative)
        }
        Binary::Mul => walk.build.product(a, b),
        _ => return Err("the language adds and multiplies values, and does nothing else with two of them".into()),
    }))
}

/// A function of a value and a constant; `turned`: the constant comes first.
fn with_constant(
    walk: &mut Walk<'_>,
    function: Binary,
    x: &Parts,
    constant: &Tensor,
    shape: &[usize],
    turned: bool,
) -> Result<Form, String> {
    let count = channels(x);
    let by_channels = by_channels(constant, shape);
    let vector =
        || by_channels.clone().ok_or_else(|| "its constant differs within a channel, or from row to row".to_owned());
    let (zeros, ones) = (vec![0.0; count], vec![1.0; count]);
    let negative = |values: Vec<f32>| values.into_iter().map(|value| -value).collect::<Vec<f32>>();
    let limits = |low, high| Function::Clamp { low, high };
    Ok(Form::Parts(match (function, constant.as_number(), turned) {
        (Binary::Add, ..) => walk.build.scale(x, &ones, &vector()?),
        (Binary::Sub, _, false) => walk.build.scale(x, &ones, &negative(vector()?)),
        (Binary::Sub, _, true) => walk.build.scale(x, &negative(ones), &vector()?),
        (Binary::Mul, ..) => walk.build.scale(x, &vector()?, &zeros),
        (Binary::Div | Binary::TrueDiv, _, false) => {
            let divisors = vector()?;
            if divisors.contains(&0.0) {
                return Err("it divides by 0".into());
            }
            walk.build.scale(x, &divisors.into_iter().map(|value| 1.0 / value).collect::<Vec<f32>>(), &zeros)
        }
        (Binary::Max, Some(low), _) => walk.build.activate(x, limits(low, f32::INFINITY)),
        (Binary::Min, Some(high), _) => walk.build.activate(x, limits(f32::NEG_INFINITY, high)),
        (Binary::Pow, Some(2.0), false) => walk.build.activate(x, Function::Square),
        (Binary::Greater, Some(0.0), false) | (Binary::Less, Some(0.0), true) => return Ok(Form::Positive(x.clone())),
        (Binary::GreaterOrEqual | Binary::LessOrEqual, ..) => {
            return Err("0 has the sign -1 in the language: write `where(x > 0, 1, -1)`".into());
        }
        (Binary::Pow, ..) => return Err("of powers, the language has squares".into()),
        _ => return Err(NOTHING.into()),
    }))
}

/// The numbers of a constant by channels, if it is the same in all rows and in the whole of each channel.
fn by_channels(constant: &Tensor, shape: &[usize]) -> Option<Vec<f32>> {
    let channels = *shape.get(1)?;
    let values = constant.to_floats();
    if values.len() == 1 {
        return Some(vec![values[0]; channels]);
    }
    let from_end = shape.len() - 1;
    let axis = constant.shape().len().checked_sub(from_end)?;
    let fits = constant.shape().iter().enumerate().all(|(at, &length)| length == if at == axis { channels } else { 1 });
    fits.then_some(values)
}

/// Sums of signs, times the mean magnitude of what the signs are of.
fn input_scale(walk: &mut Walk<'_>, sums: &Parts, x: &Parts, factor: f32) -> Result<Form, String> {
    const WHY: &str =
        "only sums of signs are multiplied by the mean magnitude of what the signs are of, before their bias is added";
    let &[whole] = sums.as_slice() else { return Err(WHY.into()) };
    let affine = walk.build.pieces.affine(whole).ok_or(WHY)?;
    let signs = |segment| if let Piece::Sign { x } = walk.build.pieces.of(segment) { Some(*x) } else { None };
    let of: Option<Parts> = affine.x.iter().map(|&segment| signs(segment)).collect();
    if affine.input_scale || affine.bias.iter().any(|bias| *bias != 0.0) || of.map(joined).as_ref() != Some(x) {
        return Err(WHY.into());
    }
    let mut affine = Affine { input_scale: true, ..affine.clone() };
    affine.weight.iter_mut().for_each(|weight| *weight *= factor);
    let shape = walk.build.pieces.shape(whole);
    Ok(Form::Parts(walk.build.make(Piece::Affine(affine), shape)))
}

/// A layer: a value times a constant.
fn layer(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    let weight = walk.constant(node, 1).ok_or("it multiplies two values that are computed")?;
    let (&[_, inputs], &[_, outputs]) = (walk.shape(node, 0), walk.result(node)) else {
        return Err("a layer reads a list of numbers: flatten planes first".into());
    };
    let values = weight.to_floats();
    let weight: Vec<f32> = match node.op {
        Op::Linear => values,
        _ => (0..outputs * inputs).map(|at| values[at % inputs * outputs + at / inputs]).collect(),
    };
    let bias = match walk.operand(node, 2) {
        None => vec![0.0; outputs],
        Some(Operand::Constant(bias)) if bias.len() == 1 => vec![bias.to_floats()[0]; outputs],
        Some(Operand::Constant(bias)) => bias.to_floats(),
        Some(Operand::Form(..)) => return Err("its bias is computed".into()),
    };
    let affine = Affine { x, windows: None, weight, bias, input_scale: false };
    Ok(Form::Parts(walk.build.affine(affine, vec![outputs])))
}

fn convolution(walk: &mut Walk<'_>, node: &Node, windows: Windows) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    let weight = walk.constant(node, 1).ok_or("its weights are computed")?.to_floats();
    let shape = walk.result(node)[1..].to_vec();
    let bias = match walk.operand(node, 2) {
        None => vec![0.0; shape[0]],
        Some(Operand::Constant(bias)) => bias.to_floats(),
        Some(Operand::Form(..)) => return Err("its bias is computed".into()),
    };
    square(windows)?;
    let affine = Affine { x, windows: Some(windows), weight, bias, input_scale: false };
    Ok(Form::Parts(walk.build.affine(affine, shape)))
}

/// Windows of the language have one size, one stride and one padding.
fn square(windows: Windows) -> Result<(), String> {
    let Windows { kernel, stride, padding } = windows;
    let is_square = [kernel, stride, padding].iter().all(|[rows, columns]| rows == columns);
    is_square
        .then_some(())
        .ok_or_else(|| "windows of the language are square, and move alike along rows and columns".into())
}

fn pool(walk: &mut Walk<'_>, node: &Node, windows: Windows, greatest: bool) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    square(windows)?;
    if windows.padding != [0, 0] {
        return Err("pools of the language have no padding".into());
    }
    let shape = walk.result(node)[1..].to_vec();
    pooled(walk, &x, windows, greatest, &shape)
}

fn pooled(walk: &mut Walk<'_>, x: &Parts, windows: Windows, greatest: bool, shape: &[usize]) -> Result<Form, String> {
    let mut result = Parts::new();
    for &segment in x {
        let shape = [&[segment.len], &shape[1..]].concat();
        result.extend(walk.build.make(Piece::Pool { x: segment, greatest, windows }, shape));
    }
    Ok(Form::Parts(result))
}

/// The mean of planes, or of the magnitudes of a row.
fn mean(walk: &mut Walk<'_>, node: &Node, keep: bool) -> Result<Form, String> {
    let (shape, result) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    let form = match walk.operand(node, 0) {
        Some(Operand::Form(form, _)) => form.clone(),
        _ => return Err(NOTHING.into()),
    };
    match form {
        Form::Magnitude(x) if keep && result[0] == shape[0] && result[1..].iter().all(|&length| length == 1) => {
            Ok(Form::MeanMagnitude(x, 1.0))
        }
        Form::Magnitude(_) => {
            Err("the mean magnitude is that of all numbers of a row, and keeps their axes: `mean(dim, keepdim=True)`"
                .into())
        }
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
        _ => Err("means of the language are those of square planes (`avg_pool2d`)".into()),
    }
}

/// Planes as lists.
fn flattened(walk: &mut Walk<'_>, parts: &Parts) -> Parts {
    let mut result = Parts::new();
    for &segment in parts {
        let shape = walk.build.pieces.shape(segment);
        match shape.len() {
            1 => result.push(segment),
            _ => result.extend(walk.build.make(Piece::Flatten { x: segment }, vec![shape.iter().product()])),
        }
    }
    result
}

/// The same numbers in another shape: planes as a list, or a list as the planes that it is from the beginning.
fn reshape(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    let (from, to) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    match (from.as_slice(), to.as_slice()) {
        ([rows, ..], [same, _]) if rows == same && from.len() == 4 => Ok(Form::Parts(flattened(walk, &x))),
        ([rows, all], [same, stacks, len]) if rows == same && *all == stacks * len => Ok(Form::Stacked(x, *stacks)),
        ([rows, _], [same, planes @ ..]) if rows == same && planes.len() == 3 => match x.as_slice() {
            &[segment] if walk.build.pieces.is_whole(segment) => match walk.build.pieces.of(segment) {
                &Piece::Input(input) => Ok(Form::Parts(walk.build.make(Piece::Input(input), planes.to_vec()))),
                _ => Err("lists of the language do not become planes again".into()),
            },
            _ => Err("lists of the language do not become planes again".into()),
        },
        _ => Err(format!("values are rows of lists or of planes, and this makes {to:?} of {from:?}")),
    }
}

fn concat(walk: &mut Walk<'_>, node: &Node, axis: i64) -> Result<Form, String> {
    let rank = walk.result(node).len() as i64;
    if axis != 1 && axis != 1 - rank {
        return Err("values of the language stand one after the other by their channels, axis 1".into());
    }
    let parts = (0..node.inputs.len()).map(|index| walk.parts(node, index)).collect::<Option<Vec<_>>>();
    Ok(Form::Parts(joined(parts.ok_or("it reads something else than numbers of the network")?.concat())))
}

fn slice(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = numbers(walk, node)?;
    let (from, to) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    let list = |index: usize| walk.constant(node, index).and_then(Tensor::as_integers).map(<[i64]>::to_vec);
    let (Some(starts), rank) = (list(1), from.len() as i64) else { return Err("its limits are computed".into()) };
    let axes = list(3).unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = list(4).unwrap_or_else(|| vec![1; starts.len()]);
    let mut first = 0;
    for ((start, axis), step) in starts.into_iter().zip(axes).zip(steps) {
        let axis = if axis < 0 { axis + rank } else { axis };
        let is_all = from.get(axis as usize) == to.get(axis as usize) && step == 1;
        if axis == 1 && step == 1 {
            let length = from[1] as i64;
            first = (if start < 0 { start.saturating_add(length) } else { start }).clamp(0, length) as usize;
        } else if !is_all {
            return Err("parts of the language are neighbouring channels".into());
        }
    }
    Ok(Form::Parts(part(&x, first, to[1])))
}

fn split(walk: &mut Walk<'_>, node: &Node, axis: i64) -> Result<Vec<Form>, String> {
    let x = numbers(walk, node)?;
    let rank = walk.shape(node, 0).len() as i64;
    if axis != 1 && axis != 1 - rank {
        return Err("parts of the language are neighbouring channels, axis 1".into());
    }
    let mut start = 0;
    let part = |&id: &usize| {
        let len = walk.folded.shapes[id][1];
        start += len;
        Form::Parts(part(&x, start - len, len))
    };
    Ok(node.outputs.iter().map(part).collect())
}
