//! Matrix products.

use crate::budget::Budget;
use crate::error::ImportError;
use crate::tensor::{Data, Element, Tensor};

use super::elements::{both, broadcast};
use super::{floats, shape};

/// The product over the last two axes.
pub(super) fn product(a: &Tensor, b: &Tensor, budget: &mut Budget) -> Result<Tensor, ImportError> {
    let (left, right) = (matrix(a.shape(), true), matrix(b.shape(), false));
    let ([rows, inner], [other, columns]) = (left.size, right.size);
    if inner != other || a.shape().is_empty() || b.shape().is_empty() {
        return Err(shape(format!(
            "the matrices {:?} and {:?} do not fit together",
            a.shape(),
            b.shape()
        )));
    }
    let batch = broadcast(&[left.batch, right.batch])?;
    let pairs = both(&[left.batch, right.batch], &batch);
    let mut lengths = batch;
    lengths.extend(
        left.keeps
            .then_some(rows)
            .into_iter()
            .chain(right.keeps.then_some(columns)),
    );
    let count = budget.fits(&lengths, a.element().max(b.element()))?;
    budget.work(count.saturating_mul(inner))?;
    if let (Data::I64(a), Data::I64(b)) = (a.data(), b.data()) {
        let mut result = vec![0_i64; count];
        for (index, [a_at, b_at]) in pairs.places().enumerate() {
            let (a, b) = (
                &a[a_at * rows * inner..][..rows * inner],
                &b[b_at * inner * columns..][..inner * columns],
            );
            let sums = &mut result[index * rows * columns..][..rows * columns];
            add_whole(a, b, inner, sums)
                .ok_or_else(|| shape("a sum of whole numbers has more than 64 bits"))?;
        }
        return Tensor::new(lengths, Data::I64(result));
    }
    let (a, b) = (floats(a)?, floats(b)?);
    let mut result = Vec::with_capacity(count);
    for [a_at, b_at] in pairs.places() {
        let (a, b) = (
            &a[a_at * rows * inner..][..rows * inner],
            &b[b_at * inner * columns..][..inner * columns],
        );
        for row in 0..rows {
            let mut sums = vec![0.0_f64; columns];
            for (k, &x) in a[row * inner..][..inner].iter().enumerate() {
                for (sum, &weight) in sums.iter_mut().zip(&b[k * columns..][..columns]) {
                    *sum += f64::from(x) * f64::from(weight);
                }
            }
            result.extend(sums.into_iter().map(|sum| sum as f32));
        }
    }
    Tensor::floats(&lengths, result)
}

/// Adds the product of two integer matrices to `result`, unless it overflows.
fn add_whole(a: &[i64], b: &[i64], inner: usize, result: &mut [i64]) -> Option<()> {
    let columns = b.len().checked_div(inner).unwrap_or(0);
    if columns == 0 {
        return Some(());
    }
    for (row, sums) in result.chunks_exact_mut(columns).enumerate() {
        for (k, &x) in a[row * inner..][..inner]
            .iter()
            .enumerate()
            .filter(|(_, x)| **x != 0)
        {
            for (sum, &weight) in sums.iter_mut().zip(&b[k * columns..][..columns]) {
                *sum = sum.checked_add(x.checked_mul(weight)?)?;
            }
        }
    }
    Some(())
}

/// The last two axes of a shape. A vector is a row on the left and a column on the right; the result does not
/// have that axis.
struct Matrix<'a> {
    batch: &'a [usize],
    size: [usize; 2],
    keeps: bool,
}

fn matrix(shape: &[usize], is_left: bool) -> Matrix<'_> {
    match shape {
        [batch @ .., rows, columns] => Matrix {
            batch,
            size: [*rows, *columns],
            keeps: true,
        },
        [one] if is_left => Matrix {
            batch: &[],
            size: [1, *one],
            keeps: false,
        },
        [one] => Matrix {
            batch: &[],
            size: [*one, 1],
            keeps: false,
        },
        [] => Matrix {
            batch: &[],
            size: [1, 1],
            keeps: false,
        },
    }
}

/// `x * transpose(weight) + bias`.
pub(super) fn linear(
    x: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    budget: &mut Budget,
) -> Result<Tensor, ImportError> {
    let (&[outputs, inputs], Some(&last)) = (weight.shape(), x.shape().last()) else {
        return Err(shape(format!(
            "a layer of {:?} and weights {:?}",
            x.shape(),
            weight.shape()
        )));
    };
    let bias = bias.map(floats).transpose()?;
    if last != inputs || bias.is_some_and(|bias| bias.len() != outputs && bias.len() != 1) {
        return Err(shape(format!(
            "a layer of {:?} and weights {:?}",
            x.shape(),
            weight.shape()
        )));
    }
    let rows = x.len().checked_div(inputs).unwrap_or(0);
    budget.work(rows.saturating_mul(weight.len()))?;
    let (values, weight) = (floats(x)?, floats(weight)?);
    let mut lengths = x.shape().to_vec();
    *lengths.last_mut().expect("there is a last axis") = outputs;
    let mut result = Vec::with_capacity(budget.fits(&lengths, Element::F32)?);
    for row in values.chunks_exact(inputs.max(1)) {
        for output in 0..outputs {
            let start = bias.map_or(0.0, |bias| f64::from(bias[output % bias.len()]));
            let products = row.iter().zip(&weight[output * inputs..][..inputs]);
            result.push(
                products.fold(start, |sum, (&x, &w)| sum + f64::from(x) * f64::from(w)) as f32,
            );
        }
    }
    Tensor::floats(&lengths, result)
}
