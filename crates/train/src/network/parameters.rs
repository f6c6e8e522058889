//! Parameters, and gradients of the same shape.

use nnue_spec::op::Real;

use super::Tensor;
use super::sums::add;

/// One number for each parameter of a network: parameters, gradients or optimiser state.
///
/// Tensors have the order and layout of [`Graph::tensors`](nnue_spec::graph::Graph::tensors),
/// `[stack][row][column]`; padding columns are never read. The weights of a binary layer are
/// `[stack][output][input]`; its scales are empty, as they are the mean magnitudes of its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters<T> {
    /// the tensors, in file order
    pub tensors: Vec<Tensor<T>>,
}

impl<T: Real> Parameters<T> {
    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.tensors
            .iter_mut()
            .for_each(|tensor| tensor.fill(T::ZERO));
    }

    /// Converts to another number type, rounding if it is less precise.
    pub fn convert<U: Real>(&self) -> Parameters<U> {
        let convert =
            |tensor: &Tensor<T>| tensor.iter().map(|&number| U::of(number.get())).collect();
        Parameters {
            tensors: self.tensors.iter().map(convert).collect(),
        }
    }

    /// Adds another set of numbers.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    pub fn add(&mut self, other: &Self) {
        assert_eq!(self.tensors.len(), other.tensors.len(), "tensors");
        for (tensor, other) in self.tensors.iter_mut().zip(&other.tensors) {
            assert_eq!(tensor.len(), other.len(), "numbers of a tensor");
            add(tensor, other);
        }
    }
}
