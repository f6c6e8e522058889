//! A declared network over a dense input in real numbers: its outputs, and their gradient.
//!
//! Values are lists of channels, rows and columns, as [`nnue_spec::dense`] describes them, and parameters are the tensors of
//! [`DenseDesc::tensors`](nnue_spec::dense::DenseDesc::tensors). Means and variances of batch norms are taken as they are: what follows from
//! them for the parameters is what follows when the network is used, and their own gradient is zero. [`Network::follow`] moves them.

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

/// A declared network over a dense input, to be trained.
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
    /// numbers of the input
    inputs: usize,
    /// numbers of the output, the last ones of all values
    outputs: usize,
    /// numbers that all nodes have together
    values: usize,
    lengths: Vec<usize>,
}

/// The values of an input and their gradient, kept from the way forward to the way back.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    values: Vec<T>,
    gradients: Vec<T>,
}

impl<T: Real> Network<T> {
    /// Prepares a checked declaration. Gradients of binary layers are exact: they pass through scales as well as, straight through, signs.
    pub fn new(net: &DenseDesc<'_>) -> Self {
        Self::with(net, true)
    }

    /// The same with the approximate gradient of binary layers, for which scales are constants. It is less work and noisier; which of the
    /// two trains better depends on the network.
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

    /// Parameters that are all zero, in the order of [`DenseDesc::tensors`].
    pub fn zeros(&self) -> Parameters<T> {
        Parameters {
            tensors: self
                .lengths
                .iter()
                .map(|&length| Tensor::zeros(length))
                .collect(),
        }
    }

    /// Room for the values of an input.
    pub fn workspace(&self) -> Workspace<T> {
        Workspace {
            values: vec![T::ZERO; self.values],
            gradients: vec![T::ZERO; self.values],
        }
    }

    /// The outputs for an input.
    ///
    /// # Panics
    ///
    /// If the input has another length, or parameters or workspace are of another network.
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

    /// Adds to `gradient` what follows for each parameter from the gradient of the outputs. `workspace` is as [`forward`](Self::forward) of
    /// the same input has left it.
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
