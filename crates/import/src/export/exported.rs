//! Models that [`onnx`] wrote: their declaration stands in the file, as a claim that the graph proves.
//!
//! ```text
//!   metadata `nnue.declaration` ──compiled by the caller──► descriptor ─┐
//!   weights of the graph ───────────────────────────────────► tensors ──┴──► written again: the same nodes, weights, inputs and outputs?
//! ```
//!
//! A graph in whole numbers has `Mod`, `Div` and `Min` where the language says `affine(pairwise(acc), 16)`: to be equal to what is written for a declaration
//! is the strictest proof that it is that network.

use nnue_spec::{NetDesc, TensorMut, TensorRef};
use prost::Message as _;

use super::form::Form;
use super::onnx;
use super::read::stored;
use crate::error::ImportError;
use crate::graph::Origin;
use crate::name::shown;
use crate::onnx::{origin, proto, scan};

/// The key of the declaration among the metadata of a model.
pub(super) const PROPERTY: &str = "nnue.declaration";

/// The key of the form in which layers of 8-bit weights are written, and its value where that is not in whole numbers.
pub(super) const FORM: &str = "nnue.form";
pub(super) const QDQ: &str = "qdq";

/// Most bytes of a declaration.
const MAX_DECLARATION: usize = 1 << 16;

/// A model that [`onnx`] wrote, or that says so.
#[derive(Clone, Debug)]
pub struct Exported {
    /// where it comes from
    pub origin: Origin,
    declaration: String,
    form: Form,
    graph: proto::Graph,
}

/// The model of a file, if it has a declaration in its metadata. Files of which that cannot be said are left to [`read`](crate::onnx::read).
///
/// # Errors
///
/// [`ImportError`]: the operations have a version that is not read, or the declaration is longer than one is.
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
    /// What the file says that it is: text of anybody, to be compiled as such.
    pub fn declaration(&self) -> &str {
        &self.declaration
    }

    /// How its layers of 8-bit weights are written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether the graph has all weights of a network, in their types and lengths. Ask before memory is taken for them: a declaration of a line may
    /// say anything.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`], with the first that is missing or is another one.
    pub fn has_weights_of(&self, net: &NetDesc<'_>) -> Result<(), ImportError> {
        net.tensors
            .iter()
            .try_for_each(|tensor| stored(&self.graph, net, tensor).map(drop))
    }

    /// Fills `tensors`, those of `net`, with the weights of the graph.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`]: the graph has other weights than the declaration.
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

    /// Whether the graph is the one that is written for a declaration with these weights, node by node and weight by weight.
    ///
    /// # Errors
    ///
    /// [`ImportError::Exported`], with the first thing that differs.
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

/// The first of a list that is another one than expected.
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
