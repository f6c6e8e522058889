//! Reductions along axes, and sums of rows.

use crate::budget::Budget;
use crate::error::ImportError;
use crate::op::Reduction;
use crate::tensor::{Data, Element, Tensor, strides};

use super::{Operands, axis_of, floats, integers, optional, required, shape};

pub(super) fn reduce(
    kind: Reduction,
    x: &Tensor,
    axes: Option<&[i64]>,
    given: Option<&Tensor>,
    keep: bool,
) -> Result<Tensor, ImportError> {
    let rank = x.shape().len();
    let axes = match (axes, given) {
        (Some(axes), _) => axes,
        (None, Some(given)) => integers(given)?,
        (None, None) => &[],
    };
    let axes = axes
        .iter()
        .map(|&axis| axis_of(axis, rank))
        .collect::<Result<Vec<_>, _>>()?;
    let goes = |axis: usize| axes.is_empty() || axes.contains(&axis);
    let kept: Vec<usize> = x
        .shape()
        .iter()
        .enumerate()
        .map(|(axis, &length)| if goes(axis) { 1 } else { length })
        .collect();
    let (own, target) = (strides(x.shape()), strides(&kept));
    let place = |at: usize| -> usize {
        (0..rank)
            .filter(|&axis| !goes(axis))
            .map(|axis| at / own[axis] % x.shape()[axis] * target[axis])
            .sum()
    };
    let count: usize = kept.iter().product();
    let data = match (x.data(), of_integers(kind)) {
        (Data::I64(values), Some((start, joined))) => {
            let mut results = vec![start; count];
            values.iter().enumerate().for_each(|(at, value)| {
                let result = &mut results[place(at)];
                *result = joined(*result, *value);
            });
            Data::I64(results)
        }
        _ => Data::F32(of_floats(kind, x, count, place)),
    };
    let shape = if keep {
        kept
    } else {
        (0..rank)
            .filter(|&axis| !goes(axis))
            .map(|axis| x.shape()[axis])
            .collect()
    };
    Tensor::new(shape, data)
}

/// Combines two integers.
type Joined = fn(i64, i64) -> i64;

/// Initial value and function of an integer reduction; means are floats.
fn of_integers(kind: Reduction) -> Option<(i64, Joined)> {
    Some(match kind {
        Reduction::Sum => (0, i64::saturating_add),
        Reduction::Max => (i64::MIN, i64::max),
        Reduction::Min => (i64::MAX, i64::min),
        Reduction::Mean => return None,
    })
}

fn of_floats(
    kind: Reduction,
    x: &Tensor,
    count: usize,
    place: impl Fn(usize) -> usize,
) -> Vec<f32> {
    let start = match kind {
        Reduction::Sum | Reduction::Mean => 0.0,
        Reduction::Max => f64::NEG_INFINITY,
        Reduction::Min => f64::INFINITY,
    };
    let mut results = vec![start; count];
    for at in 0..x.len() {
        let (result, value) = (&mut results[place(at)], x.double(at));
        *result = match kind {
            Reduction::Sum | Reduction::Mean => *result + value,
            Reduction::Max => result.max(value),
            Reduction::Min => result.min(value),
        };
    }
    let divisor = if kind == Reduction::Mean {
        x.len() as f64 / count.max(1) as f64
    } else {
        1.0
    };
    results
        .into_iter()
        .map(|result| (result / divisor) as f32)
        .collect()
}

pub(super) fn softmax(x: &Tensor, axis: i64) -> Result<Tensor, ImportError> {
    let axis = axis_of(axis, x.shape().len())?;
    let (length, step) = (x.shape()[axis], strides(x.shape())[axis]);
    let mut values: Vec<f64> = floats(x)?.iter().map(|&value| f64::from(value)).collect();
    for first in (0..values.len()).filter(|at| at / step % length == 0) {
        let places = (0..length).map(|index| first + index * step);
        let greatest = places
            .clone()
            .fold(f64::NEG_INFINITY, |greatest, at| greatest.max(values[at]));
        places
            .clone()
            .for_each(|at| values[at] = (values[at] - greatest).exp());
        let sum: f64 = places.clone().map(|at| values[at]).sum();
        places.for_each(|at| values[at] /= sum);
    }
    Tensor::floats(
        x.shape(),
        values.into_iter().map(|value| value as f32).collect(),
    )
}

/// Sums of the listed rows. Operands: table, indices, and the starts of bags, without which each row of
/// indices is a bag.
pub(super) fn embedding_bag(
    operands: &Operands<'_>,
    mean: bool,
    padding: Option<i64>,
    budget: &mut Budget,
) -> Result<Tensor, ImportError> {
    let (table, numbers) = (required(operands, 0)?, required(operands, 1)?);
    let weights = optional(operands, 3).map(floats).transpose()?;
    let (&[rows, width], indices) = (table.shape(), integers(numbers)?) else {
        return Err(shape(format!("bags of rows of {:?}", table.shape())));
    };
    let bags = optional(operands, 2).unwrap_or(numbers).shape().first();
    let count =
        budget.fits(&[bags.copied().unwrap_or(0), width.max(2)], Element::F32)? / width.max(2);
    let starts: Vec<usize> = match (optional(operands, 2), numbers.shape()) {
        (Some(starts), _) => {
            let start = |&start: &i64| {
                usize::try_from(start)
                    .ok()
                    .filter(|&start| start <= indices.len())
            };
            let starts = integers(starts)?
                .iter()
                .map(start)
                .collect::<Option<Vec<_>>>();
            starts
                .filter(|starts| starts.is_sorted())
                .ok_or_else(|| shape("bags begin out of order"))?
        }
        (None, &[bags, length]) => (0..bags).map(|bag| bag * length).collect(),
        (None, other) => return Err(shape(format!("bags of {other:?} numbers"))),
    };
    if weights.is_some_and(|weights| weights.len() != indices.len()) {
        return Err(shape("there are not as many weights as numbers"));
    }
    budget.work(indices.len().saturating_mul(width))?;
    let (values, mut result) = (
        floats(table)?,
        Vec::with_capacity(count.saturating_mul(width)),
    );
    for (bag, &start) in starts.iter().enumerate() {
        let end = starts.get(bag + 1).copied().unwrap_or(indices.len());
        let (mut sums, mut count) = (vec![0.0_f64; width], 0_u32);
        for at in (start..end).filter(|&at| Some(indices[at]) != padding) {
            let row = usize::try_from(indices[at]).ok().filter(|&row| row < rows);
            let row = row.ok_or_else(|| shape(format!("row {} of {rows}", indices[at])))?;
            let factor = weights.map_or(1.0, |weights| f64::from(weights[at]));
            sums.iter_mut()
                .zip(&values[row * width..][..width])
                .for_each(|(sum, &x)| *sum += f64::from(x) * factor);
            count += 1;
        }
        let divisor = if mean { f64::from(count.max(1)) } else { 1.0 };
        result.extend(sums.into_iter().map(|sum| (sum / divisor) as f32));
    }
    Tensor::floats(&[starts.len(), width], result)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f32` holds only 24 bits of an integer.
    #[test]
    fn integers_stay_exact() {
        let x = Tensor::list(vec![1 << 40, (1 << 40) + 1, (1 << 24) + 1]);
        let reduced = |kind| {
            let result = reduce(kind, &x, None, None, false).expect("it has an axis");
            result.as_integers().map(<[i64]>::to_vec)
        };
        assert_eq!(reduced(Reduction::Max), Some(vec![(1 << 40) + 1]));
        assert_eq!(reduced(Reduction::Min), Some(vec![(1 << 24) + 1]));
        assert_eq!(
            reduced(Reduction::Sum),
            Some(vec![(1 << 41) + (1 << 24) + 2])
        );
    }
}
