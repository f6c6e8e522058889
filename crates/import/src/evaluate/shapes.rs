//! Operations that rearrange elements, or create them from shapes.

use crate::budget::Budget;
use crate::error::ImportError;
use crate::tensor::{Data, Element, MAX_ELEMENTS, Tensor, elements, strides};

use super::elements::{broadcast, expanded};
use super::{axis_of, integers, shape};

pub(super) fn reshape(
    x: &Tensor,
    wanted: &Tensor,
    zero_is_length: bool,
) -> Result<Tensor, ImportError> {
    let wanted = integers(wanted)?;
    let mut lengths = Vec::new();
    let mut open = None;
    for (axis, &length) in wanted.iter().enumerate() {
        lengths.push(match usize::try_from(length) {
            Ok(0) if !zero_is_length => *x
                .shape()
                .get(axis)
                .ok_or_else(|| shape(format!("no axis {axis} to copy")))?,
            Ok(length) => length,
            Err(_) if length == -1 && open.is_none() => {
                open = Some(axis);
                1
            }
            Err(_) => return Err(shape(format!("the shape {wanted:?} is none"))),
        });
    }
    if let Some(axis) = open {
        let others = elements(&lengths)?;
        if others == 0 || !x.len().is_multiple_of(others) {
            return Err(shape(format!(
                "{} elements in the shape {wanted:?}",
                x.len()
            )));
        }
        lengths[axis] = x.len() / others;
    }
    x.reshaped(lengths)
}

pub(super) fn flatten(x: &Tensor, start: i64, end: i64) -> Result<Tensor, ImportError> {
    let rank = x.shape().len();
    if rank == 0 {
        return x.reshaped(vec![1]);
    }
    let (start, end) = (axis_of(start, rank)?, axis_of(end, rank)?);
    if start > end {
        return Err(shape(format!("axes {start} to {end}")));
    }
    let middle = x.shape()[start..=end].iter().product();
    x.reshaped([&x.shape()[..start], &[middle], &x.shape()[end + 1..]].concat())
}

pub(super) fn transpose(x: &Tensor, order: &[i64]) -> Result<Tensor, ImportError> {
    let rank = x.shape().len();
    let order: Vec<usize> = match order {
        [] => (0..rank).rev().collect(),
        order => order
            .iter()
            .map(|&axis| axis_of(axis, rank))
            .collect::<Result<_, _>>()?,
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..rank) {
        return Err(shape(format!("the order {order:?} of {rank} axes")));
    }
    let lengths: Vec<usize> = order.iter().map(|&axis| x.shape()[axis]).collect();
    let own = strides(x.shape());
    let moved: Vec<usize> = order.iter().map(|&axis| own[axis]).collect();
    let wanted = strides(&lengths);
    let place = |at: usize| {
        (0..rank)
            .map(|axis| at / wanted[axis] % lengths[axis] * moved[axis])
            .sum()
    };
    x.picked(lengths.clone(), (0..x.len()).map(place))
}

pub(super) fn squeeze(
    x: &Tensor,
    axes: Option<&[i64]>,
    given: Option<&Tensor>,
) -> Result<Tensor, ImportError> {
    let rank = x.shape().len();
    let axes = match (axes, given) {
        (Some(axes), _) => Some(axes),
        (None, Some(given)) => Some(integers(given)?),
        (None, None) => None,
    };
    let axes = axes
        .map(|axes| {
            axes.iter()
                .map(|&axis| axis_of(axis, rank))
                .collect::<Result<Vec<_>, _>>()
        })
        .transpose()?;
    let goes =
        |axis: usize| x.shape()[axis] == 1 && axes.as_ref().is_none_or(|axes| axes.contains(&axis));
    x.reshaped(
        (0..rank)
            .filter(|&axis| !goes(axis))
            .map(|axis| x.shape()[axis])
            .collect(),
    )
}

pub(super) fn unsqueeze(
    x: &Tensor,
    axes: Option<&[i64]>,
    given: Option<&Tensor>,
) -> Result<Tensor, ImportError> {
    let axes = match (axes, given) {
        (Some(axes), _) => axes,
        (None, Some(given)) => integers(given)?,
        (None, None) => return Err(shape("the new axes are missing")),
    };
    let rank = x.shape().len() + axes.len();
    let axes = axes
        .iter()
        .map(|&axis| axis_of(axis, rank))
        .collect::<Result<Vec<_>, _>>()?;
    let mut own = x.shape().iter();
    let lengths = (0..rank).map(|axis| {
        if axes.contains(&axis) {
            Some(1)
        } else {
            own.next().copied()
        }
    });
    x.reshaped(
        lengths
            .collect::<Option<_>>()
            .ok_or_else(|| shape(format!("the new axes {axes:?} are not different")))?,
    )
}

/// Broadcasts to a shape.
pub(super) fn expand(x: &Tensor, wanted: &Tensor, budget: &Budget) -> Result<Tensor, ImportError> {
    let wanted = integers(wanted)?;
    let skipped = wanted.len().saturating_sub(x.shape().len());
    let length =
        |(axis, &length): (usize, &i64)| match (usize::try_from(length), axis.checked_sub(skipped))
        {
            (Ok(length), _) => Ok(length),
            (Err(_), Some(axis)) if length == -1 => Ok(x.shape()[axis]),
            _ => Err(shape(format!("the shape {wanted:?} is none"))),
        };
    let wanted = wanted
        .iter()
        .enumerate()
        .map(length)
        .collect::<Result<Vec<_>, _>>()?;
    let common = broadcast(&[x.shape(), &wanted])?;
    budget.fits(&common, x.element())?;
    expanded(x, common)
}

/// Tiles along each axis.
pub(super) fn repeat(x: &Tensor, counts: &Tensor, budget: &Budget) -> Result<Tensor, ImportError> {
    let counts = integers(counts)?;
    let skipped = counts
        .len()
        .checked_sub(x.shape().len())
        .ok_or_else(|| shape("fewer numbers than axes"))?;
    let own = [&vec![1; skipped][..], x.shape()].concat();
    let length = |(&count, &length): (&i64, &usize)| {
        usize::try_from(count)
            .ok()
            .and_then(|count| length.checked_mul(count))
    };
    let lengths = counts
        .iter()
        .zip(&own)
        .map(length)
        .collect::<Option<Vec<_>>>();
    let lengths = lengths.ok_or_else(|| shape(format!("{counts:?} copies")))?;
    let count = budget.fits(&lengths, x.element())?;
    let (from, to) = (strides(&own), strides(&lengths));
    let place = |at: usize| {
        (0..own.len())
            .map(|axis| at / to[axis] % lengths[axis] % own[axis] * from[axis])
            .sum()
    };
    x.picked(lengths.clone(), (0..count).map(place))
}

pub(super) fn lengths(x: &Tensor, start: i64, end: i64) -> Tensor {
    let rank = x.shape().len() as i64;
    let limit = |axis: i64| {
        (if axis < 0 {
            axis.saturating_add(rank)
        } else {
            axis
        })
        .clamp(0, rank) as usize
    };
    let lengths = x.shape().get(limit(start)..limit(end)).unwrap_or_default();
    Tensor::list(lengths.iter().map(|&length| length as i64).collect())
}

pub(super) fn range(
    start: &Tensor,
    end: &Tensor,
    step: &Tensor,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    if let (Some([start]), Some([end]), Some([step])) =
        (start.as_integers(), end.as_integers(), step.as_integers())
    {
        let span = end
            .checked_sub(*start)
            .ok_or_else(|| shape("the range is too long"))?;
        if *step == 0 {
            return Err(shape("a range in steps of 0"));
        }
        let count = if (span > 0) == (*step > 0) {
            span.unsigned_abs().div_ceil(step.unsigned_abs())
        } else {
            0
        };
        let count = usize::try_from(count).map_err(|_| shape("the range is too long"))?;
        budget.fits(&[count], Element::I64)?;
        return Ok(Tensor::list(
            (0..count as i64)
                .map(|index| start + index * step)
                .collect(),
        ));
    }
    let number = |x: &Tensor| x.as_number().ok_or_else(|| shape("a range of lists"));
    let (start, end, step) = (number(start)?, number(end)?, number(step)?);
    let count = ((end - start) / step).ceil();
    if !(0.0..MAX_ELEMENTS as f32).contains(&count) {
        return Err(shape(format!(
            "a range from {start} to {end} in steps of {step}"
        )));
    }
    budget.fits(&[count as usize], Element::F32)?;
    Tensor::floats(
        &[count as usize],
        (0..count as usize)
            .map(|index| start + index as f32 * step)
            .collect(),
    )
}

pub(super) fn fill(
    wanted: &Tensor,
    number: f64,
    element: Element,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let length =
        |&length: &i64| usize::try_from(length).map_err(|_| shape(format!("a length of {length}")));
    let lengths = integers(wanted)?
        .iter()
        .map(length)
        .collect::<Result<Vec<_>, _>>()?;
    let count = budget.fits(&lengths, element)?;
    let data = match element {
        Element::Bool => Data::Bool(vec![number != 0.0; count]),
        Element::I64 => Data::I64(vec![number as i64; count]),
        Element::F32 => Data::F32(vec![number as f32; count]),
    };
    Tensor::new(lengths, data)
}
