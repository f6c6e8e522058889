//! ONNX models, as exported by PyTorch, TensorFlow, JAX and others.
//!
//! Supports opset 9 to 24: attributes that became inputs (`axes`, `min`, `max`) are read from both. Values
//! are identified by their use in a node, never by name, because exporters rename values and merge equal
//! ones.

mod attributes;
mod node;
pub(crate) mod proto;
pub(crate) mod scan;
mod tensor;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use prost::Message as _;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::{Dim, Graph, Origin};
use crate::name::shown;
use crate::order::Builder;
use crate::tensor::Element;
use tensor::Folder;

/// Metadata of models of this project that no graph can express: input of bits; fused multiplication and
/// addition.
pub(crate) const INPUT: &str = "nnue.input";
pub(crate) const BITS: &str = "planes";
pub(crate) const FLOATS: &str = "nnue.floats";
pub(crate) const FUSED: &str = "fused";

const OPSETS: std::ops::RangeInclusive<i64> = 9..=24;

/// Reads the graph of a model. `folder` is the folder of the model: external tensors must be files in it; no
/// other files are read.
///
/// # Errors
///
/// [`ImportError`] if the file is not a model, is damaged, has an unsupported version, or is not a valid
/// graph. Unknown operations are not yet an error.
pub fn read(file: Vec<u8>, folder: Option<&Path>) -> Result<Graph, ImportError> {
    refuse_others(&file)?;
    scan::check(&file)?;
    let budget = Budget::of_file(file.len());
    let model = proto::Model::decode(prost::bytes::Bytes::from(file)).map_err(|error| {
        ImportError::Damaged(format!(
            "the file is no ONNX model, or it is cut off: {}",
            shown(&error.to_string())
        ))
    })?;
    let (opset, origin) = (opset(&model)?, origin(&model)?);
    let Some(graph) = &model.graph else {
        return Err(ImportError::Damaged(
            "the file is no ONNX model: it has no graph".into(),
        ));
    };
    if !graph.sparse_initializer.is_empty() {
        return Err(ImportError::Damaged(
            "the model has sparse weights: export it with dense ones".into(),
        ));
    }
    let mut builder = Builder::new(origin, budget);
    let folder = Folder(folder);
    for initializer in &graph.initializer {
        let tensor = tensor::read(initializer, &initializer.name, &folder, builder.budget())?;
        builder.constant(&initializer.name, tensor)?;
    }
    let initialized: HashSet<&str> = graph
        .initializer
        .iter()
        .map(|initializer| initializer.name.as_str())
        .collect();
    for input in &graph.input {
        // Up to IR version 3, weights are also listed as inputs.
        if !initialized.contains(input.name.as_str()) {
            let (element, shape) = input_type(input)?;
            builder.input(&input.name, element, shape)?;
        }
    }
    let constants = graph
        .node
        .iter()
        .filter_map(|node| Some((node.output.first()?, node.attribute.first()?.t.as_ref()?)));
    let named = graph
        .initializer
        .iter()
        .map(|tensor| (&tensor.name, tensor))
        .chain(constants);
    let types = named
        .map(|(name, tensor)| (name.as_str(), tensor.data_type))
        .collect();
    for one in &graph.node {
        node::add(&mut builder, one, (opset, &types), &folder)?;
    }
    let outputs = graph
        .output
        .iter()
        .map(|output| builder.value(&output.name))
        .collect::<Result<_, _>>()?;
    builder.finish(outputs)
}

/// Refuses other kinds of files by their first bytes.
fn refuse_others(file: &[u8]) -> Result<(), ImportError> {
    let kind = |found: &str, advice: &str| {
        Err(ImportError::Kind {
            found: found.into(),
            advice: advice.into(),
        })
    };
    match file {
        [] => kind("the file is empty", "export the model again"),
        [b'P', b'K', 3, 4, ..] => kind(
            "the file is an archive of PyTorch",
            "a program of `torch.export` is read by `nnue import torch`",
        ),
        [0x80, 2..=5, ..] => kind(
            "the file is a pickle, which is a program",
            "export the model with `torch.onnx.export`",
        ),
        _ => Ok(()),
    }
}

pub(crate) fn origin(model: &proto::Model) -> Result<Origin, ImportError> {
    let producer = format!(
        "{} {}",
        shown(&model.producer_name),
        shown(&model.producer_version)
    )
    .trim()
    .to_owned();
    let says = |key: &str, value: &str| {
        model
            .metadata
            .iter()
            .any(|entry| entry.key == key && entry.value == value)
    };
    Ok(Origin {
        format: format!("ONNX (IR {})", model.ir_version),
        producer,
        opset: opset(model)?.to_string(),
        bits: says(INPUT, BITS),
        fused: says(FLOATS, FUSED),
    })
}

fn opset(model: &proto::Model) -> Result<i64, ImportError> {
    let standard = |opset: &&proto::Opset| matches!(opset.domain.as_str(), "" | "ai.onnx");
    let version = model
        .opset_import
        .iter()
        .find(standard)
        .map(|opset| opset.version);
    let expected = format!(
        "{} to {} are; export it with `opset_version=20`",
        OPSETS.start(),
        OPSETS.end()
    );
    let found = version.map_or("(none)".to_owned(), |version| version.to_string());
    version
        .filter(|version| OPSETS.contains(version))
        .ok_or(ImportError::Version {
            what: "opset",
            found,
            expected,
        })
}

/// Element type and shape of an input.
fn input_type(input: &proto::ValueInfo) -> Result<(Element, Vec<Dim>), ImportError> {
    let wrong =
        |message: &str| ImportError::Inputs(format!("input `{}` {message}", shown(&input.name)));
    let tensor = input
        .r#type
        .as_ref()
        .and_then(|kind| kind.tensor.as_ref())
        .ok_or_else(|| wrong("is no tensor"))?;
    let element = tensor::element(tensor.element)
        .ok_or_else(|| wrong("has elements of a type that is not read"))?;
    let shape = tensor
        .shape
        .as_ref()
        .ok_or_else(|| wrong("has no shape: export the model with fixed lengths"))?;
    let dim = |dim: &proto::Dimension| match dim.value.map(usize::try_from) {
        Some(Ok(length)) if length > 0 => Dim::Fixed(length),
        _ => Dim::Free(if dim.parameter.is_empty() {
            "?".into()
        } else {
            dim.parameter.clone()
        }),
    };
    Ok((element, shape.dim.iter().map(dim).collect()))
}
