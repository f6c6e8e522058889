//! The neurons of an accumulator may be in any order: if everything that reads them follows, the network evaluates
//! identically. Which neurons have to move together, and what follows them, is read off the descriptor.
//!
//! ```text
//!   pairwise accumulator of 8: groups a e, b f, c g, d h           order [2, 0, 1, 3]
//!
//!   bias, every feature row    a b c d | e f g h        becomes    c a b d | g e f h
//!   columns of the layer       ae bf cg dh (us), the    becomes    cg ae bf dh (us), the
//!   that reads the products    same again (them)                   same again (them)
//! ```
//!
//! Both perspectives have one order of their neurons, also where they do not share the feature rows. Kernels skip blocks of four
//! zero inputs: an order that brings neurons together which are zero in the same positions makes a network faster.

use std::error::Error;
use std::fmt;
use std::iter;
use std::ops::Range;

use nnue_spec::op::Pairs;
use nnue_spec::{
    Activation, LayerKind, NetDesc, Segment, SignOf, Source, StepDesc, TensorDesc, TensorMut,
    TensorRole,
};

/// Neurons of one perspective that move together: group `i` is the neurons `i`, `i + count`, `i + 2 * count`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// how many groups
    pub count: usize,
    /// neurons in a group: 2 where their products are taken, otherwise 1
    pub neurons: usize,
}

/// Why neurons may not change places as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PermuteError {
    /// a layer reads some of the neurons only, and has no weights for others
    Part {
        /// the layer
        layer: String,
        /// what it reads of a buffer
        read: Range<usize>,
        /// the values of that buffer
        values: usize,
    },
    /// a layer of floats adds the neurons up in their order, and another order rounds to another sum
    Floats {
        /// the layer
        layer: String,
    },
    /// neighbours among the neurons are combined, which have to stay neighbours
    Neighbours,
    /// a binary layer reads the signs of the neurons, eight to a byte
    Signs {
        /// the layer
        layer: String,
    },
    /// what is given is no order of the groups
    Order {
        /// groups of the network
        groups: usize,
        /// the first group that is missing or named twice; `None`: the number of groups is another one
        wrong: Option<usize>,
    },
}

impl Groups {
    /// The groups of a network.
    ///
    /// # Errors
    ///
    /// [`PermuteError::Part`], [`PermuteError::Floats`], [`PermuteError::Neighbours`], [`PermuteError::Signs`]: no order but the present one evaluates identically.
    pub fn of(net: &NetDesc<'_>) -> Result<Self, PermuteError> {
        for layer in net.layers {
            let of_floats =
                |segment: &Segment| net.origin(segment.buffer) == Source::FloatAccumulator;
            if layer.segments.iter().any(of_floats) {
                return Err(PermuteError::Floats {
                    layer: layer.name.to_owned(),
                });
            }
            let of_signs = |segment: &Segment| {
                net.buffers[segment.buffer].source == Source::Signs(SignOf::Accumulator)
            };
            if layer.segments.iter().any(of_signs) {
                return Err(PermuteError::Signs {
                    layer: layer.name.to_owned(),
                });
            }
            let values = |segment: &Segment| net.buffers[segment.buffer].len;
            let accumulator = |segment: &&Segment| {
                matches!(
                    net.buffers[segment.buffer].source,
                    Source::Accumulator | Source::Words
                )
            };
            for segment in layer.segments.iter().filter(accumulator) {
                if matches!(layer.kind, LayerKind::Float { .. }) {
                    return Err(PermuteError::Floats {
                        layer: layer.name.to_owned(),
                    });
                }
                if segment.len != values(segment) {
                    let read = segment.start..segment.start + segment.len;
                    return Err(PermuteError::Part {
                        layer: layer.name.to_owned(),
                        read,
                        values: values(segment),
                    });
                }
            }
        }
        if net.steps.iter().any(takes_neighbours) {
            return Err(PermuteError::Neighbours);
        }
        let neurons = if net.steps.iter().any(takes_products) {
            2
        } else {
            1
        };
        Ok(Self {
            count: net.accumulator.width / neurons,
            neurons,
        })
    }

    /// Whether `order` names every group once.
    fn check(self, order: &[usize]) -> Result<(), PermuteError> {
        let refuse = |wrong| {
            Err(PermuteError::Order {
                groups: self.count,
                wrong,
            })
        };
        if order.len() != self.count {
            return refuse(None);
        }
        let mut seen = vec![false; self.count];
        for &group in order {
            match seen.get_mut(group) {
                Some(seen) if !*seen => *seen = true,
                _ => return refuse(Some(group)),
            }
        }
        Ok(())
    }
}

/// Whether a step combines neurons of the two halves of an accumulator.
fn takes_products(step: &StepDesc) -> bool {
    let of_accumulators = matches!(
        step,
        StepDesc::ActivateAccumulator { .. } | StepDesc::AffineDirect { .. }
    );
    let operation = step.activation().and_then(Activation::operation);
    of_accumulators && operation.is_some_and(|operation| operation.pairs == Some(Pairs::Halves))
}

/// Whether a step combines neighbours among the neurons.
fn takes_neighbours(step: &StepDesc) -> bool {
    let operation = step.activation().and_then(Activation::operation);
    operation.is_some_and(|operation| operation.pairs == Some(Pairs::Neighbours))
}

/// Puts group `order[i]` of neurons at place `i`. The tensors are those of `net.tensors` in the same order; afterwards they
/// are a network of the same declaration that evaluates identically, and can be written as such.
///
/// # Errors
///
/// [`PermuteError`]; the tensors are as they were.
///
/// # Panics
///
/// If a tensor is shorter than the descriptor says.
pub fn permute(
    net: &NetDesc<'_>,
    tensors: &mut [TensorMut<'_>],
    order: &[usize],
) -> Result<(), PermuteError> {
    Groups::of(net)?.check(order)?;
    for (desc, tensor) in net.tensors.iter().zip(tensors) {
        let runs = runs(net, desc);
        if runs.is_empty() {
            continue;
        }
        match tensor {
            TensorMut::I8(values) => move_columns(values, desc.cols, &runs, order),
            TensorMut::I16(values) => move_columns(values, desc.cols, &runs, order),
            TensorMut::I32(values) => move_columns(values, desc.cols, &runs, order),
            TensorMut::F32(values) => move_columns(values, desc.cols, &runs, order),
        }
    }
    Ok(())
}

/// The columns of a tensor that belong to the neurons of one perspective, as often as there are such columns.
fn runs(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Vec<Range<usize>> {
    let width = net.accumulator.width;
    match desc.role {
        TensorRole::TransformerBias
        | TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondBias
        | TensorRole::SecondWeight
        | TensorRole::SecondExtraWeight(_) => iter::once(0..width).collect(),
        TensorRole::LayerWeight(layer) if net.layers[layer].kind == LayerKind::Direct => {
            perspectives(net, 0, net.layers[layer].inputs).collect()
        }
        TensorRole::LayerWeight(layer) => {
            let layer = &net.layers[layer];
            let accumulators = layer.segments.iter().enumerate();
            let accumulators = accumulators.filter(|(_, s)| {
                matches!(
                    net.buffers[s.buffer].source,
                    Source::Accumulator | Source::Words
                )
            });
            accumulators
                .flat_map(|(index, s)| perspectives(net, layer.segment_column(index), s.len))
                .collect()
        }
        TensorRole::TransformerPsqt
        | TensorRole::ExtraPsqt(_)
        | TensorRole::LayerBias(_)
        | TensorRole::LayerScale(_) => Vec::new(),
    }
}

/// `values` columns from `start` on, cut between the perspectives.
fn perspectives(
    net: &NetDesc<'_>,
    start: usize,
    values: usize,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let (count, each) = (
        net.accumulator.perspectives,
        values / net.accumulator.perspectives,
    );
    (0..count).map(move |side| start + side * each..start + (side + 1) * each)
}

/// In every row, brings the columns of each run into the order of the groups.
fn move_columns<T: Copy>(values: &mut [T], cols: usize, runs: &[Range<usize>], order: &[usize]) {
    let mut before = Vec::new();
    for row in values.chunks_exact_mut(cols) {
        for run in runs {
            before.clear();
            before.extend_from_slice(&row[run.clone()]);
            for (places, before) in row[run.clone()]
                .chunks_mut(order.len())
                .zip(before.chunks(order.len()))
            {
                places
                    .iter_mut()
                    .zip(order)
                    .for_each(|(place, &group)| *place = before[group]);
            }
        }
    }
}

impl fmt::Display for PermuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part {
                layer,
                read,
                values,
            } => write!(
                f,
                "the neurons have to stay where they are: layer `{layer}` reads values {}..{} of the {values} of an accumulator",
                read.start, read.end
            ),
            Self::Floats { layer } => write!(
                f,
                "the neurons have to stay where they are: layer `{layer}` adds floats up in their order, and would round \
                 to other sums"
            ),
            Self::Neighbours => f.write_str(
                "the neurons have to stay where they are: neighbours among them are combined",
            ),
            Self::Signs { layer } => {
                write!(
                    f,
                    "the neurons have to stay where they are: layer `{layer}` reads their signs, eight in a byte"
                )
            }
            Self::Order {
                groups,
                wrong: None,
            } => {
                write!(
                    f,
                    "the network has {groups} groups of neurons, the order another number"
                )
            }
            Self::Order {
                groups,
                wrong: Some(wrong),
            } => {
                write!(
                    f,
                    "an order names each of the {groups} groups of neurons once, group {wrong} is not one or is named twice"
                )
            }
        }
    }
}

impl Error for PermuteError {}
