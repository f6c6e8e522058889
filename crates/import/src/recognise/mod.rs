//! Recognises the operations of the language in a graph.
//!
//! ```text
//!   Greater(x, 0) ─► Where(1, -1) ─► MatMul(+-1) ─► Mul(0.04) ─► Mul(mean |x|) ─► Add(bias)       is  affine(x, 64 binary, one_scale, input_scale)
//!   Clip(0, 1) ─► Mul(itself)                                                                      is  screlu
//! ```
//!
//! Each value gets a form: a value of the language, or an intermediate step towards one. Nodes are in
//! topological order, so one pass suffices and depth needs no recursion. A node without a form whose operands
//! have forms is listed as unsupported; the walk goes on, so that all of them are reported at once.

mod arithmetic;
mod build;
mod layers;
mod lists;
mod neighbours;
pub(crate) mod piece;
mod quantmoid;
mod selector;
mod shapes;
mod values;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{ImportError, Unsupported};
use crate::fold::Folded;
use crate::graph::{Graph, Node, ValueId};
use crate::name::shown;
use crate::tensor::Element;
use build::Build;
use piece::{Parts, Piece, PieceId, Pieces, Segment};
pub(crate) use quantmoid::NAME as QUANTMOID4;
pub(crate) use selector::Selector;
use selector::rule;
use values::forms;
use walk::{Form, Walk};

/// A network in terms of the language, before it is written.
#[derive(Debug)]
pub(crate) struct Recognised {
    pub(crate) pieces: Pieces,
    pub(crate) output: Parts,
    /// the function of the output
    pub(crate) head: Head,
    /// nodes without a counterpart; with any, values after them and perhaps the output are unknown
    pub(crate) unsupported: Vec<Unsupported>,
    /// operands of these nodes and of those that depend on them; there may be more unsupported pieces below
    pub(crate) read_by_unsupported: BTreeSet<PieceId>,
    /// the parts of each value of the graph
    pub(crate) made: BTreeMap<ValueId, Parts>,
    /// activations that the graph rounds, and their scales
    pub(crate) rounded: BTreeMap<PieceId, f32>,
    /// padding of lists
    pub(crate) padding: Option<i64>,
    /// integers that choose stacks
    counted: BTreeSet<ValueId>,
}

/// Function of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// none
    Plain,
    /// softmax
    Softmax,
}

impl Recognised {
    /// The rule by which a value chooses one of `stacks`.
    pub(crate) fn selector(
        &self,
        folded: &Folded,
        selector: ValueId,
        stacks: usize,
    ) -> Result<Selector, ImportError> {
        rule(folded, |id| self.counted.contains(&id), selector, stacks)
    }

    /// The value of the graph that equals a whole piece.
    pub(crate) fn value_of(&self, piece: PieceId) -> Option<ValueId> {
        let is_it = |parts: &[Segment]| matches!(parts, &[only] if only.piece == piece && self.pieces.is_whole(only));
        self.made
            .iter()
            .find(|(_, parts)| is_it(parts))
            .map(|(value, _)| *value)
    }

    /// Indices of the inputs that choose stacks.
    pub(crate) fn counts(&self, folded: &Folded) -> Vec<usize> {
        let inputs = folded.graph.inputs.iter().enumerate();
        inputs
            .filter(|(_, id)| self.counted.contains(id))
            .map(|(index, _)| index)
            .collect()
    }
}

/// Recognises the network of a graph; `features`: its inputs are rows of features.
///
/// # Errors
///
/// [`ImportError::Inputs`] if inputs or outputs have no counterpart. Nodes without one are
/// [listed](Recognised::unsupported).
pub(crate) fn recognise(folded: &Folded, features: bool) -> Result<Recognised, ImportError> {
    let found = walked(folded, features)?;
    let (head, output) = output(folded, &found)?;
    Ok(found.recognised(head, output))
}

/// As [`recognise`], for a part of a graph, whose outputs the unsupported rest
/// [reads](Recognised::read_by_unsupported).
pub(crate) fn recognise_part(folded: &Folded, features: bool) -> Result<Recognised, ImportError> {
    let mut found = walked(folded, features)?;
    for id in &folded.graph.outputs {
        if let Some(Form::Parts(parts)) = found.walk.forms.get(id) {
            found
                .read_by_unsupported
                .extend(parts.iter().map(|segment| segment.piece));
        }
    }
    Ok(found.recognised(Head::Plain, Parts::new()))
}

/// State after all nodes.
struct Found<'a> {
    walk: Walk<'a>,
    unsupported: Vec<Unsupported>,
    read_by_unsupported: BTreeSet<PieceId>,
}

impl Found<'_> {
    fn recognised(self, head: Head, output: Parts) -> Recognised {
        let Self {
            walk,
            unsupported,
            read_by_unsupported,
        } = self;
        let counted = walk
            .forms
            .iter()
            .filter(|(_, form)| **form == Form::Count)
            .map(|(id, _)| *id)
            .collect();
        let numbers = |(id, form): (ValueId, Form)| {
            if let Form::Parts(parts) = form {
                Some((id, parts))
            } else {
                None
            }
        };
        let made = walk.forms.into_iter().filter_map(numbers).collect();
        let Build {
            pieces,
            rounded,
            padding,
            ..
        } = walk.build;
        Recognised {
            pieces,
            output,
            head,
            unsupported,
            read_by_unsupported,
            made,
            rounded,
            padding,
            counted,
        }
    }
}

fn walked(folded: &Folded, features: bool) -> Result<Found<'_>, ImportError> {
    let graph = &folded.graph;
    let mut walk = Walk::new(folded, features);
    walk.build.node = usize::MAX; // inputs are made by no node
    for (index, &id) in graph.inputs.iter().enumerate() {
        let shape = &folded.shapes[id];
        let form = match (graph.values[id].element, shape.as_slice()) {
            (Some(Element::I64), [_] | [_, 1]) => Some(Form::Count),
            (Some(Element::I64), [_, _]) => Some(Form::Indices { input: index }),
            (Some(Element::F32), [_, _] | [_, _, _, _]) => None,
            _ => return Err(unread(graph, id, shape)),
        };
        let form = form.unwrap_or_else(|| {
            Form::Parts(walk.build.make(Piece::Input(index), shape[1..].to_vec()))
        });
        walk.forms.insert(id, form);
    }
    let (mut unsupported, mut read_by_unsupported) = (Vec::new(), BTreeSet::new());
    for (index, node) in graph.nodes.iter().enumerate() {
        walk.build.node = index;
        let before = walk.build.pieces.0.len();
        if let Err(why) = visit(&mut walk, node) {
            unsupported.push(node.unsupported(&why));
        }
        if node
            .outputs
            .iter()
            .any(|id| walk.forms.get(id) == Some(&Form::Nothing))
        {
            read_by_unsupported.extend(pieces_read(&walk, node));
        }
        if walk.build.pieces.0.len() > before {
            walk.build.pieces.check_size()?;
        }
    }
    Ok(Found {
        walk,
        unsupported,
        read_by_unsupported,
    })
}

/// The output and its function.
fn output(folded: &Folded, found: &Found<'_>) -> Result<(Head, Parts), ImportError> {
    let graph = &folded.graph;
    let &[output] = graph.outputs.as_slice() else {
        let names: Vec<String> = graph
            .outputs
            .iter()
            .map(|&id| format!("`{}`", shown(&graph.values[id].name)))
            .collect();
        let message = format!(
            "the graph has {} outputs ({}): networks over a dense input have one; choose it with `--graph-output NAME`",
            names.len(),
            names.join(", ")
        );
        return Err(ImportError::Inputs(message));
    };
    match found.walk.forms.get(&output).cloned() {
        Some(Form::Softmax(parts)) => Ok((Head::Softmax, parts)),
        Some(Form::Parts(parts)) => Ok((Head::Plain, parts)),
        _ if !found.unsupported.is_empty() => Ok((Head::Plain, Parts::new())),
        _ => {
            let name = shown(&graph.values[output].name);
            Err(ImportError::Inputs(format!(
                "output `{name}` is not made of sums and activations of the input"
            )))
        }
    }
}

/// Error for an input with an unsupported type or shape.
fn unread(graph: &Graph, id: ValueId, shape: &[usize]) -> ImportError {
    let name = shown(&graph.values[id].name);
    let element = graph.values[id].element.map_or("nothing", Element::name);
    let message = format!(
        "input `{name}` has {element} of the shape {shape:?}: networks read rows of floats, rows of planes of floats, lists of rows, and numbers of pieces"
    );
    ImportError::Inputs(message)
}

/// Computes the forms of the results of a node.
fn visit(walk: &mut Walk<'_>, node: &Node) -> Result<(), String> {
    let is_nothing = |id: &ValueId| walk.forms.get(id) == Some(&Form::Nothing);
    // After an unknown operand, which was listed, the node is not reported again.
    let found = match node.inputs.iter().flatten().any(is_nothing) {
        true => Ok(Vec::new()),
        false => forms(walk, node),
    };
    let (forms, result) = match found {
        Ok(forms) => (forms, Ok(())),
        Err(why) => (Vec::new(), Err(why)),
    };
    let mut forms = forms.into_iter();
    for &id in &node.outputs {
        walk.forms.insert(id, forms.next().unwrap_or(Form::Nothing));
    }
    result
}

fn pieces_read(walk: &Walk<'_>, node: &Node) -> Vec<PieceId> {
    let parts = (0..node.inputs.len()).filter_map(|index| walk.parts(node, index));
    parts.flatten().map(|segment| segment.piece).collect()
}
