//! Reorders the neurons of an accumulator and everything that reads them, so that the network evaluates
//! identically. The descriptor determines which neurons move together and what depends on them.
//!
//! ```text
//!   pairwise accumulator of 8: groups a e, b f, c g, d h           order [2, 0, 1, 3]
//!
//!   bias, every feature row    a b c d | e f g h        becomes    c a b d | g e f h
//!   columns of the layer       ae bf cg dh (us), the    becomes    cg ae bf dh (us), the
//!   that reads the products    same again (them)                   same again (them)
//! ```
//!
//! Both perspectives use the same order, even with separate feature rows. Kernels skip blocks of four zero
//! inputs, so a network gets faster if neurons that are zero in the same positions are adjacent.

use std::error::Error;
use std::fmt;
use std::iter;
use std::ops::Range;

use nnue_spec::op::Pairs;
use nnue_spec::{
    Activation, LayerKind, MapDesc, NetDesc, Segment, SignOf, Source, StepDesc, TensorDesc,
    TensorMut, TensorRole,
};

/// Neurons of a perspective that move together: group `i` is the neurons `i`, `i + count`, ..
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// number of groups
    pub count: usize,
    /// neurons in a group: 2 for products of halves, otherwise 1
    pub neurons: usize,
}

/// Why neurons cannot be reordered as requested.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PermuteError {
    /// a layer reads only some of the neurons
    Part {
        /// the layer
        layer: String,
        /// range that it reads of a buffer
        read: Range<usize>,
        /// size of the buffer
        values: usize,
    },
    /// a float layer sums the neurons in order, and another order rounds differently
    Floats {
        /// the layer
        layer: String,
    },
    /// a layer reads the neurons in shards, which are places of the accumulator
    Shards {
        /// the layer
        layer: String,
    },
    /// adjacent neurons are combined and must stay adjacent
    Neighbours,
    /// an expression of the declaration reads the neurons in their order
    Arithmetic,
    /// a binary layer reads the signs of the neurons, eight to a byte
    Signs {
        /// the layer
        layer: String,
    },
    /// not a permutation of the groups
    Order {
        /// groups of the network
        groups: usize,
        /// the first missing or repeated group; `None`: the number of groups is wrong
        wrong: Option<usize>,
    },
}

impl Groups {
    /// The groups of a network.
    ///
    /// # Errors
    ///
    /// [`PermuteError::Part`], [`PermuteError::Floats`], [`PermuteError::Shards`], [`PermuteError::Neighbours`],
    /// [`PermuteError::Signs`], [`PermuteError::Arithmetic`]: only the present order evaluates identically.
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
                if layer.shards.is_some() {
                    return Err(PermuteError::Shards {
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
        if net.maps.iter().any(MapDesc::reads_accumulators) {
            return Err(PermuteError::Arithmetic);
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

    /// Checks that `order` is a permutation of the groups.
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

/// Whether a step combines the two halves of an accumulator.
fn takes_products(step: &StepDesc) -> bool {
    let of_accumulators = matches!(
        step,
        StepDesc::ActivateAccumulator { .. } | StepDesc::AffineDirect { .. }
    );
    let operation = step.activation().and_then(Activation::operation);
    of_accumulators && operation.is_some_and(|operation| operation.pairs == Some(Pairs::Halves))
}

/// Whether a step combines adjacent neurons.
fn takes_neighbours(step: &StepDesc) -> bool {
    let operation = step.activation().and_then(Activation::operation);
    operation.is_some_and(|operation| operation.pairs == Some(Pairs::Neighbours))
}

/// Moves group `order[i]` of neurons to place `i`. The tensors are in the order of `net.tensors`; the result
/// is a network of the same declaration that evaluates identically.
///
/// # Errors
///
/// [`PermuteError`]; the tensors are unchanged then.
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

/// The column ranges of a tensor that belong to the neurons of one perspective.
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

/// `values` columns from `start` on, split by perspective.
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

/// Reorders the columns of each run in every row.
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
            Self::Shards { layer } => write!(
                f,
                "the neurons have to stay where they are: outputs of layer `{layer}` read shards of them"
            ),
            Self::Neighbours => f.write_str(
                "the neurons have to stay where they are: neighbours among them are combined",
            ),
            Self::Arithmetic => f.write_str(
                "the neurons have to stay where they are: an expression of the declaration reads them",
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
