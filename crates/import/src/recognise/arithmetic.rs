//! Functions of two values: sums, products, constant factors, the side to move.

use super::lists;
use super::piece::{Affine, Function, Parts, Piece, channels, joined};
use super::walk::{Form, NOTHING, Operand, Walk};
use crate::graph::Node;
use crate::op::Binary;
use crate::tensor::Tensor;

pub(super) fn binary(walk: &mut Walk<'_>, node: &Node, function: Binary) -> Result<Form, String> {
    let (first, second) = (walk.operand(node, 0), walk.operand(node, 1));
    let (Some(first), Some(second)) = (first, second) else {
        return Err("an input is missing".into());
    };
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
            let more = tensor
                .as_number()
                .ok_or("the mean magnitude of the input has one factor")?;
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

/// The form of `1 - us`, `us - 0.5` or `us * x` for the side to move `us`; nothing for anything else.
fn of_turn(
    walk: &Walk<'_>,
    function: Binary,
    first: &Operand<'_>,
    second: &Operand<'_>,
) -> Option<Form> {
    let wide = |operand: &Operand<'_>| match operand {
        Operand::Form(Form::Parts(parts), [_, length]) if *length > 1 => Some(parts.clone()),
        _ => None,
    };
    let half = |operand: &Operand<'_>| matches!(operand, Operand::Constant(half) if half.as_number() == Some(0.5));
    match (
        function,
        lists::turn(walk, first),
        lists::turn(walk, second),
    ) {
        (Binary::Sub, Some(input), None) if half(second) => Some(Form::Side(input)),
        (Binary::Sub, None, Some(input)) if matches!(first, Operand::Constant(one) if one.as_number() == Some(1.0)) => {
            Some(Form::Turn {
                input,
                flipped: true,
            })
        }
        (Binary::Mul, Some(input), None) => wide(second).map(|parts| Form::Weighed {
            input,
            flipped: false,
            parts,
        }),
        (Binary::Mul, None, Some(input)) => wide(first).map(|parts| Form::Weighed {
            input,
            flipped: false,
            parts,
        }),
        _ => None,
    }
}

fn both(
    walk: &mut Walk<'_>,
    function: Binary,
    a: &Parts,
    b: &Parts,
    alike: bool,
) -> Result<Form, String> {
    if !alike {
        return Err(
            "it repeats one of its values to the shape of the other, which the language does not"
                .into(),
        );
    }
    Ok(Form::Parts(match function {
        Binary::Add => walk.build.sum(a, b),
        Binary::Sub => {
            let count = channels(b);
            let negative = walk.build.scale(b, &vec![-1.0; count], &vec![0.0; count]);
            walk.build.sum(a, &negative)
        }
        Binary::Mul => walk.build.product(a, b),
        Binary::Max => walk.build.larger(a, b),
        _ => {
            return Err(
                "of two values, the language has the sum, the product and the larger one".into(),
            );
        }
    }))
}

/// A function of a value and a constant; `turned`: the constant is the first operand.
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
    let vector = || {
        by_channels
            .clone()
            .ok_or_else(|| "its constant differs within a channel, or from row to row".to_owned())
    };
    let (zeros, ones) = (vec![0.0; count], vec![1.0; count]);
    let negative = |values: Vec<f32>| values.into_iter().map(|value| -value).collect::<Vec<f32>>();
    let limits = |low, high| Function::Clamp { low, high };
    Ok(Form::Parts(
        match (function, constant.as_number(), turned) {
            (Binary::Add, ..) => walk.build.scale(x, &ones, &vector()?),
            (Binary::Sub, _, false) => walk.build.scale(x, &ones, &negative(vector()?)),
            (Binary::Sub, _, true) => walk.build.scale(x, &negative(ones), &vector()?),
            (Binary::Mul, ..) => walk.build.scale(x, &vector()?, &zeros),
            (Binary::Div | Binary::TrueDiv, _, false) => {
                let divisors = vector()?;
                if divisors.contains(&0.0) {
                    return Err("it divides by 0".into());
                }
                walk.build.scale(
                    x,
                    &divisors
                        .into_iter()
                        .map(|value| 1.0 / value)
                        .collect::<Vec<f32>>(),
                    &zeros,
                )
            }
            (Binary::Max, Some(low), _) => walk.build.activate(x, limits(low, f32::INFINITY)),
            (Binary::Min, Some(high), _) => walk.build.activate(x, limits(f32::NEG_INFINITY, high)),
            (Binary::Pow, Some(2.0), false) => walk.build.activate(x, Function::Square),
            (Binary::Greater, Some(0.0), false) | (Binary::Less, Some(0.0), true) => {
                return Ok(Form::Positive(x.clone()));
            }
            (Binary::GreaterOrEqual | Binary::LessOrEqual, ..) => {
                return Err(
                    "0 has the sign -1 in the language: write `where(x > 0, 1, -1)`".into(),
                );
            }
            (Binary::Pow, ..) => return Err("of powers, the language has squares".into()),
            _ => return Err(NOTHING.into()),
        },
    ))
}

/// The constant by channel, if it is the same for all rows and within each channel.
fn by_channels(constant: &Tensor, shape: &[usize]) -> Option<Vec<f32>> {
    let channels = *shape.get(1)?;
    let values = constant.to_floats();
    if values.len() == 1 {
        return Some(vec![values[0]; channels]);
    }
    let from_end = shape.len() - 1;
    let axis = constant.shape().len().checked_sub(from_end)?;
    let fits = constant
        .shape()
        .iter()
        .enumerate()
        .all(|(at, &length)| length == if at == axis { channels } else { 1 });
    fits.then_some(values)
}

/// Sums of signs, times the mean magnitude of the operand of the signs.
fn input_scale(walk: &mut Walk<'_>, sums: &Parts, x: &Parts, factor: f32) -> Result<Form, String> {
    const WHY: &str = "only sums of signs are multiplied by the mean magnitude of what the signs are of, before their bias is added";
    let &[whole] = sums.as_slice() else {
        return Err(WHY.into());
    };
    let affine = walk.build.pieces.affine(whole).ok_or(WHY)?;
    let signs = |segment| {
        if let Piece::Sign { x } = walk.build.pieces.of(segment) {
            Some(*x)
        } else {
            None
        }
    };
    let of: Option<Parts> = affine.x.iter().map(|&segment| signs(segment)).collect();
    if affine.input_scale
        || affine.bias.iter().any(|bias| *bias != 0.0)
        || of.map(joined).as_ref() != Some(x)
    {
        return Err(WHY.into());
    }
    let mut affine = Affine {
        input_scale: true,
        ..affine.clone()
    };
    affine
        .weight
        .iter_mut()
        .for_each(|weight| *weight *= factor);
    let shape = walk.build.pieces.shape(whole);
    Ok(Form::Parts(walk.build.make(Piece::Affine(affine), shape)))
}
