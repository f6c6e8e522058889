//! Reductions of neighbours: strided slices, and reshapes that give neighbours an axis.
//!
//! ```text
//!   x[:, 0::2], x[:, 1::2] ─► Max               max_neighbours(x)
//!   Reshape(x, [n, m, k]) ─► ReduceMax(2)       max_neighbours(x, k)
//!   Reshape(x, [n, 2, m]) ─► ReduceMax(1)       the larger of both halves
//! ```

use super::piece::{Parts, Run, channels};
use super::walk::{Form, Walk};
use crate::graph::Node;
use crate::op::{Binary, Op, Reduction};
use crate::tensor::Tensor;

/// The form of a node that reads neighbours; nothing if it reads none.
pub(super) fn form(walk: &mut Walk<'_>, node: &Node) -> Option<Result<Form, String>> {
    let forms = || {
        node.inputs
            .iter()
            .flatten()
            .filter_map(|id| walk.forms.get(id))
    };
    if !forms().any(|form| matches!(form, Form::Every { .. } | Form::Stacked(..))) {
        return None;
    }
    let forms: Vec<Form> = forms().cloned().collect();
    match (&node.op, forms.as_slice()) {
        (Op::Binary(function), [a @ Form::Every { .. }, b @ Form::Every { .. }]) => {
            Some(combined(walk, *function, a, b))
        }
        (
            Op::Reduce {
                kind,
                axes,
                keep: false,
            },
            [Form::Stacked(x, stacks)],
        ) => {
            let axes = axes
                .as_deref()
                .or_else(|| walk.constant(node, 1).and_then(Tensor::as_integers))?;
            let (kind, axis) = (
                *kind,
                if let &[axis] = axes {
                    axis
                } else {
                    return None;
                },
            );
            Some(reduced(walk, x, *stacks, (kind, axis)))
        }
        (Op::Gather { axis }, [Form::Stacked(x, stacks)]) => {
            let place = walk.constant(node, 1).and_then(Tensor::as_number)?;
            let one = walk.result(node).len() == 2;
            one.then(|| taken(walk, x, *stacks, (*axis, place as i64)))
        }
        _ => None,
    }
}

/// Combines two strided slices of the same value.
fn combined(walk: &mut Walk<'_>, function: Binary, a: &Form, b: &Form) -> Result<Form, String> {
    let (
        Form::Every {
            parts,
            step,
            places,
            by,
        },
        Form::Every {
            parts: same,
            step: other,
            places: more,
            by: function_of_other,
        },
    ) = (a, b)
    else {
        return Err("neighbours are combined with each other".into());
    };
    let run =
        match function {
            Binary::Max => Run::Greatest,
            Binary::Add => Run::Mean,
            Binary::Mul if *step == 2 => Run::Product,
            _ => return Err(
                "of neighbours, the language has the greatest, the mean, and the product of two"
                    .into(),
            ),
        };
    let is_it = |by: &Option<Binary>| by.is_none_or(|by| by == function);
    let mut all = [places.as_slice(), more].concat();
    all.sort_unstable();
    all.dedup();
    if parts != same
        || step != other
        || all.len() < places.len() + more.len()
        || !is_it(by)
        || !is_it(function_of_other)
    {
        return Err("neighbours of one value are combined, each once and all in one way".into());
    }
    if all.len() < *step {
        return Ok(Form::Every {
            parts: parts.clone(),
            step: *step,
            places: all,
            by: Some(function),
        });
    }
    let times = if run == Run::Mean { *step as f32 } else { 1.0 };
    pooled(walk, parts, *step, (run, times))
}

/// Pooled neighbours, times a factor.
fn pooled(
    walk: &mut Walk<'_>,
    x: &Parts,
    size: usize,
    (run, times): (Run, f32),
) -> Result<Form, String> {
    let runs = walk
        .build
        .runs(x, size, run)
        .ok_or("neighbours that are pooled are those of one value")?;
    let count = channels(&runs);
    Ok(Form::Parts(walk.build.scale(
        &runs,
        &vec![times; count],
        &vec![0.0; count],
    )))
}

/// Concatenated stacks, reduced along one axis.
fn reduced(
    walk: &mut Walk<'_>,
    x: &Parts,
    stacks: usize,
    (kind, axis): (Reduction, i64),
) -> Result<Form, String> {
    let len = channels(x) / stacks.max(1);
    let run = match kind {
        Reduction::Max => (Run::Greatest, 1.0),
        Reduction::Mean => (Run::Mean, 1.0),
        Reduction::Sum => (Run::Mean, len as f32),
        Reduction::Min => {
            return Err(
                "of neighbours, the language has the greatest, the mean, and the product of two"
                    .into(),
            );
        }
    };
    match axis {
        2 | -1 => pooled(walk, x, len, run),
        1 | -2 if stacks == 2 => {
            let [a, b] = [0, len].map(|start| walk.part(x, start, len));
            if kind == Reduction::Max {
                return Ok(Form::Parts(walk.build.larger(&a, &b)));
            }
            let (sum, times) = (walk.build.sum(&a, &b), if kind == Reduction::Mean { 0.5 } else { 1.0 });
            Ok(Form::Parts(walk.build.scale(&sum, &vec![times; len], &vec![0.0; len])))
        }
        _ => {
            Err("values of a list are pooled with their neighbours, or those of one half with those of the other"
                .into())
        }
    }
}

/// One of each group of neighbours, or one of the stacks.
fn taken(
    walk: &mut Walk<'_>,
    x: &Parts,
    stacks: usize,
    (axis, place): (i64, i64),
) -> Result<Form, String> {
    let len = channels(x) / stacks.max(1);
    let within = |count: usize| {
        let place = if place < 0 {
            place + count as i64
        } else {
            place
        };
        usize::try_from(place)
            .ok()
            .filter(|&place| place < count)
            .ok_or("its index does not exist")
    };
    match axis {
        2 | -1 => Ok(Form::Every {
            parts: x.clone(),
            step: len,
            places: vec![within(len)?],
            by: None,
        }),
        _ => {
            let stack = within(stacks)?;
            Ok(Form::Parts(walk.part(x, stack * len, len)))
        }
    }
}
