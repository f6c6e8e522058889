//! Elementwise operations on values and pairs of values.

use std::ops::Range;

use nnue_spec::op::{Activation, Constants, Loops, Pool, PoolLoops, Real, Reduce, Strided};

use super::{Parameters, binary, sums};

/// An elementwise operation with ranges of a position's values.
#[derive(Clone, Debug)]
pub(crate) enum Elementwise<T> {
    /// in place: conversion to another unit
    Scale { values: Range<usize>, factor: T },
    /// an activation, separately for each of `parts` equal parts: accumulators have one part per perspective
    Activate {
        function: Activation,
        loops: Loops<T>,
        constants: Constants<T>,
        parts: usize,
        operands: Range<usize>,
        results: Range<usize>,
    },
    /// a result for each pair of values
    Pool {
        pool: Pool,
        loops: PoolLoops<T>,
        constants: (T, u32),
        places: Strided,
        results: Range<usize>,
    },
    /// a result for each run of `size` values
    Reduce {
        reduce: Reduce,
        size: usize,
        operands: Range<usize>,
        results: Range<usize>,
    },
    /// the signs of values with the given unit
    Sign {
        unit: T,
        operands: Range<usize>,
        results: Range<usize>,
    },
    /// dequantises integer sums for layers of floats: `sum * unit + bias`
    ToFloats {
        unit: T,
        bias: usize,
        operands: Range<usize>,
        results: Range<usize>,
    },
}

impl<T: Real> Elementwise<T> {
    #[inline(always)]
    pub(crate) fn forward(&self, parameters: &Parameters<T>, stack: usize, values: &mut [T]) {
        match self {
            Self::Scale {
                values: range,
                factor,
            } => sums::scale(&mut values[range.start..range.end], *factor),
            Self::Activate {
                loops,
                constants,
                parts,
                operands,
                results,
                ..
            } => {
                let (operands, results) = split(values, operands, results);
                let parts = operands
                    .chunks_exact(operands.len() / parts)
                    .zip(results.chunks_exact_mut(results.len() / parts));
                for (operands, results) in parts {
                    (loops.values)(*constants, operands, results);
                }
            }
            Self::Pool {
                loops,
                constants,
                places,
                results,
                ..
            } => {
                let (before, from) = values.split_at_mut(results.start);
                (loops.values)(*constants, *places, before, &mut from[..results.len()]);
            }
            Self::Reduce {
                reduce,
                size,
                operands,
                results,
            } => {
                let (operands, results) = split(values, operands, results);
                for (run, result) in operands.chunks_exact(*size).zip(results) {
                    *result = match reduce {
                        Reduce::Mean => mean(run),
                        Reduce::Maximum => run[greatest(run)],
                    };
                }
            }
            Self::Sign {
                operands, results, ..
            } => {
                let (operands, results) = split(values, operands, results);
                binary::signs(operands, results);
            }
            Self::ToFloats {
                unit,
                bias,
                operands,
                results,
            } => {
                let (operands, results) = split(values, operands, results);
                results.copy_from_slice(
                    &parameters.tensors[*bias][stack * results.len()..][..results.len()],
                );
                sums::add_scaled(results, *unit, operands);
            }
        }
    }

    /// Backward pass: adds the gradients of the operands to `gradients` and those of the parameters to
    /// `gradient`.
    #[inline(always)]
    pub(crate) fn backward(
        &self,
        stack: usize,
        values: &[T],
        gradients: &mut [T],
        gradient: &mut Parameters<T>,
    ) {
        match self {
            Self::Scale {
                values: range,
                factor,
            } => sums::scale(&mut gradients[range.start..range.end], *factor),
            Self::Activate {
                loops,
                constants,
                parts,
                operands,
                results,
                ..
            } => {
                let values =
                    values[operands.start..operands.end].chunks_exact(operands.len() / parts);
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                let of_results = of_results.chunks_exact(results.len() / parts);
                let of_operands = of_operands.chunks_exact_mut(operands.len() / parts);
                for ((values, of_results), of_operands) in values.zip(of_results).zip(of_operands) {
                    (loops.gradients)(*constants, values, of_results, of_operands);
                }
            }
            Self::Pool {
                loops,
                constants,
                places,
                results,
                ..
            } => {
                let (of_values, from) = gradients.split_at_mut(results.start);
                (loops.gradients)(
                    *constants,
                    *places,
                    values,
                    &from[..results.len()],
                    of_values,
                );
            }
            Self::Reduce {
                reduce,
                size,
                operands,
                results,
            } => {
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                let runs = values[operands.start..operands.end].chunks_exact(*size);
                for ((run, of_run), &of_result) in runs
                    .zip(of_operands.chunks_exact_mut(*size))
                    .zip(of_results)
                {
                    match reduce {
                        Reduce::Mean => {
                            let each = of_result * share(*size);
                            of_run.iter_mut().for_each(|of_value| *of_value += each);
                        }
                        Reduce::Maximum => of_run[greatest(run)] += of_result,
                    }
                }
            }
            Self::Sign {
                unit,
                operands,
                results,
            } => {
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                binary::pass_through(
                    *unit,
                    &values[operands.start..operands.end],
                    of_results,
                    of_operands,
                );
            }
            Self::ToFloats {
                unit,
                bias,
                operands,
                results,
            } => {
                let (of_operands, of_results) = split_mut(gradients, operands, results);
                sums::add_scaled(of_operands, *unit, of_results);
                sums::add(
                    &mut gradient.tensors[*bias][stack * results.len()..][..results.len()],
                    of_results,
                );
            }
        }
    }
}

/// The weight of each of `size` values in their mean.
#[inline(always)]
fn share<T: Real>(size: usize) -> T {
    T::of(1.0 / size as f64)
}

#[inline(always)]
fn mean<T: Real>(run: &[T]) -> T {
    let mut sum = T::ZERO;
    for &value in run {
        sum += value;
    }
    sum * share(run.len())
}

/// The index of the greatest value; the first one of equals.
#[inline(always)]
fn greatest<T: Real>(run: &[T]) -> usize {
    let mut best = 0;
    for (index, value) in run.iter().enumerate() {
        if *value > run[best] {
            best = index;
        }
    }
    best
}

/// Operands and results. Operands come first, since every node comes after its operands.
#[inline(always)]
fn split<'a, T>(
    values: &'a mut [T],
    operands: &Range<usize>,
    results: &Range<usize>,
) -> (&'a [T], &'a mut [T]) {
    let (before, from) = values.split_at_mut(results.start);
    (
        &before[operands.start..operands.end],
        &mut from[..results.len()],
    )
}

/// The gradients of operands (to add to) and of results.
#[inline(always)]
fn split_mut<'a, T>(
    values: &'a mut [T],
    operands: &Range<usize>,
    results: &Range<usize>,
) -> (&'a mut [T], &'a [T]) {
    let (before, from) = values.split_at_mut(results.start);
    (
        &mut before[operands.start..operands.end],
        &from[..results.len()],
    )
}
