//! Reshapes, concatenations and slices.

use super::layers;
use super::piece::{Piece, channels, joined};
use super::walk::{Form, Walk};
use crate::graph::Node;
use crate::tensor::Tensor;

/// Reshapes a value: planes to a vector, or a vector to the planes that it came from.
pub(super) fn reshape(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    let (from, to) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    match (from.as_slice(), to.as_slice()) {
        ([rows, ..], [same, _]) if rows == same && from.len() == 4 => {
            Ok(Form::Parts(layers::flattened(walk, &x)))
        }
        ([rows, all], [same, stacks, len]) if rows == same && *all == stacks * len => {
            Ok(Form::Stacked(x, *stacks))
        }
        ([rows, _], [same, planes @ ..]) if rows == same && planes.len() == 3 => match x.as_slice()
        {
            &[segment] if walk.build.pieces.is_whole(segment) => {
                match walk.build.pieces.of(segment) {
                    &Piece::Input(input) => Ok(Form::Parts(
                        walk.build.make(Piece::Input(input), planes.to_vec()),
                    )),
                    _ => Err("lists of the language do not become planes again".into()),
                }
            }
            _ => Err("lists of the language do not become planes again".into()),
        },
        _ => Err(format!(
            "values are rows of lists or of planes, and this makes {to:?} of {from:?}"
        )),
    }
}

pub(super) fn concat(walk: &mut Walk<'_>, node: &Node, axis: i64) -> Result<Form, String> {
    let rank = walk.result(node).len() as i64;
    if axis != 1 && axis != 1 - rank {
        return Err(
            "values of the language stand one after the other by their channels, axis 1".into(),
        );
    }
    let parts = (0..node.inputs.len())
        .map(|index| walk.parts(node, index))
        .collect::<Option<Vec<_>>>();
    Ok(Form::Parts(joined(
        parts
            .ok_or("it reads something else than numbers of the network")?
            .concat(),
    )))
}

pub(super) fn slice(walk: &mut Walk<'_>, node: &Node) -> Result<Form, String> {
    let x = walk.numbers(node)?;
    let (from, to) = (walk.shape(node, 0).to_vec(), walk.result(node).to_vec());
    let list = |index: usize| {
        walk.constant(node, index)
            .and_then(Tensor::as_integers)
            .map(<[i64]>::to_vec)
    };
    let (Some(starts), rank) = (list(1), from.len() as i64) else {
        return Err("its limits are computed".into());
    };
    let axes = list(3).unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = list(4).unwrap_or_else(|| vec![1; starts.len()]);
    let (mut first, mut every) = (0, None);
    for ((start, axis), step) in starts.into_iter().zip(axes).zip(steps) {
        let axis = if axis < 0 { axis + rank } else { axis };
        let is_all = from.get(axis as usize) == to.get(axis as usize) && step == 1;
        if axis == 1 && step == 1 {
            let length = from[1] as i64;
            first = (if start < 0 {
                start.saturating_add(length)
            } else {
                start
            })
            .clamp(0, length) as usize;
        } else if axis == 1 && to[1] as i64 * step == from[1] as i64 && (0..step).contains(&start) {
            every = Some((step as usize, start as usize));
        } else if !is_all {
            return Err("parts of the language are neighbouring channels".into());
        }
    }
    match every {
        Some((step, place)) if to[1] * step == channels(&x) => Ok(Form::Every {
            parts: x,
            step,
            places: vec![place],
            by: None,
        }),
        _ => Ok(Form::Parts(walk.part(&x, first, to[1]))),
    }
}

pub(super) fn split(walk: &mut Walk<'_>, node: &Node, axis: i64) -> Result<Vec<Form>, String> {
    let x = walk.numbers(node)?;
    let rank = walk.shape(node, 0).len() as i64;
    if axis != 1 && axis != 1 - rank {
        return Err("parts of the language are neighbouring channels, axis 1".into());
    }
    let mut start = 0;
    let part = |&id: &usize| {
        let len = walk.folded.shapes[id][1];
        start += len;
        Form::Parts(walk.part(&x, start - len, len))
    };
    Ok(node.outputs.iter().map(part).collect())
}
