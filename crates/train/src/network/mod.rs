//! A declared network in floating point: forward and backward pass.
//!
//! ```text
//!   rows of a position ──► Transformer ──► Scale ──► Activate, Affine, .. ──► Head ──► outputs
//!                              bias + rows    one          Steps              terms       │
//!   gradient of rows ◄──────────────────── backward ◄─────────────────────────────────────┘ gradient of the outputs
//! ```
//!
//! Weights have the trainer's unit: 1.0 means one in every tensor, whatever its scale in the file
//! ([`factors`]). Values between layers have the units of the declared network, so that activations are
//! computed, and clip, as [`nnue_spec::op`] defines them: every sum is multiplied by the scale of its
//! weights. Nothing is rounded. The value of a position is that of
//! [`evaluate_real`](nnue_spec::reference::evaluate_real) for the weights times their scales.
//!
//! A few positions of one stack are computed together, in a [`Workspace`] of some kilobytes each. So their
//! values stay in the cache from the forward to the backward pass, and the weights of a layer are loaded once
//! for all of them. The loops are compiled for each family of levels of `nnue-runtime` and dispatched twice
//! for these positions: forward and backward.

pub(crate) mod affine;
mod binary;
mod build;
pub(crate) mod elementwise;
mod head;
mod others;
mod parameters;
mod position;
mod step;
mod sums;
mod tensor;
#[cfg(test)]
mod tests;
mod transformer;
pub(crate) mod whole;

use nnue_runtime::AvailableLevel;
use nnue_runtime::simd::{Simd, Task, dispatch_family};
use nnue_spec::graph::Graph;
use nnue_spec::op::Real;
use nnue_spec::plan::plan;
use nnue_tools::quantize::factors;

pub use build::Unsupported;
pub(crate) use build::{columns, length as length_of};
pub(crate) use head::Terms;
pub(crate) use head::softmax;
pub use head::{Head, Outputs};
use others::OtherOutputs;
pub use others::{Meaning, Named, Others};
pub use parameters::Parameters;
pub use position::Position;
pub(crate) use step::Step;
pub(crate) use sums::{add_rows, add_scaled, dot};
pub use tensor::Tensor;
pub(crate) use transformer::{Psqt, Rows, Transformer};

/// A declared network for training.
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
/// let position = Position { rows: [&[0, 700], &[5, 400]], stack: 0, listed: &[] };
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
    /// length of all nodes together, rounded up to a cache line
    values: usize,
    terms: Terms<T>,
    others: OtherOutputs<T>,
    head: Head,
    stacks: usize,
    level: AvailableLevel,
    lengths: Vec<usize>,
}

/// Values of positions and their gradients, kept from the forward to the backward pass.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    /// values of all nodes, one after the other; the accumulators come first
    values: Tensor<T>,
    gradients: Tensor<T>,
}

impl<T: Real> Network<T> {
    /// Prepares a checked graph.
    ///
    /// # Errors
    ///
    /// [`Unsupported`]: an activation is a function of the program, whose derivative is unknown, or the network
    /// has arithmetic.
    pub fn new(graph: &Graph) -> Result<Self, Unsupported> {
        let plan = plan(graph);
        let tables = plan.tables();
        build::build(graph, &factors(&tables.descriptor()), false)
    }

    /// Like [`new`](Self::new), but rounds values as inference does. At parameters that
    /// [`fake_quantize`](crate::quantized::fake_quantize) has rounded, integer accumulators, sums and
    /// activations equal those of inference, exactly as long as sums are below 2^24 (`f32`) or 2^53 (`f64`).
    /// Layers of floats, layers with 16-bit weights and the output are not rounded. Gradients are
    /// *straight-through*: the derivative of rounding is taken as 1.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn rounding(graph: &Graph) -> Result<Self, Unsupported> {
        let plan = plan(graph);
        let tables = plan.tables();
        build::build(graph, &factors(&tables.descriptor()), true)
    }

    /// Zero parameters, in the order of [`Graph::tensors`].
    pub fn zeros(&self) -> Parameters<T> {
        Parameters {
            tensors: self
                .lengths
                .iter()
                .map(|&length| Tensor::zeros(length))
                .collect(),
        }
    }

    /// Zero parameters with empty tensors for the feature weights, which are most of them.
    pub(crate) fn zeros_of_layers(&self) -> Parameters<T> {
        let length = |(tensor, &length)| {
            if self.transformer.has_rows(tensor) {
                0
            } else {
                length
            }
        };
        let lengths = self.lengths.iter().enumerate().map(length);
        Parameters {
            tensors: lengths.map(Tensor::zeros).collect(),
        }
    }

    /// A workspace for one position.
    pub fn workspace(&self) -> Workspace<T> {
        self.workspace_of(1)
    }

    pub(crate) fn workspace_of(&self, positions: usize) -> Workspace<T> {
        let room = || Tensor::zeros(self.values * positions);
        Workspace {
            values: room(),
            gradients: room(),
        }
    }

    /// What the outputs of the value mean.
    pub const fn head(&self) -> Head {
        self.head
    }

    /// What all outputs mean.
    pub fn meaning(&self) -> Meaning<'_> {
        Meaning {
            value: self.terms.is_there().then_some(self.head),
            named: &self.others.named,
        }
    }

    /// Outputs (rows) of the policy; 0 without one.
    pub fn rows(&self) -> usize {
        self.others.rows()
    }

    /// Each named output with its first value and its unit.
    pub(crate) fn named_values(&self) -> impl Iterator<Item = (&Named, usize, T)> {
        self.others.named_values()
    }

    /// The layer of the policy and the unit of its results.
    pub(crate) fn policy_layer(&self) -> Option<(&affine::Affine<T>, T)> {
        self.others.policy_layer()
    }

    pub(crate) fn has_others(&self) -> bool {
        !self.others.named.is_empty() || self.rows() > 0
    }

    /// Perspectives that are read: 1 or 2.
    pub const fn perspectives(&self) -> usize {
        self.transformer.perspectives()
    }

    /// Layer stacks.
    pub const fn stacks(&self) -> usize {
        self.stacks
    }

    pub(crate) fn steps(&self) -> &[Step<T>] {
        &self.steps
    }

    /// Length of all nodes together, rounded up to a cache line.
    pub(crate) const fn values(&self) -> usize {
        self.values
    }

    pub(crate) const fn terms(&self) -> &Terms<T> {
        &self.terms
    }

    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    pub(crate) const fn transformer(&self) -> &Transformer<T> {
        &self.transformer
    }

    /// The level for which loops are compiled. All levels give the same bits.
    pub(crate) const fn level(&self) -> AvailableLevel {
        self.level
    }

    /// Forward pass: the outputs for a position, from the first perspective.
    ///
    /// # Panics
    ///
    /// If parameters or workspace belong to another network, or if a row or stack does not exist.
    pub fn forward(
        &self,
        parameters: &Parameters<T>,
        position: Position<'_>,
        workspace: &mut Workspace<T>,
    ) -> Outputs<T> {
        let mut outputs = [Outputs::default()];
        self.forward_all(parameters, &[position], workspace, (&mut outputs, &mut []));
        outputs[0]
    }

    /// Like [`forward`](Self::forward), and also computes the outputs besides the value.
    ///
    /// # Panics
    ///
    /// As [`forward`](Self::forward), and if a listed row is not in the policy.
    pub fn forward_others(
        &self,
        parameters: &Parameters<T>,
        position: Position<'_>,
        workspace: &mut Workspace<T>,
        others: &mut Others<T>,
    ) -> Outputs<T> {
        let mut outputs = [Outputs::default()];
        self.forward_all(
            parameters,
            &[position],
            workspace,
            (&mut outputs, std::slice::from_mut(others)),
        );
        outputs[0]
    }

    /// Forward pass of positions of one stack. Fills as many `others` as there is room for.
    ///
    /// # Panics
    ///
    /// As [`forward_others`](Self::forward_others).
    pub(crate) fn forward_all(
        &self,
        parameters: &Parameters<T>,
        positions: &[Position<'_>],
        workspace: &mut Workspace<T>,
        (outputs, others): (&mut [Outputs<T>], &mut [Others<T>]),
    ) {
        let stack = positions[0].stack;
        assert!(
            stack < self.stacks,
            "the network has {} stacks",
            self.stacks
        );
        let values = &mut workspace.values[..positions.len() * self.values];
        dispatch_family(
            self.level,
            Forward {
                network: self,
                parameters,
                positions,
                stack,
                values,
                others,
            },
        );
        for ((position, values), output) in positions
            .iter()
            .zip(values.chunks_exact(self.values))
            .zip(outputs)
        {
            *output = self
                .terms
                .outputs(values, self.transformer.psqt(parameters, *position));
        }
    }

    /// Backward pass: adds the gradients of the parameters to `gradient`. `workspace` must come from
    /// [`forward`](Self::forward) of the same position.
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
        self.backward_others(
            parameters,
            position,
            workspace,
            (of_outputs, &Others::default()),
            gradient,
        );
    }

    /// Like [`backward`](Self::backward), with gradients of the outputs besides the value: as many as
    /// [`forward_others`](Self::forward_others) gave, or none.
    ///
    /// # Panics
    ///
    /// As [`forward_others`](Self::forward_others).
    pub fn backward_others(
        &self,
        parameters: &Parameters<T>,
        position: Position<'_>,
        workspace: &mut Workspace<T>,
        (of_outputs, of_others): (Outputs<T>, &Others<T>),
        gradient: &mut Parameters<T>,
    ) {
        let of_all = (&[of_outputs][..], std::slice::from_ref(of_others));
        self.backward_all(parameters, &[position], workspace, of_all, gradient);
        self.transformer
            .rows_backward(position.rows, &workspace.gradients, gradient);
        self.transformer
            .psqt_backward(position, self.terms.of_psqt(of_outputs), gradient);
    }

    /// Backward pass of the positions of [`forward_all`](Self::forward_all), without the feature weights:
    /// their gradient follows from the workspace and from [`of_first_psqt`](Self::of_first_psqt).
    pub(crate) fn backward_all(
        &self,
        parameters: &Parameters<T>,
        positions: &[Position<'_>],
        workspace: &mut Workspace<T>,
        (of_outputs, of_others): (&[Outputs<T>], &[Others<T>]),
        gradient: &mut Parameters<T>,
    ) {
        let size = positions.len() * self.values;
        let (values, gradients) = (&workspace.values[..size], &mut workspace.gradients[..size]);
        gradients.fill(T::ZERO);
        for (of_outputs, gradients) in of_outputs
            .iter()
            .zip(gradients.chunks_exact_mut(self.values))
        {
            self.terms.backward(*of_outputs, gradients);
        }
        let task = Backward {
            network: self,
            parameters,
            positions,
            of_others,
            values,
            gradients,
            gradient,
        };
        dispatch_family(self.level, task);
    }

    /// Gradient of the first perspective's PSQT outputs; see [`Transformer::of_first_psqt`].
    pub(crate) fn of_first_psqt(&self, of_outputs: Outputs<T>) -> Outputs<T> {
        self.transformer
            .of_first_psqt(self.terms.of_psqt(of_outputs))
    }
}

impl<T: Real> Workspace<T> {
    /// Gradient of the accumulators of each position, after [`Network::backward_all`].
    pub(crate) fn of_accumulators(&self, network: &Network<T>) -> impl Iterator<Item = &[T]> {
        let length = network.transformer.perspectives() * network.transformer.width();
        self.gradients
            .chunks_exact(network.values)
            .map(move |gradients| &gradients[..length])
    }
}

struct Forward<'a, T> {
    network: &'a Network<T>,
    parameters: &'a Parameters<T>,
    positions: &'a [Position<'a>],
    stack: usize,
    values: &'a mut [T],
    others: &'a mut [Others<T>],
}

impl<T: Real> Task for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            network,
            parameters,
            positions,
            stack,
            values,
            others,
        } = self;
        for (position, values) in positions
            .iter()
            .zip(values.chunks_exact_mut(network.values))
        {
            network
                .transformer
                .accumulate(simd, parameters, position.rows, values);
        }
        for step in &network.steps {
            step.forward(parameters, stack, values, network.values);
        }
        for ((position, values), others) in positions
            .iter()
            .zip(values.chunks_exact(network.values))
            .zip(others)
        {
            network
                .others
                .forward(parameters, (stack, position.listed), values, others);
        }
    }
}

/// Backward pass from the last values to the accumulators.
struct Backward<'a, T> {
    network: &'a Network<T>,
    parameters: &'a Parameters<T>,
    positions: &'a [Position<'a>],
    of_others: &'a [Others<T>],
    values: &'a [T],
    gradients: &'a mut [T],
    gradient: &'a mut Parameters<T>,
}

impl<T: Real> Task for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self {
            network,
            parameters,
            positions,
            of_others,
            values,
            gradients,
            gradient,
        } = self;
        let (stack, size) = (positions[0].stack, network.values);
        let of_positions = values
            .chunks_exact(size)
            .zip(gradients.chunks_exact_mut(size))
            .zip(positions);
        for ((of_one, position), of_others) in of_positions.zip(of_others) {
            network.others.backward(
                (parameters, stack, position.listed),
                of_one,
                of_others,
                gradient,
            );
        }
        for step in network.steps.iter().rev() {
            step.backward(
                simd,
                (parameters, stack),
                (values, &mut *gradients),
                size,
                gradient,
            );
        }
        for gradients in gradients.chunks_exact(size) {
            network.transformer.bias_backward(gradients, gradient);
        }
    }
}
