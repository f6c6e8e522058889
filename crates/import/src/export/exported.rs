//! Models that [`onnx`] wrote: the file contains its declaration, and the graph is checked against it.
//!
//! ```text
//!   metadata `nnue.declaration` ──compiled by the caller──► descriptor ─┐
//!   weights of the graph ───────────────────────────────────► tensors ──┴──► written again: the same nodes, weights, inputs and outputs?
//! ```
//!
//! A graph in integers has `Mod`, `Div` and `Min` where the language says `affine(pairwise(acc), 16)`.
//! Comparing it with the graph that would be written for the declaration is the strictest proof that it is
//! that network.

use nnue_spec::{NetDesc, TensorMut, TensorRef};
use prost::Message as _;

use super::form::Form;
use super::onnx;
use super::read::stored;
use crate::error::ImportError;
use crate::graph::Origin;
use crate::name::shown;
use crate::onnx::{origin, proto, scan};

/// Metadata key of the declaration.
pub(super) const PROPERTY: &str = "nnue.declaration";

/// Metadata key of the form of layers with 8-bit weights, and its value for QDQ. Without the key they are
/// integers.
pub(super) const FORM: &str = "nnue.form";
pub(super) const QDQ: &str = "qdq";

const MAX_DECLARATION: usize = 1 << 16;

/// A model that [`onnx`] wrote, or that claims so.
#[derive(Clone, Debug)]
pub struct Exported {
    /// format, producer and version
    pub origin: Origin,
    declaration: String,
    form: Form,
    graph: proto::Graph,
}

/// The model of a file, if its metadata has a declaration; `None` also for damaged files, which
/// [`read`](crate::onnx::read) reports.
///
/// # Errors
///
/// [`ImportError`]: the version of the operations is not supported, or the declaration is too long.
pub fn exported(file: &[u8]) -> Result<Option<Exported>, ImportError> {
    if scan::check(file).is_err() {
        return Ok(None);
    }
    let Ok(model) = proto::Model::decode(file) else {
        return Ok(None);
    };
    let Some(claim) = model.metadata.iter().find(|entry| entry.key == PROPERTY) else {
        return Ok(None);
    };
    if claim.value.len() > MAX_DECLARATION {
        return Err(ImportError::Limit {
            what: "bytes of a declaration in its metadata",
            most: MAX_DECLARATION,
        });
    }
    let (declaration, origin) = (claim.value.clone(), origin(&model)?);
    let is_qdq = model
        .metadata
        .iter()
        .any(|entry| entry.key == FORM && entry.value == QDQ);
    let form = if is_qdq {
        Form::Qdq
    } else {
        Form::WholeNumbers
    };
    Ok(Some(Exported {
        origin,
        declaration,
        form,
        graph: model.graph.unwrap_or_default(),
    }))
}

impl Exported {
    /// The declaration in the file: untrusted text, to be compiled as such.
    pub fn declaration(&self) -> &str {
        &self.declaration
    }

    /// The form of its layers with 8-bit weights.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Checks that the graph has all weights of a network, with their types and lengths. Call this before
    /// allocating the weights: a short declaration may describe a huge network.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`] names the first tensor that is missing or differs.
    pub fn has_weights_of(&self, net: &NetDesc<'_>) -> Result<(), ImportError> {
        net.tensors
            .iter()
            .try_for_each(|tensor| stored(&self.graph, net, tensor).map(drop))
    }

    /// Copies the weights of the graph into `tensors`, those of `net`.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`]: the weights do not match the declaration.
    ///
    /// # Panics
    ///
    /// If `tensors` are not those of the descriptor.
    pub fn weights(
        &self,
        net: &NetDesc<'_>,
        mut tensors: Vec<TensorMut<'_>>,
    ) -> Result<(), ImportError> {
        let mut both = net.tensors.iter().zip(&mut tensors);
        both.try_for_each(|(desc, tensor)| stored(&self.graph, net, desc)?.fill(desc, tensor))
    }

    /// Checks that the graph equals the one that is written for a declaration with these weights, node by
    /// node and weight by weight.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`] names the first difference.
    ///
    /// # Panics
    ///
    /// If `tensors` are not those of the descriptor.
    pub fn is_graph_of(
        &self,
        net: &NetDesc<'_>,
        tensors: &[TensorRef<'_>],
    ) -> Result<(), ImportError> {
        let file = onnx(net, tensors, self.form)
            .map_err(|error| ImportError::Exported(error.to_string()))?;
        let model = proto::Model::decode(prost::bytes::Bytes::from(file));
        let expected = model.ok().and_then(|model| model.graph).unwrap_or_default();
        let same = same("node", &self.graph.node, &expected.node, |node| &node.name)
            .and_then(|()| {
                same(
                    "weight",
                    &self.graph.initializer,
                    &expected.initializer,
                    |tensor| &tensor.name,
                )
            })
            .and_then(|()| {
                same("input", &self.graph.input, &expected.input, |input| {
                    &input.name
                })
            })
            .and_then(|()| {
                same("output", &self.graph.output, &expected.output, |output| {
                    &output.name
                })
            });
        same.map_err(ImportError::Exported)
    }
}

/// Compares two lists and reports the first difference.
fn same<T: PartialEq>(
    what: &str,
    found: &[T],
    expected: &[T],
    name: impl Fn(&T) -> &String,
) -> Result<(), String> {
    if let Some((found, _)) = found
        .iter()
        .zip(expected)
        .find(|(found, expected)| found != expected)
    {
        return Err(format!("{what} `{}` is another one", shown(name(found))));
    }
    match found.len() == expected.len() {
        true => Ok(()),
        false => Err(format!(
            "there are {} {what}s, and the declaration has {}",
            found.len(),
            expected.len()
        )),
    }
}
