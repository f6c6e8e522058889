//! The operations between the accumulators and the outputs, forward and backward.

use std::ops::Range;

use nnue_spec::op::{Constants, Loops, Real};

use super::affine::Affine;
use super::{Parameters, parameters};

/// An operation of the graph. Ranges are of the values of a position.
#[derive(Clone, Debug)]
pub(super) enum Step<T> {
    /// in place: from one unit to another
    Scale { values: Range<usize>, factor: T },
    /// an activation, of each of the equal parts by itself: accumulators have one for each perspective
    Activate { loops: Loops<T>, constants: Constants<T>, parts: usize, operands: Range<usize>, results: Range<usize> },
    /// the sums of a layer
    Affine(Affine<T>),
    /// the sums of a layer of whole numbers for layers of floats: `sum * unit + bias`
    ToFloats { unit: T, bias: usize, operands: Range<usize>, results: Range<usize> },
}

impl<T: Real> Step<T> {
    pub(super) fn forward(&self, parameters: &Parameters<T>, stack: usize, values: &mut [T]) {
        match self {
            Self::Scale { values: range, factor } => scale(&mut values[range.clone()], *factor),
            Self::Activate { loops, constants, parts, operands, results } => {
                let (operands, results) = split(values, operands, results);
                let parts =
                    operands.chunks_exact(operands.len() / parts).zip(results.chunks_exact_mut(results.len() / parts));
                parts.for_each(|(operands, results)| (loops.values)(*constants, operands, results));
            }
            Self::Affine(layer) => layer.forward(parameters, stack, values),
            Self::ToFloats { unit, bias, operands, results } => {
                let (operands, results) = split(values, operands, results);
                let bias = &parameters.tensors[*bias][stack * results.len()..];
                for ((&sum, &bias), result) in operands.iter().zip(bias).zip(results) {
                    *result = sum * *unit + bias;
                }
            }
        }
    }

    /// Adds to `gradients` of what was read, and to `gradient` of the parameters, what follows from `gradients` of the results.
    pub(super) fn backward(
        &self,
        parameters: &Parameters<T>,
        stack: usize,
        values: &[T],
        gradients: &mut [T],
        gradient: &mut Parameters<T>,
    ) {
        match self {
            Self::Scale { values: range, factor } => scale(&mut gradients[range.clone()], *factor),
            Self::Activate { loops, constants, parts, operands, results } => {
                let values = values[operands.clone()].chunks_exact(operands.len() / parts);
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                let of_results = of_results.chunks_exact(results.len() / parts);
                let of_operands = of_operands.chunks_exact_mut(operands.len() / parts);
                for ((values, of_results), of_operands) in values.zip(of_results).zip(of_operands) {
                    (loops.gradients)(*constants, values, of_results, of_operands);
                }
            }
            Self::Affine(layer) => layer.backward(parameters, stack, values, gradients, gradient),
            Self::ToFloats { unit, bias, operands, results } => {
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                parameters::add_scaled(of_operands, *unit, of_results);
                parameters::add(&mut gradient.tensors[*bias][stack * results.len()..], of_results);
            }
        }
    }
}

fn scale<T: Real>(values: &mut [T], factor: T) {
    values.iter_mut().for_each(|value| *value = *value * factor);
}

/// Operands, and results to be written. Operands come first, because every node comes after what it reads.
fn split<'a, T>(values: &'a mut [T], operands: &Range<usize>, results: &Range<usize>) -> (&'a [T], &'a mut [T]) {
    let (before, from) = values.split_at_mut(results.start);
    (&before[operands.clone()], &mut from[..results.len()])
}

/// The gradient of the operands, to be added to, and that of the results.
fn split_mut<'a, T>(values: &'a mut [T], operands: &Range<usize>, results: &Range<usize>) -> (&'a mut [T], &'a [T]) {
    let (before, from) = values.split_at_mut(results.start);
    (&mut before[operands.clone()], &from[..results.len()])
}
