//! A declared network in real numbers: its outputs, and their gradient.
//!
//! ```text
//!   rows of a position ──► Transformer ──► Scale ──► Activate, Affine, .. ──► Head ──► outputs
//!                              bias + rows    one          Steps              terms       │
//!   gradient of rows ◄──────────────────── backward ◄─────────────────────────────────────┘ gradient of the outputs
//! ```
//!
//! Weights are those of a trainer: 1.0 is one in every tensor, whatever stands for it in the file
//! ([`factors`]). The values between the layers stand in the units of the declared network, so that
//! activations are computed as [`nnue_spec::op`] defines them and clip where the network clips: every sum is multiplied by the factor of its
//! weights. Nothing is rounded. The value of a position is that of
//! [`evaluate_real`](nnue_spec::reference::evaluate_real) for the weights times their factors.
//!
//! One position is computed at a time, in a [`Workspace`] of a few kilobytes: its values stay in the nearest cache from the first layer
//! back to the last row.

mod affine;
mod build;
mod head;
mod parameters;
mod position;
mod step;
mod transformer;

use nnue_format::quantize::factors;
use nnue_spec::graph::Graph;
use nnue_spec::op::Real;
use nnue_spec::plan::plan;

pub use build::Unsupported;
use head::Terms;
pub(crate) use head::softmax;
pub use head::{Head, Outputs};
pub use parameters::Parameters;
pub use position::Position;
use step::Step;
use transformer::Transformer;

/// A declared network, to be trained.
///
/// ```
/// use nnue_train::network::{Network, Position};
///
/// let graphs = nnue_codegen::graph_text("pub struct Small = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };").unwrap();
/// let network = Network::<f32>::new(&graphs[0])?;
/// let (mut parameters, mut gradient) = (network.zeros(), network.zeros());
/// parameters.tensors[1][0] = 0.5; // the bias of the first neuron: tensors are in file order
/// parameters.tensors[2][0] = 2.0; // its weight in the output
///
/// let mut workspace = network.workspace();
/// let position = Position { rows: [&[0, 700], &[5, 400]], stack: 0 };
/// let outputs = network.forward(&parameters, position, &mut workspace);
/// assert!((outputs[0] - 0.5 * 0.5 * 2.0 * 400.0).abs() < 1e-3);
/// network.backward(&parameters, position, &mut workspace, [1.0, 0.0, 0.0], &mut gradient);
/// assert!((gradient.tensors[2][0] - 0.5 * 0.5 * 400.0).abs() < 1e-3);
/// # Ok::<(), nnue_train::network::Unsupported>(())
/// ```
#[derive(Clone, Debug)]
pub struct Network<T> {
    transformer: Transformer<T>,
    steps: Vec<Step<T>>,
    /// numbers that all nodes have together
    values: usize,
    terms: Terms<T>,
    head: Head,
    stacks: usize,
    lengths: Vec<usize>,
}

/// The values of a position and their gradient, kept from the way forward to the way back.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    /// the values of all nodes, one after the other; the accumulators come first
    values: Vec<T>,
    gradients: Vec<T>,
}

impl<T: Real> Network<T> {
    /// Prepares a checked declaration.
    ///
    /// # Errors
    ///
    /// [`Unsupported`]: an activation is a function of the program, whose derivative nobody knows.
    pub fn new(graph: &Graph) -> Result<Self, Unsupported> {
        let plan = plan(graph);
        let tables = plan.tables();
        build::build(graph, &factors(&tables.descriptor()))
    }

    /// Parameters that are all zero, in the order of [`Graph::tensors`].
    pub fn zeros(&self) -> Parameters<T> {
        Parameters { tensors: self.lengths.iter().map(|&length| vec![T::ZERO; length]).collect() }
    }

    /// Room for the values of a position.
    pub fn workspace(&self) -> Workspace<T> {
        Workspace { values: vec![T::ZERO; self.values], gradients: vec![T::ZERO; self.values] }
    }

    /// What the outputs mean.
    pub const fn head(&self) -> Head {
        self.head
    }

    /// Perspectives whose rows are read: 1 or 2.
    pub const fn perspectives(&self) -> usize {
        self.transformer.perspectives()
    }

    /// Layer stacks.
    pub const fn stacks(&self) -> usize {
        self.stacks
    }

    /// The outputs for a position, seen by the first perspective.
    ///
    /// # Panics
    ///
    /// If parameters or workspace are of another network, or if there is no such row or stack.
    pub fn forward(
        &self,
        parameters: &Parameters<T>,
        position: Position<'_>,
        workspace: &mut Workspace<T>,
    ) -> Outputs<T> {
        assert!(position.stack < self.stacks, "the network has {} stacks", self.stacks);
        let values = &mut workspace.values;
        self.transformer.accumulate(parameters, position.rows, values);
        for step in &self.steps {
            step.forward(parameters, position.stack, values);
        }
        let psqt = self.transformer.psqt_difference(parameters, position);
        self.terms.outputs(values, psqt)
    }

    /// Adds to `gradient` what follows for each parameter from the gradient of the outputs. `workspace` is as [`forward`](Self::forward) of
    /// the same position has left it.
    ///
    /// # Panics
    ///
    /// As [`forward`](Self::forward).
    pub fn backward(
        &self,
        parameters: &Parameters<T>,
        position: Position<'_>,
        workspace: &mut Workspace<T>,
        of_outputs: Outputs<T>,
        gradient: &mut Parameters<T>,
    ) {
        let Workspace { values, gradients } = workspace;
        gradients.fill(T::ZERO);
        self.terms.backward(of_outputs, gradients);
        for step in self.steps.iter().rev() {
            step.backward(parameters, position.stack, values, gradients, gradient);
        }
        self.transformer.backward(position.rows, gradients, gradient);
        self.transformer.psqt_backward(position, self.terms.of_psqt(of_outputs), gradient);
    }
}
