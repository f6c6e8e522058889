//! `nnue import torch` and `nnue import onnx`: turns a graph from Python into a declaration and weights.

mod dense;
mod difference;
mod exported;
mod golden;
mod intermediates;
mod kernels;
mod positions;
mod printed;
mod quantized;
mod rounded;

use std::io::Write;
use std::path::Path;

use crate::note::note;
use nnue_codegen::{dense_text, plan_text};
use nnue_format::dense::{check, to_bytes};
use nnue_import::declare::{self, Declared, Weights};
use nnue_import::fold::{Folded, all_is_read, fold};
use nnue_import::{Graph, ImportError, onnx, torch};
use nnue_spec::NetDesc;
use nnue_spec::dense::DenseGraph;
use safetensors::tensor::{TensorView, serialize};
use safetensors::{Dtype, SafeTensorError};
use sha2::{Digest, Sha256};

use crate::args::{ImportGraphArgs, Recorded};
use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_NETWORK};
use crate::input::kind;
use crate::{network, output};
use golden::ordered;
use printed::{declaration, report};
use quantized::quantized;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Torch,
    Onnx,
}

impl Format {
    const fn name(self) -> &'static str {
        match self {
            Self::Torch => "torch",
            Self::Onnx => "onnx",
        }
    }

    /// What another file is that begins with `head`.
    fn other_kind(self, head: &[u8]) -> Option<&'static str> {
        let is_own = match self {
            Self::Torch => head.starts_with(b"PK"),
            Self::Onnx => head.starts_with(&[0x08]),
        };
        kind::named(head).filter(|_| !is_own)
    }

    fn read(self, file: Vec<u8>, path: &Path) -> Result<Graph, ImportError> {
        let folder = path.parent().map(|folder| {
            if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            }
        });
        match self {
            Self::Torch => torch::read(&file),
            Self::Onnx => onnx::read(file, folder),
        }
    }
}

pub(super) fn run(
    format: Format,
    args: &ImportGraphArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    output::refuse_same(
        args.output.as_deref(),
        &[("the file that is imported", Some(&args.file))],
    )?;
    let refuse = |error: ImportError| Error::Network {
        path: args.file.clone(),
        message: error.to_string(),
    };
    let file = bounded::read(&args.file, MOST_OF_NETWORK)?;
    let hash = Sha256::digest(&file)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>();
    if format == Format::Onnx
        && !args.print
        && let Some(model) = nnue_import::export::exported(&file).map_err(refuse)?
    {
        return exported::run(args, (&model, file), &hash, out);
    }
    let other = format.other_kind(&file);
    let mut graph = format.read(file, &args.file).map_err(|error| match other {
        Some(kind) => kind::refused(&args.file, kind),
        None => refuse(error),
    })?;
    if args.print {
        return Ok(write!(out, "{}", graph.table())?);
    }
    let read = all_is_read(&graph);
    choose_output(args, &mut graph)?;
    let all_of_it = |error| declare::unsupported(&graph, error, args.features.is_some());
    let folded = fold(&graph).map_err(all_of_it).map_err(refuse)?;
    unread(args, read)?;
    let features = match &args.features {
        Some(features) => Some(features.clone()),
        None => declare::row_source(&folded)
            .map_err(|error| declare::unsupported(&graph, error, true))
            .map_err(refuse)?,
    };
    let imported = match &features {
        None if args.quantize.is_some() => {
            let message = "--quantize: a network over a dense input keeps its floats, which --output writes; one over features needs --features";
            return Err(Error::Argument(message.into()));
        }
        None => over_numbers(args, &graph, &folded)?,
        Some(features) => over_features(args, &graph, &folded, features)?,
    };
    let Imported {
        declared,
        compared,
        guesses,
        weights,
    } = imported;
    if let Some(path) = &args.output {
        output::write(path, &weights)?;
    }
    let notes: Vec<String> = guesses
        .iter()
        .map(|guess| format!("guessed: {guess}"))
        .chain(compared)
        .collect();
    declaration(
        (format.name(), args, &graph.origin),
        &hash,
        &notes,
        &declared.text,
        out,
    )?;
    if args.report {
        report(&declared.clauses, out)?;
    }
    out.flush()?;
    match (&args.output, &features) {
        (None, _) if args.quantize.is_some() => {}
        (None, _) => note!("the weights were not written: name a file with --output"),
        (Some(path), None) => {
            note!(
                "{} has the weights of `{}`: open it with `{}Network::open`",
                path.display(),
                args.name,
                args.name
            );
        }
        (Some(path), Some(_)) => note!(
            "{} has the floats of `{}`: `nnue quantize {} --declaration FILE --round nearest -o network.bin` makes its file",
            path.display(),
            args.name,
            path.display()
        ),
    }
    if args.check.is_none() {
        note!("the declaration was not compared with the graph: --check does");
    }
    Ok(())
}

/// Leaves out all outputs but the one that the user names.
fn choose_output(args: &ImportGraphArgs, graph: &mut Graph) -> Result<(), Error> {
    let Some(wanted) = &args.graph_output else {
        return Ok(());
    };
    let name = |id: &usize| graph.values[*id].name.as_str();
    let chosen = graph.outputs.iter().copied().find(|id| name(id) == wanted);
    let chosen = chosen.ok_or_else(|| {
        let names: Vec<String> = graph
            .outputs
            .iter()
            .map(|id| format!("`{}`", name(id).escape_debug()))
            .collect();
        Error::Argument(format!(
            "--graph-output {}: the outputs of the graph are {}",
            wanted.escape_debug(),
            names.join(", ")
        ))
    })?;
    graph.outputs = vec![chosen];
    Ok(())
}

/// Refuses weights that no output needs, or notes that they are left out.
fn unread(args: &ImportGraphArgs, read: Result<(), ImportError>) -> Result<(), Error> {
    match read {
        Ok(()) => Ok(()),
        Err(error) if args.leave_out_unread => {
            note!("left out: {error}");
            Ok(())
        }
        Err(error) => Err(Error::Network {
            path: args.file.clone(),
            message: format!("{error}; --leave-out-unread imports the rest"),
        }),
    }
}

/// The results to print and write.
struct Imported {
    declared: Declared,
    compared: Vec<String>,
    guesses: Vec<String>,
    weights: Vec<u8>,
}

/// Imports a network over a dense input. With `--check`, a difference from the graph is an error.
fn over_numbers(args: &ImportGraphArgs, graph: &Graph, folded: &Folded) -> Result<Imported, Error> {
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    let declared =
        declare::dense(graph, folded, &args.name).map_err(|error| refuse(error.to_string()))?;
    let network = compiled(&declared)?;
    let tensors: Vec<Vec<f32>> = declared
        .tensors
        .iter()
        .map(|tensor| tensor.values.clone())
        .collect();
    check(&network.desc(), &tensors).map_err(|error| refuse(error.to_string()))?;
    let compared = match &args.check {
        Some(recorded) => dense::compare(
            &args.file,
            (graph, folded),
            &network.desc(),
            &declared,
            recorded,
        )?,
        None => Vec::new(),
    };
    Ok(Imported {
        declared,
        compared,
        guesses: Vec::new(),
        weights: to_bytes(&tensors),
    })
}

/// Imports a network with an accumulator. The weights are real-valued floats, as safetensors.
fn over_features(
    args: &ImportGraphArgs,
    graph: &Graph,
    folded: &Folded,
    features: &str,
) -> Result<Imported, Error> {
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    if matches!(args.check, Some(Recorded::File(_))) {
        let message =
            "--check has no file with --features: the graph is compared in the built-in positions";
        return Err(Error::Argument(message.into()));
    }
    let imported = declare::accumulated(graph, folded, &args.name, features)
        .map_err(|error| refuse(error.to_string()))?;
    let net = described(&imported.declared.text, features)?;
    let rows: usize = net.features.iter().map(|set| set.rows).sum();
    if rows != imported.rows {
        let message = format!(
            "`{features}` has {rows} rows, and the graph {}: name the set of the trainer",
            imported.rows
        );
        return Err(refuse(message));
    }
    if !args.golden.is_empty() {
        network::Declared::require_known(net)?;
    }
    if args.check.is_some() {
        // It needs the rows of the features in positions.
        network::Declared::require_no_code(net)?;
    }
    let (imported, order) = ordered(args, folded, net, imported)?;
    let compared = match &args.check {
        Some(_) => positions::compare(&args.file, folded, net, &imported)?,
        None => Vec::new(),
    };
    let raised = (!imported.rounded.is_empty()).then(|| {
        let layers = imported.rounded.join("`, `");
        format!(
            "Half a step was added to the biases of `{layers}`: the graph rounds to the nearest step, the network down."
        )
    });
    let imported = imported.raised();
    let kernels = match &args.check {
        Some(_) => rounded::compare(&args.file, folded, net, &imported)?,
        None => Vec::new(),
    };
    let weights =
        safetensors(&imported.declared.tensors).map_err(|error| refuse(error.to_string()))?;
    let rounded = match &args.quantize {
        Some(path) => quantized(args, path, &imported.declared)?,
        None => Vec::new(),
    };
    let compared = order
        .into_iter()
        .chain(compared)
        .chain(raised)
        .chain(kernels)
        .chain(rounded)
        .collect();
    Ok(Imported {
        compared,
        guesses: imported.guesses,
        weights,
        declared: imported.declared,
    })
}

/// Compiles the declaration over `features`.
fn described(text: &str, features: &str) -> Result<&'static NetDesc<'static>, Error> {
    let plans = plan_text(text).map_err(|errors| {
        let errors = errors.iter().map(|error| error.shown_in("declared", text)).collect::<Vec<_>>().join("\n");
        Error::Declaration(format!(
            "the declaration of this graph, with --features `{features}`, does not compile:\n{errors}"
        ))
    })?;
    let plan = plans
        .into_iter()
        .next()
        .ok_or_else(|| Error::Declaration("nothing is declared".into()))?;
    Ok(plan.leak())
}

/// Serialises named tensors as safetensors.
fn safetensors(tensors: &[Weights]) -> Result<Vec<u8>, SafeTensorError> {
    let bytes = |tensor: &Weights| {
        tensor
            .values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let bytes: Vec<Vec<u8>> = tensors.iter().map(bytes).collect();
    let views = tensors.iter().zip(&bytes);
    let views = views.map(|(tensor, bytes)| {
        Ok((
            tensor.name.as_str(),
            TensorView::new(Dtype::F32, tensor.shape.clone(), bytes)?,
        ))
    });
    serialize(views.collect::<Result<Vec<_>, SafeTensorError>>()?, None)
}

fn compiled(declared: &Declared) -> Result<DenseGraph, Error> {
    let wrong = |message: String| {
        Error::Declaration(format!(
            "the declaration of this graph does not compile: {message}\n{}",
            declared.text
        ))
    };
    let graphs = dense_text(&declared.text).map_err(|errors| {
        wrong(
            errors
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "),
        )
    })?;
    let network = graphs
        .into_iter()
        .next()
        .ok_or_else(|| wrong("nothing is declared".into()))?;
    let expected = network.desc().tensors();
    let same = expected.len() == declared.tensors.len()
        && expected
            .iter()
            .zip(&declared.tensors)
            .all(|(one, other)| one.name == other.name && one.shape == other.shape);
    if same {
        Ok(network)
    } else {
        Err(wrong(
            "its tensors are others than those of the graph".into(),
        ))
    }
}
