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
//! A few positions of one stack are computed at a time, in a [`Workspace`] of some kilobytes each: their values stay in near caches from the
//! first layer back to the accumulators, and the weights of a layer are read once for all of them. The loops are compiled for each family of
//! levels of `nnue-runtime`, and entered twice for these positions: forward and backward.

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
    /// numbers that all nodes have together, and more up to the next line of the cache
    values: usize,
    terms: Terms<T>,
    others: OtherOutputs<T>,
    head: Head,
    stacks: usize,
    level: AvailableLevel,
    lengths: Vec<usize>,
}

/// The values of positions and their gradient, kept from the way forward to the way back.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    /// the values of all nodes, one after the other; the accumulators come first
    values: Tensor<T>,
    gradients: Tensor<T>,
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
        build::build(graph, &factors(&tables.descriptor()), false)
    }

    /// The same with the values of inference: at parameters that [`fake_quantize`](crate::quantized::fake_quantize) has rounded, accumulators,
    /// sums and activated values of whole numbers are those of inference, exactly as long as the sums are below 2^24 (`f32`) or 2^53 (`f64`).
    /// Layers of floats and of 16-bit weights, and the output, are not rounded. Gradients are *straight-through*: the derivative of rounding is
    /// taken to be 1.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn rounding(graph: &Graph) -> Result<Self, Unsupported> {
        let plan = plan(graph);
        let tables = plan.tables();
        build::build(graph, &factors(&tables.descriptor()), true)
    }

    /// Parameters that are all zero, in the order of [`Graph::tensors`].
    pub fn zeros(&self) -> Parameters<T> {
        Parameters {
            tensors: self
                .lengths
                .iter()
                .map(|&length| Tensor::zeros(length))
                .collect(),
        }
    }

    /// The same without any numbers for the weights of features, which are most of them.
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

    /// Room for the values of a position.
    pub fn workspace(&self) -> Workspace<T> {
        self.workspace_of(1)
    }

    /// Room for the values of so many positions.
    pub(crate) fn workspace_of(&self, positions: usize) -> Workspace<T> {
        let room = || Tensor::zeros(self.values * positions);
        Workspace {
            values: room(),
            gradients: room(),
        }
    }

    /// What the outputs mean.
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

    /// Rows of the policy; 0 without one.
    pub fn rows(&self) -> usize {
        self.others.rows()
    }

    /// Each output with a name: its first value, and what 1 of it is.
    pub(crate) fn named_values(&self) -> impl Iterator<Item = (&Named, usize, T)> {
        self.others.named_values()
    }

    /// The layer of the policy, and what 1 of its results is.
    pub(crate) fn policy_layer(&self) -> Option<(&affine::Affine<T>, T)> {
        self.others.policy_layer()
    }

    /// Whether there are outputs beside the value.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.named.is_empty() || self.rows() > 0
    }

    /// Perspectives whose rows are read: 1 or 2.
    pub const fn perspectives(&self) -> usize {
        self.transformer.perspectives()
    }

    /// Layer stacks.
    pub const fn stacks(&self) -> usize {
        self.stacks
    }

    /// The operations between the accumulators and the outputs.
    pub(crate) fn steps(&self) -> &[Step<T>] {
        &self.steps
    }

    /// Numbers that all nodes have together.
    pub(crate) const fn values(&self) -> usize {
        self.values
    }

    /// What the outputs are sums of.
    pub(crate) const fn terms(&self) -> &Terms<T> {
        &self.terms
    }

    /// The numbers of each tensor.
    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// What makes accumulators of rows.
    pub(crate) const fn transformer(&self) -> &Transformer<T> {
        &self.transformer
    }

    /// The level at which loops are compiled. All levels give the same bits.
    pub(crate) const fn level(&self) -> AvailableLevel {
        self.level
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
        let mut outputs = [Outputs::default()];
        self.forward_all(parameters, &[position], workspace, (&mut outputs, &mut []));
        outputs[0]
    }

    /// The same, and what the outputs beside the value say.
    ///
    /// # Panics
    ///
    /// As [`forward`](Self::forward), and if the policy has no row that the position lists.
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

    /// The outputs for some positions of the same stack, and as many of the others as there is room for.
    ///
    /// # Panics
    ///
    /// As [`forward_others`](Self::forward_others); if there is no room for them.
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
        self.backward_others(
            parameters,
            position,
            workspace,
            (of_outputs, &Others::default()),
            gradient,
        );
    }

    /// The same with the gradient of the outputs beside the value: as many as [`forward_others`](Self::forward_others) gave, or none.
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

    /// The same for the positions of [`forward_all`](Self::forward_all), but for the weights of features, whose gradient follows from what is
    /// left in the workspace and from [`of_first_psqt`](Self::of_first_psqt).
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

    /// The gradient of the first perspective's PSQT outputs; see [`Transformer::of_first_psqt`].
    pub(crate) fn of_first_psqt(&self, of_outputs: Outputs<T>) -> Outputs<T> {
        self.transformer
            .of_first_psqt(self.terms.of_psqt(of_outputs))
    }
}

impl<T: Real> Workspace<T> {
    /// The gradient of the accumulators of each position, after [`Network::backward_all`].
    pub(crate) fn of_accumulators(&self, network: &Network<T>) -> impl Iterator<Item = &[T]> {
        let length = network.transformer.perspectives() * network.transformer.width();
        self.gradients
            .chunks_exact(network.values)
            .map(move |gradients| &gradients[..length])
    }
}

/// From the rows to the values of all nodes.
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

/// From the gradient of the last values to that of the accumulators and of what is before each step.
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
