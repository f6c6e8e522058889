//! Where the search is in a graph: what each value is so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::build::Build;
use super::piece::{Parts, part};
use crate::fold::Folded;
use crate::graph::{Node, ValueId};
use crate::op::{Binary, Steps};
use crate::tensor::Tensor;

/// What is said where nothing better is known.
pub(super) const NOTHING: &str = "the language has nothing like it";

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// numbers of the network
    Parts(Parts),
    /// whether each number is above zero
    Positive(Parts),
    /// the mean magnitude of all numbers of a row, times a factor
    MeanMagnitude(Parts, f32),
    /// numbers in several stacks, one after the other
    Stacked(Parts, usize),
    /// of each `step` neighbours those in these places, combined by the function where there are several
    Every {
        /// all of them
        parts: Parts,
        /// how many neighbours
        step: usize,
        /// which of them
        places: Vec<usize>,
        /// the function
        by: Option<Binary>,
    },
    /// numbers in steps
    Rounded(Parts, Steps),
    /// numbers that become probabilities
    Softmax(Parts),
    /// lists of rows, by the input of the graph
    Indices {
        /// the input
        input: usize,
    },
    /// whether each entry of a list is a row
    Listed(usize),
    /// for each entry of a list, that row of a table
    Looked {
        /// the input that has the lists
        input: usize,
        /// the table
        table: Arc<Tensor>,
        /// entries that are no rows are zeros
        masked: bool,
    },
    /// who moves, a number that is 1 or 0; `flipped`: 0 or 1
    Turn {
        /// the input
        input: usize,
        /// 1 minus the number
        flipped: bool,
    },
    /// half of 1 where the number of this input is 1, and of -1 where it is 0
    Side(usize),
    /// numbers, where that side moves, and zeros elsewhere
    Weighed {
        /// the input that says who moves
        input: usize,
        /// where the number is 0
        flipped: bool,
        /// the numbers
        parts: Parts,
    },
    /// a whole number that follows from one input, for choosing stacks
    Count,
    /// nothing that is known
    Nothing,
}

/// What a node reads.
pub(super) enum Operand<'a> {
    Constant(&'a Tensor),
    Form(&'a Form, &'a [usize]),
}

/// A graph, and what is known about its values so far.
pub(super) struct Walk<'a> {
    pub(super) folded: &'a Folded,
    pub(super) build: Build,
    pub(super) forms: BTreeMap<ValueId, Form>,
}

impl<'a> Walk<'a> {
    /// `features`: the inputs of the graph are rows of features.
    pub(super) fn new(folded: &'a Folded, features: bool) -> Self {
        Self {
            folded,
            build: Build::new(features),
            forms: BTreeMap::new(),
        }
    }

    /// What an input of a node is.
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

    /// The constant that an input of a node is.
    pub(super) fn constant(&self, node: &Node, index: usize) -> Option<&Tensor> {
        if let Some(Operand::Constant(tensor)) = self.operand(node, index) {
            Some(tensor)
        } else {
            None
        }
    }

    /// The numbers that an input of a node is.
    pub(super) fn parts(&self, node: &Node, index: usize) -> Option<Parts> {
        if let Some(Operand::Form(Form::Parts(parts), _)) = self.operand(node, index) {
            Some(parts.clone())
        } else {
            None
        }
    }

    /// Neighbouring channels. Of rows of features they are sums of their own.
    pub(super) fn part(&mut self, x: &Parts, start: usize, len: usize) -> Parts {
        let part = part(x, start, len);
        if self.build.features {
            self.build.narrowed_rows(part)
        } else {
            part
        }
    }

    /// The numbers that a node reads first.
    pub(super) fn numbers(&self, node: &Node) -> Result<Parts, String> {
        let why = match self.operand(node, 0) {
            Some(Operand::Form(Form::Every { .. } | Form::Stacked(..), _)) => {
                "numbers that stand apart are combined with their neighbours first: by `max`, a mean, or a product of two"
            }
            _ => "it reads something else than numbers of the network",
        };
        self.parts(node, 0).ok_or_else(|| why.into())
    }

    /// The shape of an input of a node.
    pub(super) fn shape(&self, node: &Node, index: usize) -> &[usize] {
        node.inputs
            .get(index)
            .copied()
            .flatten()
            .map_or(&[], |id| &self.folded.shapes[id])
    }

    /// The shape of the first value that a node makes.
    pub(super) fn result(&self, node: &Node) -> &[usize] {
        node.outputs
            .first()
            .map_or(&[], |&id| &self.folded.shapes[id])
    }
}
