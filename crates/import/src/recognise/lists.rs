//! Lists of rows, and integers that choose among values.
//!
//! ```text
//!   w[max(list, 0)] * (list >= 0)  ─► sum over the list       is a layer that reads 1 for each row of the list and 0 for the others
//!   us * cat(a, b) + (1 - us) * cat(b, a)                     is a, b in turns: those of the side to move first
//!   (p - q) * (us - 0.5)                                      is half of their difference, from the side to move
//!   reshape(h, [n, 8, 16])[range, (count - 1) / 4]            is one of 8 stacks of 16 sums
//! ```

use std::sync::Arc;

use super::piece::{Affine, Parts, Piece, channels};
use super::walk::{Form, Operand, Walk};
use crate::graph::Node;
use crate::op::{Binary, Op, Reduction, Unary};
use crate::tensor::Tensor;

/// The form of a node that reads integers; nothing if it reads none.
pub(super) fn form(walk: &mut Walk<'_>, node: &Node) -> Option<Result<Form, String>> {
    let forms: Vec<Form> = node
        .inputs
        .iter()
        .flatten()
        .filter_map(|id| walk.forms.get(id).cloned())
        .collect();
    let is_count = |form: &Form| *form == Form::Count;
    match forms.as_slice() {
        [_, ..] if forms.iter().all(is_count) => Some(counted(&node.op)),
        [Form::Indices { input, .. }] => indices(walk, node, *input),
        [Form::Listed(input)] => match node.op {
            Op::Cast(_) | Op::Unsqueeze(_) | Op::Reshape { .. } => Some(Ok(Form::Listed(*input))),
            _ => None,
        },
        [
            Form::Looked {
                input,
                table,
                masked: false,
            },
            Form::Listed(other),
        ]
        | [
            Form::Listed(other),
            Form::Looked {
                input,
                table,
                masked: false,
            },
        ] if input == other && node.op == Op::Binary(Binary::Mul) => Some(Ok(Form::Looked {
            input: *input,
            table: Arc::clone(table),
            masked: true,
        })),
        [
            Form::Looked {
                input,
                table,
                masked,
            },
        ] if is_sum_of_list(&node.op, walk.constant(node, 1)) => {
            let (input, table, masked) = (*input, Arc::clone(table), *masked);
            Some(Ok(Form::Parts(rows(walk, input, &table, masked, None))))
        }
        [Form::Parts(x) | Form::Stacked(x, _), Form::Count] => {
            let (x, stacks) = (
                x.clone(),
                if let Form::Stacked(_, stacks) = forms[0] {
                    Some(stacks)
                } else {
                    None
                },
            );
            chosen(walk, node, &x, stacks)
        }
        [Form::Turn { input, flipped }, Form::Parts(x)]
        | [Form::Parts(x), Form::Turn { input, flipped }]
            if node.op == Op::Binary(Binary::Mul) =>
        {
            Some(Ok(Form::Weighed {
                input: *input,
                flipped: *flipped,
                parts: x.clone(),
            }))
        }
        [Form::Side(us), Form::Parts(x)] | [Form::Parts(x), Form::Side(us)]
            if node.op == Op::Binary(Binary::Mul) =>
        {
            let &[x] = x.as_slice() else {
                return Some(Err("one value follows who moves".into()));
            };
            let shape = walk.build.pieces.shape(x);
            Some(Ok(Form::Parts(
                walk.build.make(Piece::Sided { us: *us, x }, shape),
            )))
        }
        [
            Form::Weighed {
                input,
                flipped: false,
                parts: a,
            },
            Form::Weighed {
                input: other,
                flipped: true,
                parts: b,
            },
        ]
        | [
            Form::Weighed {
                input,
                flipped: true,
                parts: b,
            },
            Form::Weighed {
                input: other,
                flipped: false,
                parts: a,
            },
        ] if input == other && node.op == Op::Binary(Binary::Add) => {
            let (us, a, b) = (*input, a.clone(), b.clone());
            Some(Ok(Form::Parts(walk.build.turned(us, &a, &b))))
        }
        _ => None,
    }
}

/// A value computed from a stack selector is one too.
fn counted(op: &Op) -> Result<Form, String> {
    match op {
        Op::Binary(_)
        | Op::Unary(_)
        | Op::Cast(_)
        | Op::Clip
        | Op::Where
        | Op::Concat { .. }
        | Op::Gather { .. } => Ok(Form::Count),
        Op::Unsqueeze(_) | Op::Squeeze(_) | Op::Reshape { .. } | Op::Expand => Ok(Form::Count),
        _ => Err("a number that chooses stacks is computed by formulas and tables alone".into()),
    }
}

/// The form of a node that reads a list of rows.
fn indices(walk: &mut Walk<'_>, node: &Node, input: usize) -> Option<Result<Form, String>> {
    let number = |index: usize| walk.constant(node, index).and_then(Tensor::as_number);
    let lists = Form::Indices { input };
    match &node.op {
        Op::Clip if number(1) == Some(0.0) && node.inputs.get(2).copied().flatten().is_none() => {
            Some(Ok(lists))
        }
        Op::Unary(Unary::Relu)
        | Op::Cast(_)
        | Op::Unsqueeze(_)
        | Op::Reshape { .. }
        | Op::Flatten { .. } => Some(Ok(lists)),
        Op::Binary(Binary::Max) if number(0).or(number(1)) == Some(0.0) => Some(Ok(lists)),
        Op::Binary(Binary::GreaterOrEqual) if number(1) == Some(0.0) => {
            Some(Ok(Form::Listed(input)))
        }
        Op::Binary(Binary::Greater | Binary::NotEqual) if number(1) == Some(-1.0) => {
            Some(Ok(Form::Listed(input)))
        }
        Op::Gather { axis: 0 } | Op::GatherNd => {
            let table = walk
                .constant(node, 0)
                .filter(|table| table.shape().len() == 2)?
                .clone();
            Some(Ok(Form::Looked {
                input,
                table: Arc::new(table),
                masked: false,
            }))
        }
        Op::EmbeddingBag {
            mean: false,
            padding,
        } => {
            let table = walk.constant(node, 0)?.clone();
            if node.inputs.get(3).copied().flatten().is_some() || !are_rows(walk, node, input) {
                return Some(Err(
                    "each row of the input is a bag of its own, without weights".into(),
                ));
            }
            Some(Ok(Form::Parts(rows(walk, input, &table, false, *padding))))
        }
        _ => Some(Err(
            "lists of rows are looked up in a table of weights and summed, and nothing else".into(),
        )),
    }
}

/// Whether each bag is a row of the input.
fn are_rows(walk: &Walk<'_>, node: &Node, input: usize) -> bool {
    let id = walk.folded.graph.inputs[input];
    let &[_, length] = walk.folded.shapes[id].as_slice() else {
        return false;
    };
    let Some(starts) = walk.constant(node, 2) else {
        return node.inputs.get(2).copied().flatten().is_none();
    };
    let starts = starts.as_integers().unwrap_or_default();
    starts.len() == walk.folded.rows
        && starts
            .iter()
            .enumerate()
            .all(|(row, &start)| start == (row * length) as i64)
}

/// Whether an operation sums the entries of each list.
fn is_sum_of_list(op: &Op, given: Option<&Tensor>) -> bool {
    let Op::Reduce {
        kind: Reduction::Sum,
        axes,
        keep: false,
    } = op
    else {
        return false;
    };
    let axes = axes
        .as_deref()
        .or_else(|| given.and_then(Tensor::as_integers));
    matches!(axes, Some([1 | -2]))
}

/// The sum of the listed rows, as a layer over a multi-hot vector. `padding` is an index that adds nothing;
/// without it and without a mask that is the last row, if it is zeros.
fn rows(
    walk: &mut Walk<'_>,
    input: usize,
    table: &Tensor,
    masked: bool,
    padding: Option<i64>,
) -> Parts {
    let (count, width) = (table.shape()[0], table.shape()[1]);
    let values = table.to_floats();
    let is_nothing = |row: usize| {
        values[row * width..][..width]
            .iter()
            .all(|value| *value == 0.0)
    };
    let last = count.saturating_sub(1);
    let is_padded = !masked
        && count > 1
        && (padding == Some(last as i64) || padding.is_none() && is_nothing(last));
    walk.build.padding = if masked {
        Some(-1)
    } else {
        is_padded.then_some(last as i64)
    };
    let count = if is_padded { last } else { count };
    let x = walk.build.make(Piece::Input(input), vec![count]);
    let weight = (0..width)
        .flat_map(|neuron| (0..count).map(move |row| row * width + neuron))
        .map(|at| values[at])
        .collect();
    let affine = Affine {
        x,
        windows: None,
        weight,
        bias: vec![0.0; width],
        input_scale: false,
    };
    walk.build.affine(affine, vec![width])
}

/// One of several stacks of sums.
fn chosen(
    walk: &mut Walk<'_>,
    node: &Node,
    x: &Parts,
    stacks: Option<usize>,
) -> Option<Result<Form, String>> {
    let stacks = match (&node.op, stacks) {
        (Op::GatherNd, Some(stacks)) => stacks,
        (Op::GatherElements { axis: 1 | -1 }, None) => channels(x),
        _ => {
            return Some(Err(
                "stacks are chosen by `gather` along axis 1, or by the indices of a reshaped layer"
                    .into(),
            ));
        }
    };
    let selector = node.inputs.get(1).copied().flatten()?;
    let &[segment] = x.as_slice() else {
        return Some(Err("stacks are parts of one layer".into()));
    };
    let segment = walk.build.narrowed(segment);
    if walk.build.pieces.affine(segment).is_none() {
        return Some(Err(
            "stacks are sums of a layer: choose before they are activated".into(),
        ));
    }
    let len = segment.len / stacks;
    Some(Ok(Form::Parts(walk.build.make(
        Piece::Chosen {
            x: segment,
            stacks,
            selector,
        },
        vec![len],
    ))))
}

/// The input, if a value is one number per row that may be the side to move.
pub(super) fn turn(walk: &Walk<'_>, operand: &Operand<'_>) -> Option<usize> {
    let Operand::Form(Form::Parts(parts), [_, 1]) = operand else {
        return None;
    };
    match walk.build.pieces.of(*parts.first()?) {
        Piece::Input(input) if parts.len() == 1 => Some(*input),
        _ => None,
    }
}
