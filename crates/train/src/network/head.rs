//! The outputs as linear functions of neurons and PSQT, and their meaning.

use nnue_spec::graph::Graph;
use nnue_spec::op::Real;
use nnue_spec::{Ratio, ValueDesc};

/// The outputs for a position; unused ones are 0.
pub type Outputs<T> = [T; 3];

/// The meaning of the outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Head {
    /// the first output is the value of the position, in the unit of the network
    Value {
        /// the value of an output of 1.0 if the network declares it, otherwise 1
        scale: f64,
    },
    /// the first output is a logit: the expected score is `1 / (1 + exp(-output))`
    Sigmoid {
        /// value of an expected score of 1
        scale: f64,
    },
    /// the outputs are logits of loss, draw and win
    Wdl {
        /// value of a certain win
        scale: f64,
    },
}

impl Head {
    pub(super) fn of(value: ValueDesc) -> Self {
        match value {
            ValueDesc::Together { .. }
            | ValueDesc::Separately { .. }
            | ValueDesc::Shifted { .. } => Self::Value { scale: 1.0 },
            ValueDesc::Scaled { num, .. } => Self::Value { scale: num as f64 },
            ValueDesc::Float { scale } => Self::Value {
                scale: scale.real(),
            },
            ValueDesc::Sigmoid { scale } => Self::Sigmoid {
                scale: scale.into(),
            },
            ValueDesc::Wdl { scale } => Self::Wdl {
                scale: scale.into(),
            },
        }
    }

    /// The value of the position for the first perspective, not rounded.
    pub fn value<T: Real>(self, outputs: Outputs<T>) -> f64 {
        match self {
            Self::Value { .. } => outputs[0].get(),
            Self::Sigmoid { scale } => scale / (1.0 + (-outputs[0].get()).exp()),
            Self::Wdl { scale } => {
                let [_, draw, win] = softmax(outputs.map(T::get));
                scale * (win + draw / 2.0)
            }
        }
    }
}

/// `exp(y) / sum of exp(y)`.
pub(crate) fn softmax(logits: [f64; 3]) -> [f64; 3] {
    let greatest = logits.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let shares = logits.map(|logit| (logit - greatest).exp());
    let sum: f64 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// The outputs as sums of neurons.
#[derive(Clone, Debug)]
pub(crate) struct Terms<T> {
    /// terms of each output: index of the value and factor
    pub(crate) outputs: Vec<Vec<(usize, T)>>,
    /// factor of what PSQT adds
    pub(crate) psqt: T,
}

impl<T: Real> Terms<T> {
    /// `starts` has the offset of each node in the values.
    pub(super) fn new(graph: &Graph, starts: &[usize]) -> Self {
        if let ValueDesc::Wdl { .. } = graph.value {
            let start = starts[graph.terms[0].node];
            return Self {
                outputs: (start..start + 3)
                    .map(|index| vec![(index, T::ONE)])
                    .collect(),
                psqt: T::ONE,
            };
        }
        let factor =
            |ratio: Option<Ratio>| ratio.map_or(1.0, |ratio| ratio.num as f64 / ratio.den as f64);
        let whole = factor(graph.ratio) * unit(graph.value);
        let terms = graph.terms.iter().map(|term| {
            let sign = if term.negative { -1.0 } else { 1.0 };
            (
                starts[term.node] + term.neuron,
                T::of(sign * factor(term.ratio) * whole),
            )
        });
        Self {
            outputs: vec![terms.collect()],
            psqt: T::of(unit(graph.value)),
        }
    }

    /// Whether the network has a value; with only a policy it has none.
    pub(super) fn is_there(&self) -> bool {
        self.outputs.iter().any(|terms| !terms.is_empty())
    }

    pub(super) fn outputs(&self, values: &[T], psqt: Outputs<T>) -> Outputs<T> {
        let mut outputs = Outputs::default();
        for (terms, output) in self.outputs.iter().zip(&mut outputs) {
            *output = terms.iter().fold(T::ZERO, |sum, &(index, factor)| {
                sum + values[index] * factor
            });
        }
        outputs
            .iter_mut()
            .zip(psqt)
            .for_each(|(output, psqt)| *output += psqt * self.psqt);
        outputs
    }

    /// Adds the gradient of the outputs to that of the neurons.
    pub(super) fn backward(&self, of_outputs: Outputs<T>, gradients: &mut [T]) {
        for (terms, of_output) in self.outputs.iter().zip(of_outputs) {
            for &(index, factor) in terms {
                gradients[index] += of_output * factor;
            }
        }
    }

    pub(super) fn of_psqt(&self, of_outputs: Outputs<T>) -> Outputs<T> {
        of_outputs.map(|of_output| of_output * self.psqt)
    }
}

/// The unit of the output, as a multiple of that of the first of [`Outputs`].
fn unit(value: ValueDesc) -> f64 {
    match value {
        ValueDesc::Together { divide } | ValueDesc::Separately { divide } => {
            1.0 / f64::from(divide)
        }
        ValueDesc::Shifted { bits } => 1.0 / f64::from(1_u32 << bits),
        ValueDesc::Scaled { num, den } => num as f64 / den as f64,
        ValueDesc::Float { scale } => scale.real(),
        ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => 1.0,
    }
}
