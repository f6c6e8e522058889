//! The feature transformer: accumulators and PSQT outputs from the active rows.
//!
//! ```text
//!   values   a[0..width] of the first perspective | a[0..width] of the second
//!            a = bias + sum of the rows, in the trainer's unit; the first step multiplies it by the accumulator's scale
//! ```

use nnue_spec::TensorRole;
use nnue_spec::graph::{Graph, Tensor};
use nnue_spec::op::Real;

use super::{Parameters, Position, parameters};

/// The tensors of the transformer. Where both perspectives share them, both entries are the same.
#[derive(Clone, Debug)]
pub(super) struct Transformer<T> {
    width: usize,
    /// those that layers read
    perspectives: usize,
    bias: [usize; 2],
    sets: Vec<Set>,
    psqt: Option<Psqt<T>>,
}

#[derive(Clone, Debug)]
struct Set {
    rows: usize,
    weight: [usize; 2],
}

#[derive(Clone, Debug)]
struct Psqt<T> {
    /// the tensor of each set
    weight: Vec<usize>,
    /// columns: one for each stack
    count: usize,
    /// what 1.0 is
    factor: T,
}

impl<T: Real> Transformer<T> {
    pub(super) fn new(graph: &Graph, factors: &[f64]) -> Self {
        let accumulator = graph.accumulator;
        let find = |role| index_of(&graph.tensors, role);
        let sets = graph.features.iter().enumerate().map(|(set, feature)| Set {
            rows: feature.rows,
            weight: [0, 1].map(|perspective| find(accumulator.weight_of(perspective, set))),
        });
        let psqt = (accumulator.psqt > 0).then(|| {
            let weight: Vec<usize> = (0..graph.features.len()).map(|set| find(TensorRole::psqt_of(set))).collect();
            Psqt { count: accumulator.psqt, factor: T::of(factors[weight[0]]), weight }
        });
        Self {
            width: accumulator.width,
            perspectives: accumulator.perspectives,
            bias: [0, 1].map(|perspective| find(accumulator.bias_of(perspective))),
            sets: sets.collect(),
            psqt,
        }
    }

    pub(super) const fn perspectives(&self) -> usize {
        self.perspectives
    }

    /// The set of a row that counts all sets, and the row in that set.
    fn locate(&self, row: i32) -> (usize, usize) {
        let mut row = usize::try_from(row).expect("rows are counted from 0");
        for (index, set) in self.sets.iter().enumerate() {
            if row < set.rows {
                return (index, row);
            }
            row -= set.rows;
        }
        panic!("the network has no such row")
    }

    /// Writes the accumulators.
    pub(super) fn accumulate(&self, parameters: &Parameters<T>, rows: [&[i32]; 2], values: &mut [T]) {
        let halves = values.chunks_exact_mut(self.width).take(self.perspectives);
        for (perspective, half) in halves.enumerate() {
            half.copy_from_slice(&parameters.tensors[self.bias[perspective]]);
            for &row in rows[perspective] {
                let (set, row) = self.locate(row);
                let weight = &parameters.tensors[self.sets[set].weight[perspective]];
                parameters::add(half, &weight[row * self.width..][..self.width]);
            }
        }
    }

    /// Adds the gradient of the accumulators to that of the bias and of the active rows.
    pub(super) fn backward(&self, rows: [&[i32]; 2], gradients: &[T], gradient: &mut Parameters<T>) {
        for (perspective, half) in gradients.chunks_exact(self.width).take(self.perspectives).enumerate() {
            parameters::add(&mut gradient.tensors[self.bias[perspective]], half);
            for &row in rows[perspective] {
                let (set, row) = self.locate(row);
                let weight = &mut gradient.tensors[self.sets[set].weight[perspective]];
                parameters::add(&mut weight[row * self.width..][..self.width], half);
            }
        }
    }

    /// Half of the difference between the PSQT outputs of both perspectives, of the stack that counts; 0 without PSQT.
    pub(super) fn psqt_difference(&self, parameters: &Parameters<T>, position: Position<'_>) -> T {
        let Some(psqt) = &self.psqt else { return T::ZERO };
        let [first, second] = position.rows.map(|rows| {
            rows.iter().fold(T::ZERO, |sum, &row| {
                let (set, row) = self.locate(row);
                sum + parameters.tensors[psqt.weight[set]][row * psqt.count + position.stack]
            })
        });
        (first - second) * psqt.factor * T::of(0.5)
    }

    /// Adds the gradient of [`psqt_difference`](Self::psqt_difference) to that of the active rows.
    pub(super) fn psqt_backward(&self, position: Position<'_>, of_difference: T, gradient: &mut Parameters<T>) {
        let Some(psqt) = &self.psqt else { return };
        let of_first = of_difference * psqt.factor * T::of(0.5);
        for (rows, of_sum) in position.rows.into_iter().zip([of_first, -of_first]) {
            for &row in rows {
                let (set, row) = self.locate(row);
                gradient.tensors[psqt.weight[set]][row * psqt.count + position.stack] += of_sum;
            }
        }
    }
}

/// The tensor with this role.
pub(super) fn index_of(tensors: &[Tensor], role: TensorRole) -> usize {
    tensors.iter().position(|tensor| tensor.role == role).expect("a checked network has all its tensors")
}
