//! State of the recognition: the form of each value so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::build::Build;
use super::piece::{Parts, part};
use crate::fold::Folded;
use crate::graph::{Node, ValueId};
use crate::op::{Binary, Steps};
use crate::tensor::Tensor;

/// The reason for a node where no better one is known.
pub(super) const NOTHING: &str = "the language has nothing like it";

/// The form of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// parts of pieces of the network
    Parts(Parts),
    /// `x > 0` for each element
    Positive(Parts),
    /// the mean magnitude of each row, times a factor
    MeanMagnitude(Parts, f32),
    /// concatenated stacks, and their number
    Stacked(Parts, usize),
    /// for each `step` neighbours, those at `places`, reduced by the function if there are several
    Every {
        /// all neighbours
        parts: Parts,
        /// size of a group
        step: usize,
        /// indices in a group
        places: Vec<usize>,
        /// the reduction
        by: Option<Binary>,
    },
    /// quantised values
    Rounded(Parts, Steps),
    /// softmax of values
    Softmax(Parts),
    /// lists of rows
    Indices {
        /// index of the input
        input: usize,
    },
    /// whether each entry of a list is a row (not padding)
    Listed(usize),
    /// the row of a table for each entry of a list
    Looked {
        /// index of the input with the lists
        input: usize,
        table: Arc<Tensor>,
        /// padding gives rows of zeros
        masked: bool,
    },
    /// the side to move, 1 or 0; `flipped`: 0 or 1
    Turn {
        /// index of the input
        input: usize,
        /// `1 - input`
        flipped: bool,
    },
    /// `input - 0.5`
    Side(usize),
    /// values where one side moves, zeros where the other does
    Weighed {
        /// index of the input with the side to move
        input: usize,
        /// kept where the input is 0
        flipped: bool,
        parts: Parts,
    },
    /// an integer computed from one input, to choose stacks
    Count,
    /// unknown
    Nothing,
}

pub(super) enum Operand<'a> {
    Constant(&'a Tensor),
    Form(&'a Form, &'a [usize]),
}

pub(super) struct Walk<'a> {
    pub(super) folded: &'a Folded,
    pub(super) build: Build,
    pub(super) forms: BTreeMap<ValueId, Form>,
}

impl<'a> Walk<'a> {
    /// `features`: the inputs are rows of features.
    pub(super) fn new(folded: &'a Folded, features: bool) -> Self {
        Self {
            folded,
            build: Build::new(features),
            forms: BTreeMap::new(),
        }
    }

    pub(super) fn operand(&self, node: &Node, index: usize) -> Option<Operand<'_>> {
        let id = node.inputs.get(index).copied().flatten()?;
        match self.forms.get(&id) {
            Some(form) => Some(Operand::Form(form, &self.folded.shapes[id])),
            None => self.folded.graph.values[id]
                .constant
                .as_deref()
                .map(Operand::Constant),
        }
    }

    /// An operand, if it is a constant.
    pub(super) fn constant(&self, node: &Node, index: usize) -> Option<&Tensor> {
        if let Some(Operand::Constant(tensor)) = self.operand(node, index) {
            Some(tensor)
        } else {
            None
        }
    }

    /// An operand, if it is parts of pieces.
    pub(super) fn parts(&self, node: &Node, index: usize) -> Option<Parts> {
        if let Some(Operand::Form(Form::Parts(parts), _)) = self.operand(node, index) {
            Some(parts.clone())
        } else {
            None
        }
    }

    /// A range of channels. Over rows of features, a layer is cut into layers of their own.
    pub(super) fn part(&mut self, x: &Parts, start: usize, len: usize) -> Parts {
        let part = part(x, start, len);
        if self.build.features {
            self.build.narrowed_rows(part)
        } else {
            part
        }
    }

    /// The first operand of a node as parts.
    pub(super) fn numbers(&self, node: &Node) -> Result<Parts, String> {
        let why = match self.operand(node, 0) {
            Some(Operand::Form(Form::Every { .. } | Form::Stacked(..), _)) => {
                "numbers that stand apart are combined with their neighbours first: by `max`, a mean, or a product of two"
            }
            _ => "it reads something else than numbers of the network",
        };
        self.parts(node, 0).ok_or_else(|| why.into())
    }

    pub(super) fn shape(&self, node: &Node, index: usize) -> &[usize] {
        node.inputs
            .get(index)
            .copied()
            .flatten()
            .map_or(&[], |id| &self.folded.shapes[id])
    }

    /// Shape of the first result.
    pub(super) fn result(&self, node: &Node) -> &[usize] {
        node.outputs
            .first()
            .map_or(&[], |&id| &self.folded.shapes[id])
    }
}
