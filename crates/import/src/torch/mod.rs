//! `torch.export` programs: `.pt2` archives (PyTorch 2.8 and newer, schema version 8).
//!
//! They contain the graph as JSON and the weights as raw bytes. Everything else is ignored: sample inputs are
//! pickles.

mod archive;
mod call;
mod json;
mod node;
mod shape;
#[cfg(test)]
mod tests;
mod weights;

use serde_json::Value;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::{Graph, Origin};
use crate::name::shown;
use crate::order::Builder;
use archive::Archive;
use json::Argument;
use weights::{STORED, Weights};

/// The supported major version of the schema.
const MAJOR: i64 = 8;

/// Reads the graph of a program.
///
/// # Errors
///
/// [`ImportError`] if the file is not such an archive (for example a pickle, which is never executed), is
/// damaged, has an unsupported version, or is not a valid graph. Unknown operations are not yet an error.
pub fn read(file: &[u8]) -> Result<Graph, ImportError> {
    let budget = Budget::of_file(file.len());
    let mut archive = Archive::new(file)?;
    let path = archive.model()?;
    let program = json::parse(&archive.text(&path)?, &path, &budget)?;
    let model = path
        .trim_start_matches("models/")
        .trim_end_matches(".json")
        .to_owned();
    check_version(&program)?;
    let at = |pointer: &str| program.pointer(pointer);
    let list = |pointer: &str| {
        at(pointer)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    let text = |pointer: &str| at(pointer).and_then(Value::as_str).unwrap_or_default();
    let producer = format!("pytorch {}", shown(text("/torch_version")));
    let opset = at("/opset_version/aten")
        .and_then(Value::as_i64)
        .map_or(String::new(), |version| format!("aten {version}"));
    let origin = Origin {
        format: "torch.export".into(),
        producer,
        opset,
        ..Origin::default()
    };
    let mut builder = Builder::new(origin, budget);
    let weights = Weights::new(&mut archive, &model, builder.budget())?;
    let values = at("/graph_module/graph/tensor_values").unwrap_or(&Value::Null);
    for spec in list("/graph_module/signature/input_specs") {
        add_input(&mut builder, spec, values, &weights, &mut archive)?;
    }
    for node in list("/graph_module/graph/nodes") {
        node::add(&mut builder, node, values)?;
    }
    let mut outputs = Vec::new();
    for spec in list("/graph_module/signature/output_specs") {
        match spec
            .get("user_output")
            .and_then(|output| output.get("arg"))
            .map(json::argument)
        {
            Some(Argument::Tensor(name)) => outputs.push(builder.value(name)?),
            Some(_) => return Err(damaged("an output is no tensor")),
            None => {
                let found = "the program changes what it keeps (batch norms in training)";
                let advice = "call `model.eval()` before the export";
                return Err(ImportError::Kind {
                    found: found.into(),
                    advice: advice.into(),
                });
            }
        }
    }
    let mut graph = builder.finish(outputs)?;
    graph.unread = weights.unnamed(list("/graph_module/signature/input_specs"));
    Ok(graph)
}

fn check_version(program: &Value) -> Result<(), ImportError> {
    let number = |name: &str| {
        program
            .pointer(&format!("/schema_version/{name}"))
            .and_then(Value::as_i64)
    };
    match (number("major"), number("minor")) {
        (Some(MAJOR), _) => Ok(()),
        (major, minor) => {
            let part =
                |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
            let found = format!("{}.{}", part(major), part(minor));
            let expected =
                format!("version {MAJOR} is; export the model with PyTorch 2.8 or newer");
            Err(ImportError::Version {
                what: "the schema of the program,",
                found,
                expected,
            })
        }
    }
}

/// Adds a parameter, buffer, constant or user input.
fn add_input(
    builder: &mut Builder,
    spec: &Value,
    values: &Value,
    weights: &Weights,
    archive: &mut Archive<'_>,
) -> Result<(), ImportError> {
    for (kind, field) in STORED {
        if let Some(spec) = spec.get(kind) {
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            let name =
                text(spec.pointer("/arg/name")).ok_or_else(|| damaged("a weight has no name"))?;
            let stored = text(spec.get(field)).ok_or_else(|| damaged("a weight has no name"))?;
            let tensor = weights.tensor(archive, &stored, builder.budget())?;
            builder.constant(&name, tensor)?;
            return Ok(());
        }
    }
    let arg = spec.get("user_input").and_then(|input| input.get("arg"));
    let Some(Argument::Tensor(name)) = arg.map(json::argument) else {
        return Err(ImportError::Inputs(
            "an input of the program is no tensor: fix it before the export".into(),
        ));
    };
    let meta = values
        .get(name)
        .ok_or_else(|| damaged("an input has no shape"))?;
    let wrong = |message: &str| ImportError::Inputs(format!("input `{}` {message}", shown(name)));
    let element = meta
        .get("dtype")
        .and_then(Value::as_i64)
        .and_then(json::element);
    let element = element.ok_or_else(|| wrong("has elements of a type that is not read"))?;
    let shape = meta
        .get("sizes")
        .and_then(json::dims)
        .ok_or_else(|| wrong("has no shape"))?;
    builder.input(name, element, shape)?;
    Ok(())
}

fn damaged(message: &str) -> ImportError {
    ImportError::Damaged(format!("the program is damaged: {message}"))
}
