//! The form of the result of each operation.

use super::arithmetic::binary;
use super::piece::{Function, channels};
use super::walk::{Form, NOTHING, Operand, Walk};
use super::{layers, lists, neighbours, quantmoid, shapes};
use crate::graph::Node;
use crate::op::{Op, Reduction, Unary};
use crate::tensor::Tensor;

/// The forms of the results of a node, or why it has none.
pub(super) fn forms(walk: &mut Walk<'_>, node: &Node) -> Result<Vec<Form>, String> {
    if let Op::Split { axis, .. } = &node.op {
        return shapes::split(walk, node, *axis);
    }
    if let Some(form) = lists::form(walk, node).or_else(|| neighbours::form(walk, node)) {
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
            clamp(
                walk,
                node,
                low.zip(high).ok_or("its limits are no two numbers")?,
            )?
        }
        Op::Quantize { steps, .. } => {
            let x = walk.numbers(node)?;
            Form::Rounded(walk.build.rounded(&x, *steps), *steps)
        }
        Op::Dequantize(steps) => match walk.operand(node, 0) {
            Some(Operand::Form(Form::Rounded(parts, same), _))
                if (same.scale, same.zero) == (steps.scale, steps.zero) =>
            {
                Form::Parts(parts.clone())
            }
            _ => {
                return Err(
                    "values become floats again with the scale and the zero with which they were rounded".into()
                );
            }
        },
        Op::Where => {
            let numbers =
                [1, 2].map(|index| walk.constant(node, index).and_then(Tensor::as_number));
            match (walk.operand(node, 0), numbers) {
                (Some(Operand::Form(Form::Positive(x), _)), [Some(1.0), Some(-1.0)]) => {
                    let x = x.clone();
                    Form::Parts(walk.build.sign(&x))
                }
                (Some(Operand::Form(Form::Positive(x), _)), [None, None])
                    if walk.build.features =>
                {
                    let x = x.clone();
                    Form::Parts(quantmoid::chosen(walk, node, &x)?)
                }
                _ => {
                    return Err("the language chooses by signs alone: `where(x > 0, 1, -1)`".into());
                }
            }
        }
        Op::MatMul | Op::Linear => layers::layer(walk, node)?,
        Op::Conv2d(windows) => layers::convolution(walk, node, *windows)?,
        Op::BatchNorm { eps } => {
            let x = walk.numbers(node)?;
            let tensors =
                [1, 2, 3, 4].map(|index| walk.constant(node, index).map(Tensor::to_floats));
            let [Some(weight), Some(bias), Some(mean), Some(variance)] = tensors else {
                return Err("its means and weights are computed".into());
            };
            Form::Parts(walk.build.norm(&x, &[weight, bias, mean, variance], *eps))
        }
        Op::MaxPool2d(windows) => layers::pool(walk, node, *windows, true)?,
        Op::AvgPool2d(windows) => layers::pool(walk, node, *windows, false)?,
        Op::Reduce {
            kind: Reduction::Mean,
            keep,
            ..
        } => layers::mean(walk, node, *keep)?,
        Op::Reshape { .. } | Op::Flatten { .. } | Op::Squeeze(_) | Op::Unsqueeze(_) => {
            shapes::reshape(walk, node)?
        }
        Op::Concat { axis } => shapes::concat(walk, node, *axis)?,
        Op::Slice => shapes::slice(walk, node)?,
        Op::Cast(_) => match walk.operand(node, 0) {
            Some(Operand::Form(form @ Form::Parts(_), _)) => form.clone(),
            _ => {
                return Err(
                    "it makes numbers of what is none; signs are `where(x > 0, 1, -1)`".into(),
                );
            }
        },
        Op::Softmax { axis: 1 | -1 } if walk.shape(node, 0).len() == 2 => {
            Form::Softmax(walk.numbers(node)?)
        }
        Op::Softmax { .. } => {
            return Err(
                "the outputs of the language are the numbers before the softmax: leave it out of the export".into()
            );
        }
        Op::Transpose(_) => {
            return Err("the language keeps channels, rows and columns in their order".into());
        }
        Op::Gather { .. } | Op::GatherElements { .. } | Op::GatherNd | Op::EmbeddingBag { .. } => {
            return Err("a network over a dense input takes no numbers by indices".into());
        }
        _ => return Err(NOTHING.into()),
    };
    Ok(vec![form])
}

fn unary(walk: &mut Walk<'_>, node: &Node, function: Unary) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    let named = |name| Function::Named(name);
    let function = match function {
        Unary::Relu => Function::Clamp {
            low: 0.0,
            high: f32::INFINITY,
        },
        Unary::Relu6 => Function::Clamp {
            low: 0.0,
            high: 6.0,
        },
        Unary::LeakyRelu(0.01) => named("leaky_relu"),
        Unary::LeakyRelu(slope) => {
            return Err(format!("`leaky_relu` has the slope 0.01, not {slope}"));
        }
        Unary::Sigmoid => named("sigmoid"),
        Unary::Tanh => named("tanh"),
        Unary::Silu => named("silu"),
        Unary::HardSwish => named("hard_swish"),
        Unary::HardSigmoid { slope, shift } => {
            let count = channels(&x);
            let scaled = walk
                .build
                .scale(&x, &vec![slope; count], &vec![shift; count]);
            return Ok(Form::Parts(walk.build.activate(
                &scaled,
                Function::Clamp {
                    low: 0.0,
                    high: 1.0,
                },
            )));
        }
        Unary::Abs => Function::Magnitude,
        Unary::Neg => {
            let count = channels(&x);
            return Ok(Form::Parts(walk.build.scale(
                &x,
                &vec![-1.0; count],
                &vec![0.0; count],
            )));
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
    let x = walk.numbers(node)?;
    match low <= high {
        true => Ok(Form::Parts(
            walk.build.activate(&x, Function::Clamp { low, high }),
        )),
        false => Err(format!(
            "it clips to {low} and above, and to {high} and below"
        )),
    }
}
