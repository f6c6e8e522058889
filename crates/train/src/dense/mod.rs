//! A declared network over a dense input in floating point: forward and backward pass.
//!
//! Values are lists of channels, rows and columns, as in [`nnue_spec::dense`]; parameters are the tensors of
//! [`DenseDesc::tensors`](nnue_spec::dense::DenseDesc::tensors). Means and variances of batch norms are
//! constants in both passes, as in inference; their gradient is zero. [`Network::follow`] updates them.

mod binary;
mod norms;
mod step;
#[cfg(test)]
mod tests;
mod windows;

use nnue_spec::dense::DenseDesc;
use nnue_spec::op::Real;

use crate::network::{Parameters, Tensor};
pub use norms::Moments;
use step::Step;

/// A declared network over a dense input for training.
///
/// ```
/// use nnue_train::dense::Network;
///
/// let graphs = nnue_codegen::dense_text("pub struct Sum = input[2] -> 1;").unwrap();
/// let network = Network::<f64>::new(&graphs[0].desc());
/// let (mut parameters, mut gradient) = (network.zeros(), network.zeros());
/// parameters.tensors[0] = vec![3.0, 5.0].into();
///
/// let mut workspace = network.workspace();
/// assert_eq!(network.forward(&parameters, &[10.0, 1.0], &mut workspace), [35.0]);
/// network.backward(&parameters, &mut workspace, &[1.0], &mut gradient);
/// assert_eq!((&*gradient.tensors[0], &*gradient.tensors[1]), (&[10.0, 1.0][..], &[1.0][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Network<T> {
    steps: Vec<Step<T>>,
    inputs: usize,
    /// length of the output, which is at the end of the values
    outputs: usize,
    /// length of all nodes together
    values: usize,
    lengths: Vec<usize>,
}

/// Values of an input and their gradients, kept from the forward to the backward pass.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    values: Vec<T>,
    gradients: Vec<T>,
}

impl<T: Real> Network<T> {
    /// Prepares a checked declaration. Gradients of binary layers are exact: they pass through the scales
    /// and, straight-through, the signs.
    pub fn new(net: &DenseDesc<'_>) -> Self {
        Self::with(net, true)
    }

    /// Like [`new`](Self::new) with the approximate gradient of binary layers, which treats scales as
    /// constants. It is cheaper and noisier; which one trains better depends on the network.
    pub fn approximate(net: &DenseDesc<'_>) -> Self {
        Self::with(net, false)
    }

    fn with(net: &DenseDesc<'_>, exact: bool) -> Self {
        Self {
            steps: step::steps(net, exact),
            inputs: net.input().len(),
            outputs: net.output().len(),
            values: net.nodes.iter().map(|node| node.shape.len()).sum(),
            lengths: net.tensors().iter().map(|tensor| tensor.len()).collect(),
        }
    }

    /// Zero parameters, in the order of [`DenseDesc::tensors`].
    pub fn zeros(&self) -> Parameters<T> {
        Parameters {
            tensors: self
                .lengths
                .iter()
                .map(|&length| Tensor::zeros(length))
                .collect(),
        }
    }

    /// A workspace for one input.
    pub fn workspace(&self) -> Workspace<T> {
        Workspace {
            values: vec![T::ZERO; self.values],
            gradients: vec![T::ZERO; self.values],
        }
    }

    /// Forward pass.
    ///
    /// # Panics
    ///
    /// If the input has another length, or parameters or workspace belong to another network.
    pub fn forward<'w>(
        &self,
        parameters: &Parameters<T>,
        input: &[T],
        workspace: &'w mut Workspace<T>,
    ) -> &'w [T] {
        let values = &mut workspace.values;
        values[..self.inputs].copy_from_slice(input);
        for step in &self.steps {
            step.forward(parameters, values);
        }
        &values[self.values - self.outputs..]
    }

    /// Backward pass: adds the gradients of the parameters to `gradient`. `workspace` must come from
    /// [`forward`](Self::forward) of the same input.
    ///
    /// # Panics
    ///
    /// As [`forward`](Self::forward).
    pub fn backward(
        &self,
        parameters: &Parameters<T>,
        workspace: &mut Workspace<T>,
        of_outputs: &[T],
        gradient: &mut Parameters<T>,
    ) {
        let Workspace { values, gradients } = workspace;
        gradients.fill(T::ZERO);
        gradients[self.values - self.outputs..].copy_from_slice(of_outputs);
        for step in self.steps.iter().rev() {
            step.backward(parameters, values, gradients, gradient);
        }
    }
}
