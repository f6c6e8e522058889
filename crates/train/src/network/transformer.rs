//! The feature transformer: accumulators and PSQT outputs from the active rows.
//!
//! ```text
//!   values   a[0..width] of the first perspective | a[0..width] of the second
//!            a = bias + sum of the rows, in the trainer's unit; the first step multiplies it by the accumulator's scale
//! ```

use std::mem;
use std::ops::Range;

use nnue_runtime::simd::Simd;
use nnue_spec::graph::{Graph, Tensor};
use nnue_spec::op::Real;
use nnue_spec::{ElementType, TensorRole};

use super::head::Outputs;
use super::{Parameters, Position, sums};

/// The tensors of the transformer. If both perspectives share them, both entries are equal.
#[derive(Clone, Debug)]
pub(crate) struct Transformer<T> {
    width: usize,
    /// perspectives that layers read
    perspectives: usize,
    pub(crate) bias: [usize; 2],
    pub(crate) sets: Vec<Set>,
    pub(crate) psqt: Option<Psqt<T>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) rows: usize,
    pub(crate) weight: [usize; 2],
}

/// The tensors of the PSQT outputs. Integers: half the difference of the perspectives, in the column of the
/// stack. Floats: all columns of the first perspective.
#[derive(Clone, Debug)]
pub(crate) struct Psqt<T> {
    pub(crate) weight: Vec<usize>,
    /// columns: one for each stack, or, of floats, one for each output
    pub(crate) count: usize,
    /// whether the weights are floats
    pub(crate) floats: bool,
    /// the scale
    pub(crate) factor: T,
}

impl<T: Real> Psqt<T> {
    /// Number of outputs that they are added to: the first ones.
    pub(crate) const fn outputs(&self) -> usize {
        if self.floats { self.count } else { 1 }
    }

    /// Factor of the first perspective's sum of rows.
    pub(crate) fn share(&self) -> T {
        if self.floats {
            T::ONE
        } else {
            self.factor * T::of(0.5)
        }
    }

    /// Adds the gradient of [`Transformer::of_first_psqt`] to a row that is active for perspective `side`.
    pub(crate) fn add(
        &self,
        of_row: &mut [T],
        of_first: Outputs<T>,
        (side, stack): (usize, usize),
    ) {
        match (self.floats, side) {
            (true, 0) => of_row[..self.count]
                .iter_mut()
                .zip(of_first)
                .for_each(|(sum, of_column)| *sum += of_column),
            (true, _) => {}
            (false, 0) => of_row[stack] += of_first[0],
            (false, _) => of_row[stack] += -of_first[0],
        }
    }
}

impl<T: Real> Transformer<T> {
    pub(super) fn new(graph: &Graph, factors: &[f64]) -> Self {
        let accumulator = graph.accumulator;
        let find = |role| index_of(&graph.tensors, role);
        let sets = graph.features.iter().enumerate().map(|(set, feature)| Set {
            rows: feature.rows,
            weight: [0, 1].map(|perspective| find(accumulator.weight_of(perspective, set))),
        });
        let psqt = accumulator.psqt_columns().map(|(count, element)| {
            let weight: Vec<usize> = (0..graph.features.len())
                .map(|set| find(TensorRole::psqt_of(set)))
                .collect();
            Psqt {
                count,
                floats: element == ElementType::F32,
                factor: T::of(factors[weight[0]]),
                weight,
            }
        });
        Self {
            width: accumulator.width,
            perspectives: accumulator.perspectives,
            bias: [0, 1].map(|perspective| find(accumulator.bias_of(perspective))),
            sets: sets.collect(),
            psqt,
        }
    }

    pub(crate) const fn perspectives(&self) -> usize {
        self.perspectives
    }

    /// The feature set of a row that is numbered across all sets, and the row within that set.
    fn locate(&self, row: i32) -> (usize, usize) {
        let (set, first) = self.set_of(row);
        (set, (row - first) as usize)
    }

    /// The feature set of a row that is numbered across all sets, and the first row of that set.
    fn set_of(&self, row: i32) -> (usize, i32) {
        let mut first = 0;
        for (index, set) in self.sets.iter().enumerate() {
            let end = first + set.rows as i32;
            if (first..end).contains(&row) {
                return (index, first);
            }
            first = end;
        }
        panic!("the network has no row {row}")
    }

    #[inline(always)]
    pub(super) fn accumulate<S: Simd>(
        &self,
        simd: S,
        parameters: &Parameters<T>,
        rows: [&[i32]; 2],
        accumulators: &mut [T],
    ) {
        for perspective in 0..self.perspectives {
            let half = &mut accumulators[perspective * self.width..][..self.width];
            half.copy_from_slice(&parameters.tensors[self.bias[perspective]]);
            let mut rows = rows[perspective];
            while let Some(&row) = rows.first() {
                let (set, first) = self.set_of(row);
                let (of_set, others) = split_while(rows, first..first + self.sets[set].rows as i32);
                sums::add_rows(
                    simd,
                    half,
                    &parameters.tensors[self.sets[set].weight[perspective]],
                    of_set,
                    first,
                );
                rows = others;
            }
        }
    }

    /// Backward pass of the bias.
    #[inline(always)]
    pub(super) fn bias_backward(&self, of_accumulators: &[T], gradient: &mut Parameters<T>) {
        for perspective in 0..self.perspectives {
            let half = &of_accumulators[perspective * self.width..][..self.width];
            sums::add(&mut gradient.tensors[self.bias[perspective]], half);
        }
    }

    /// Backward pass of the active rows.
    pub(super) fn rows_backward(
        &self,
        rows: [&[i32]; 2],
        of_accumulators: &[T],
        gradient: &mut Parameters<T>,
    ) {
        for (perspective, half) in of_accumulators
            .chunks_exact(self.width)
            .take(self.perspectives)
            .enumerate()
        {
            for &row in rows[perspective] {
                let (set, row) = self.locate(row);
                let weight = &mut gradient.tensors[self.sets[set].weight[perspective]];
                sums::add(&mut weight[row * self.width..][..self.width], half);
            }
        }
    }

    /// What the PSQT adds to each output; zeros without PSQT.
    pub(super) fn psqt(&self, parameters: &Parameters<T>, position: Position<'_>) -> Outputs<T> {
        let mut added = Outputs::default();
        let Some(psqt) = &self.psqt else { return added };
        let sum = |rows: &[i32], column| {
            rows.iter().fold(T::ZERO, |sum, &row| {
                let (set, row) = self.locate(row);
                sum + parameters.tensors[psqt.weight[set]][row * psqt.count + column]
            })
        };
        if psqt.floats {
            let columns = added.iter_mut().take(psqt.count).enumerate();
            columns.for_each(|(column, added)| *added = sum(position.rows[0], column));
        } else {
            let [first, second] = position.rows.map(|rows| sum(rows, position.stack));
            added[0] = (first - second) * psqt.share();
        }
        added
    }

    /// The gradient of the first perspective's PSQT outputs, from that of what [`psqt`](Self::psqt) adds. The
    /// gradient of the second perspective is the negative of it for integers and zero for floats.
    pub(super) fn of_first_psqt(&self, of_added: Outputs<T>) -> Outputs<T> {
        match &self.psqt {
            Some(psqt) if psqt.floats => of_added,
            Some(psqt) => [of_added[0] * psqt.share(), T::ZERO, T::ZERO],
            None => Outputs::default(),
        }
    }

    /// Backward pass of [`psqt`](Self::psqt).
    pub(super) fn psqt_backward(
        &self,
        position: Position<'_>,
        of_added: Outputs<T>,
        gradient: &mut Parameters<T>,
    ) {
        let Some(psqt) = &self.psqt else { return };
        let of_first = self.of_first_psqt(of_added);
        for (side, rows) in position.rows.into_iter().enumerate() {
            for &row in rows {
                let (set, row) = self.locate(row);
                psqt.add(
                    &mut gradient.tensors[psqt.weight[set]][row * psqt.count..],
                    of_first,
                    (side, position.stack),
                );
            }
        }
    }
}

/// The gradient of consecutive rows.
#[derive(Debug)]
pub(crate) struct Rows<'a, T> {
    /// the first row, numbered across all sets
    pub(crate) first: usize,
    /// their weights; the second entry is empty unless the second perspective has its own
    pub(crate) weight: [&'a mut [T]; 2],
    /// their PSQT weights, empty without PSQT
    pub(crate) psqt: &'a mut [T],
}

impl<T: Real> Transformer<T> {
    /// Splits the gradient of all rows into pieces of at most `rows`.
    pub(crate) fn split<'a>(
        &self,
        gradient: &'a mut Parameters<T>,
        rows: usize,
    ) -> Vec<Rows<'a, T>> {
        let mut tensors: Vec<&mut [T]> = gradient
            .tensors
            .iter_mut()
            .map(|tensor| &mut **tensor)
            .collect();
        let (mut pieces, mut first) = (Vec::new(), 0);
        for (index, set) in self.sets.iter().enumerate() {
            // A tensor that both perspectives share is taken once.
            let mut weight = set.weight.map(|tensor| mem::take(&mut tensors[tensor]));
            let mut psqt = self.psqt.as_ref().map_or_else(Default::default, |psqt| {
                mem::take(&mut tensors[psqt.weight[index]])
            });
            let end = first + set.rows;
            while first < end {
                let count = rows.min(end - first);
                let weight = weight
                    .each_mut()
                    .map(|weight| take(weight, count * self.width));
                pieces.push(Rows {
                    first,
                    weight,
                    psqt: take(&mut psqt, count * self.psqt_count()),
                });
                first += count;
            }
        }
        pieces
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn rows(&self) -> usize {
        self.sets.iter().map(|set| set.rows).sum()
    }

    pub(crate) fn is_separate(&self) -> bool {
        self.bias[0] != self.bias[1]
    }

    pub(crate) fn psqt_count(&self) -> usize {
        self.psqt.as_ref().map_or(0, |psqt| psqt.count)
    }

    /// Whether a tensor has one row for each feature.
    pub(super) fn has_rows(&self, tensor: usize) -> bool {
        let of_psqt = self
            .psqt
            .as_ref()
            .is_some_and(|psqt| psqt.weight.contains(&tensor));
        of_psqt || self.sets.iter().any(|set| set.weight.contains(&tensor))
    }
}

/// Splits `count` elements, or all if there are fewer, off the beginning of a slice.
fn take<'a, T>(from: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = mem::take(from)
        .split_at_mut_checked(count)
        .unwrap_or_default();
    *from = rest;
    taken
}

/// Splits off the leading rows that are in the range.
#[inline(always)]
fn split_while(rows: &[i32], range: Range<i32>) -> (&[i32], &[i32]) {
    let mut count = 0;
    while count < rows.len() && range.start <= rows[count] && rows[count] < range.end {
        count += 1;
    }
    rows.split_at(count)
}

pub(super) fn index_of(tensors: &[Tensor], role: TensorRole) -> usize {
    tensors
        .iter()
        .position(|tensor| tensor.role == role)
        .expect("a checked network has all its tensors")
}
