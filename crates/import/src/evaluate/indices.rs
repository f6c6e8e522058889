//! Operations that select elements by index.

use std::borrow::Cow;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::tensor::{Data, Element, Tensor, elements, strides};

use super::elements::as_type;
use super::{Operands, axis_of, integers, optional, required, shape};

pub(super) fn concat(
    operands: &Operands<'_>,
    axis: i64,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let parts: Vec<&Tensor> = operands.iter().copied().flatten().collect();
    let first = required(&[parts.first().copied()], 0)?;
    let axis = axis_of(axis, first.shape().len())?;
    let mut lengths = first.shape().to_vec();
    for part in &parts[1..] {
        let fits = part.shape().len() == lengths.len()
            && part
                .shape()
                .iter()
                .zip(&lengths)
                .enumerate()
                .all(|(at, (one, other))| at == axis || one == other);
        if !fits {
            return Err(shape(format!(
                "{:?} and {:?} one after the other",
                first.shape(),
                part.shape()
            )));
        }
        lengths[axis] = lengths[axis].saturating_add(part.shape()[axis]);
    }
    let element = parts
        .iter()
        .map(|part| part.element())
        .max()
        .expect("there is a first part");
    budget.fits(&lengths, element)?;
    let parts: Vec<Cow<'_, Tensor>> = parts
        .into_iter()
        .map(|part| as_type(part, element))
        .collect();
    let outer: usize = lengths[..axis].iter().product();
    let run = |part: &Tensor| part.len() / outer.max(1);
    macro_rules! joined {
        ($variant:ident) => {{
            let mut values = Vec::with_capacity(lengths.iter().product());
            for index in 0..outer {
                for part in &parts {
                    let Data::$variant(from) = part.data() else {
                        unreachable!("all were cast")
                    };
                    values.extend_from_slice(&from[index * run(part)..][..run(part)]);
                }
            }
            Data::$variant(values)
        }};
    }
    let data = match parts[0].data() {
        Data::Bool(_) => joined!(Bool),
        Data::I64(_) => joined!(I64),
        Data::F32(_) => joined!(F32),
    };
    Tensor::new(lengths, data)
}

pub(super) fn split(
    x: &Tensor,
    axis: i64,
    lengths: Option<&[i64]>,
    operands: &Operands<'_>,
    outputs: usize,
) -> Result<Vec<Tensor>, ImportError> {
    let axis = axis_of(axis, x.shape().len())?;
    let all = x.shape()[axis];
    let given = match (lengths, optional(operands, 1)) {
        (Some(lengths), _) => Some(lengths),
        (None, Some(given)) => Some(integers(given)?),
        (None, None) => None,
    };
    let lengths: Vec<usize> = match given {
        Some(lengths) => lengths
            .iter()
            .map(|&length| usize::try_from(length).unwrap_or(usize::MAX))
            .collect(),
        None => {
            let most = all.div_ceil(outputs.max(1));
            (0..outputs)
                .map(|index| most.min(all.saturating_sub(index * most)))
                .collect()
        }
    };
    if lengths
        .iter()
        .try_fold(0_usize, |sum, &length| sum.checked_add(length))
        != Some(all)
    {
        return Err(shape(format!("{all} in parts of {lengths:?}")));
    }
    let mut start = 0;
    let part = |length: usize| {
        let result = range(x, axis, start as i64, 1, length);
        start += length;
        result
    };
    lengths.into_iter().map(part).collect()
}

pub(super) fn slice(x: &Tensor, operands: &Operands<'_>) -> Result<Tensor, ImportError> {
    let (starts, ends) = (
        integers(required(operands, 1)?)?,
        integers(required(operands, 2)?)?,
    );
    let axes = optional(operands, 3).map(integers).transpose()?;
    let steps = optional(operands, 4).map(integers).transpose()?;
    let count = starts.len();
    if ends.len() != count
        || axes.is_some_and(|axes| axes.len() != count)
        || steps.is_some_and(|steps| steps.len() != count)
    {
        return Err(shape("starts, ends, axes and steps are not as many"));
    }
    let mut result = Cow::Borrowed(x);
    for index in 0..count {
        let axis = axis_of(
            axes.map_or(index as i64, |axes| axes[index]),
            x.shape().len(),
        )?;
        let step = steps.map_or(1, |steps| steps[index]);
        let length = result.shape()[axis] as i64;
        let from_end = |at: i64| {
            if at < 0 {
                at.saturating_add(length)
            } else {
                at
            }
        };
        let (start, end) = match step {
            0 => return Err(shape("a slice in steps of 0")),
            1.. => (
                from_end(starts[index]).clamp(0, length),
                from_end(ends[index]).clamp(0, length),
            ),
            _ => (
                from_end(starts[index]).clamp(-1, length - 1),
                from_end(ends[index]).clamp(-1, length - 1),
            ),
        };
        let span = if step > 0 { end - start } else { start - end };
        let count = span.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
        result = Cow::Owned(range(&result, axis, start, step, count as usize)?);
    }
    Ok(result.into_owned())
}

/// `count` strided indices of an axis, from `start` on.
fn range(
    x: &Tensor,
    axis: usize,
    start: i64,
    step: i64,
    count: usize,
) -> Result<Tensor, ImportError> {
    let chosen = (0..count as i64).map(move |index| (start + index * step) as usize);
    let mut lengths = x.shape().to_vec();
    lengths[axis] = count;
    take(x, axis, chosen, lengths)
}

/// Selects indices of an axis.
fn take(
    x: &Tensor,
    axis: usize,
    chosen: impl Iterator<Item = usize> + Clone,
    lengths: Vec<usize>,
) -> Result<Tensor, ImportError> {
    elements(&lengths)?;
    let (outer, inner) = (
        x.shape()[..axis].iter().product::<usize>(),
        x.shape()[axis + 1..].iter().product::<usize>(),
    );
    let length = x.shape()[axis];
    let places = (0..outer).flat_map(|index| {
        chosen.clone().flat_map(move |chosen| {
            let start = (index * length + chosen) * inner;
            start..start + inner
        })
    });
    x.picked(lengths, places)
}

/// Resolves an index, counted from the end if negative.
fn index_of(index: i64, length: usize) -> Result<usize, ImportError> {
    let found = if index < 0 {
        index.saturating_add(length as i64)
    } else {
        index
    };
    let found = usize::try_from(found).ok().filter(|&found| found < length);
    found.ok_or_else(|| shape(format!("index {index} of {length}")))
}

/// Selects the slices of an axis at the listed indices.
pub(super) fn gather(
    x: &Tensor,
    indices: &Tensor,
    axis: i64,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let axis = axis_of(axis, x.shape().len())?;
    let length = x.shape()[axis];
    let chosen = integers(indices)?
        .iter()
        .map(|&index| index_of(index, length))
        .collect::<Result<Vec<_>, _>>()?;
    let lengths = [&x.shape()[..axis], indices.shape(), &x.shape()[axis + 1..]].concat();
    budget.fits(&lengths, x.element())?;
    take(x, axis, chosen.iter().copied(), lengths)
}

/// Selects elements by their index on one axis.
pub(super) fn gather_elements(
    x: &Tensor,
    indices: &Tensor,
    axis: i64,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let rank = x.shape().len();
    let axis = axis_of(axis, rank)?;
    budget.fits(indices.shape(), Element::I64)?;
    let fits = |at: usize| at == axis || indices.shape()[at] <= x.shape()[at];
    if indices.shape().len() != rank || !(0..rank).all(fits) {
        return Err(shape(format!(
            "elements of {:?} by indices {:?}",
            x.shape(),
            indices.shape()
        )));
    }
    let (own, other) = (strides(x.shape()), strides(indices.shape()));
    let place = |(at, &index): (usize, &i64)| {
        let index = index_of(index, x.shape()[axis])?;
        let index_on = |one: usize| {
            if one == axis {
                index
            } else {
                at / other[one] % indices.shape()[one]
            }
        };
        Ok((0..rank).map(|one| index_on(one) * own[one]).sum())
    };
    let places = integers(indices)?
        .iter()
        .enumerate()
        .map(place)
        .collect::<Result<Vec<usize>, ImportError>>()?;
    x.picked(indices.shape().to_vec(), places.into_iter())
}

/// Selects slices by index tuples, stored in the last axis of `indices`.
pub(super) fn gather_nd(
    x: &Tensor,
    indices: &Tensor,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let [lists @ .., depth] = indices.shape() else {
        return Err(shape("indices without an axis"));
    };
    if *depth == 0 || *depth > x.shape().len() {
        return Err(shape(format!("{depth} indices of {:?}", x.shape())));
    }
    let (own, rest) = (strides(x.shape()), &x.shape()[*depth..]);
    let inner: usize = rest.iter().product();
    let lengths = [lists, rest].concat();
    budget.fits(&lengths, x.element())?;
    let mut starts = Vec::new();
    for list in integers(indices)?.chunks_exact(*depth) {
        let mut start = 0;
        for (axis, &index) in list.iter().enumerate() {
            start += index_of(index, x.shape()[axis])? * own[axis];
        }
        starts.push(start);
    }
    x.picked(
        lengths,
        starts.into_iter().flat_map(|start| start..start + inner),
    )
}
