//! Integers instead of real numbers: the values that inference computes from rounded weights.
//!
//! ```text
//!   rounded weights ──► accumulators, sums ──Nearest──► whole ──Activate──► real ──Activation, Pool──► whole
//! ```
//!
//! Sums of rounded weights are integers up to float errors, so the nearest integer is that of inference.
//! Activations and pools are recomputed with the exact formula of [`nnue_spec::op`], which shifts and so
//! rounds down. The gradient is straight-through: that of the real formula at the integer operands.

use std::ops::Range;

use nnue_spec::op::{Activation, Operands, Pairs, Pool, Real, Strided, pairs};

type Formula = fn(Operands<i64>) -> i64;

/// The rounding of some values. NaN stays, so that a failed training is noticed.
#[derive(Clone, Debug)]
pub(crate) enum Whole {
    /// accumulators or sums of a layer: the nearest integer
    Nearest { values: Range<usize> },
    /// the results of an activation, separately for each of `parts` equal parts
    Activation {
        function: Activation,
        formula: Formula,
        pairs: Option<Pairs>,
        constants: (i64, u32),
        parts: usize,
        operands: Range<usize>,
        results: Range<usize>,
    },
    /// the means of runs of `size` bytes
    Mean {
        size: usize,
        operands: Range<usize>,
        results: Range<usize>,
    },
    /// the results of a pool of bytes
    Pool {
        pool: Pool,
        constants: (i64, u32),
        places: Strided,
        results: Range<usize>,
    },
}

impl Whole {
    #[inline(always)]
    pub(super) fn forward<T: Real>(&self, values: &mut [T]) {
        match self {
            Self::Nearest { values: range } => {
                for value in &mut values[range.start..range.end] {
                    *value = T::of(value.get().round_ties_even());
                }
            }
            Self::Activation {
                formula,
                pairs,
                constants,
                parts,
                operands,
                results,
                ..
            } => {
                let (before, from) = values.split_at_mut(results.start);
                let results = &mut from[..results.len()];
                let operands =
                    before[operands.start..operands.end].chunks_exact(operands.len() / parts);
                for (operands, results) in
                    operands.zip(results.chunks_exact_mut(results.len() / parts))
                {
                    let operands = pairs::operands(*pairs, operands);
                    operands
                        .zip(results)
                        .for_each(|(of, result)| overwrite(*formula, *constants, of, result));
                }
            }
            Self::Mean {
                size,
                operands,
                results,
            } => {
                let (before, from) = values.split_at_mut(results.start);
                let runs = before[operands.start..operands.end].chunks_exact(*size);
                for (run, result) in runs.zip(&mut from[..results.len()]) {
                    let sum: f64 = run.iter().map(|value| value.get()).sum();
                    if !result.get().is_nan() {
                        let count = *size as f64;
                        *result = T::of(((2.0 * sum + count) / (2.0 * count)).floor());
                    }
                }
            }
            Self::Pool {
                pool,
                constants,
                places:
                    Strided {
                        starts: [first, second],
                        stride,
                    },
                results,
            } => {
                let (formula, (before, from)) =
                    (pool.definition().bytes, values.split_at_mut(results.start));
                for (index, result) in from[..results.len()].iter_mut().enumerate() {
                    let of = (
                        before[first + stride * index],
                        before[second + stride * index],
                    );
                    overwrite(formula, *constants, of, result);
                }
            }
        }
    }
}

#[inline(always)]
fn overwrite<T: Real>(formula: Formula, (one, shift): (i64, u32), (x, y): (T, T), result: &mut T) {
    if !result.get().is_nan() {
        let [x, y] = [x, y].map(|operand| operand.get() as i64);
        *result = T::of(formula(Operands { x, y, one, shift }) as f64);
    }
}
