//! Imports models written by `nnue export onnx`, which contain their declaration. The declaration is
//! compiled, the weights come from the graph, and the graph must equal the one exported for both.

use std::io::Write;

use crate::note::note;
use nnue_codegen::plan_text;
use nnue_format::Tensors;
use nnue_import::ImportError;
use nnue_import::export::{Exported, Inputs, places};
use nnue_spec::NetDesc;
use nnue_spec::plan::Plan;
use nnue_tools::declaration::{self, Defaults};

use super::intermediates;
use super::printed::{declaration, report};
use crate::args::{ImportGraphArgs, Recorded};
use crate::error::Error;
use crate::export::onnx::compared;
use crate::output;
use crate::quantize::encoded;

/// Runs the command on such a model; `file` has its bytes.
pub(super) fn run(
    args: &ImportGraphArgs,
    (model, file): (&Exported, Vec<u8>),
    hash: &str,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if args.features.is_some() || matches!(args.check, Some(Recorded::File(_))) {
        let message = "the model contains its declaration, with which --check compares it in the built-in positions: leave out --features and the file of --check";
        return Err(Error::Argument(message.into()));
    }
    let refuse = |error: ImportError| Error::Network {
        path: args.file.clone(),
        message: error.to_string(),
    };
    let declared = compiled(args, model)?.leak();
    let net = NetDesc {
        name: &args.name,
        ..*declared
    };
    model.has_weights_of(&net).map_err(refuse)?;
    let mut tensors = Tensors::zeroed(&net);
    model.weights(&net, tensors.muts()).map_err(refuse)?;
    model.is_graph_of(&net, &tensors.refs()).map_err(refuse)?;
    let text = declaration::declaration(&net, Defaults::Omitted);
    plan_text(&text).map_err(|errors| wrong(&text, &errors))?;
    let network = encoded(&net, &tensors, b"made by nnue import")?;
    let places = places(&net, &tensors.refs(), model.form()).map_err(|error| Error::Network {
        path: args.file.clone(),
        message: error.to_string(),
    })?;
    let mut notes = vec![
        "Every node and weight of the graph equals those of the export of this declaration."
            .to_owned(),
    ];
    if args.check.is_some() {
        let line = compared(&net, &tensors.refs(), &Inputs::of(&net), &file)?;
        notes.push(format!("Value, declaration and graph: {line}."));
        notes.extend(intermediates::compare(
            args,
            model,
            (declared, &tensors.refs()),
            &places,
            file,
        )?);
    }
    if let Some(path) = &args.output {
        output::write(path, &network)?;
    }
    declaration(("onnx", args, &model.origin), hash, &notes, &text, out)?;
    if args.report {
        report(&places.clauses, out)?;
    }
    out.flush()?;
    match &args.output {
        None => note!("the weights were not written: name a file with --output"),
        Some(path) => {
            note!(
                "{} has the weights of `{}`: open it with `{}Network::open`",
                path.display(),
                args.name,
                args.name
            );
        }
    }
    Ok(())
}

fn compiled(args: &ImportGraphArgs, model: &Exported) -> Result<Plan, Error> {
    let text = model.declaration();
    let plans = plan_text(text).map_err(|errors| wrong(text, &errors))?;
    let refuse = || Error::Network {
        path: args.file.clone(),
        message: "it declares no network".into(),
    };
    plans.into_iter().next().ok_or_else(refuse)
}

fn wrong(text: &str, errors: &[nnue_codegen::TextError]) -> Error {
    let errors: Vec<String> = errors
        .iter()
        .map(|error| error.shown_in("declared", text))
        .collect();
    Error::Declaration(format!(
        "the declaration in the model does not compile:\n{}",
        errors.join("\n")
    ))
}
