//! `nnue quantize`: quantises a trained float network as declared.

mod calibrate;
mod dense;
mod drift;
mod floats;
pub(crate) mod folder;
mod json;
mod npy;
mod report;
mod safetensors;

use std::io::{Cursor, Write};
use std::path::Path;

use crate::note::note;
use crate::progress::Progress;
use nnue_format::{Header, Tensors, write};
use nnue_spec::dense::DenseGraph;
use nnue_spec::model::NetSpec;
use nnue_spec::reference::Clipping;
use nnue_spec::{ElementType, NetDesc};
use nnue_tools::calibrate::Method;
use nnue_tools::quantize::{Arranged, Factoriser, FloatTensor, QuantizeError, Recipe, Rounding};

use crate::args::{QuantizeArgs, Round, Unclipped};
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::input::{SampleFiles, Samples, one_reader, samples};
use crate::network::{Declared, Known};
use crate::output;
use calibrate::{Calibration, Network, draw, others};
use drift::Drift;
use floats::{Kind, Source};
use report::Report;

pub(crate) fn run(args: &QuantizeArgs, out: &mut dyn Write) -> Result<(), Error> {
    check_paths(args)?;
    let (spec, model) = match described(args)? {
        Described::Accumulated(spec, model) => (spec, model),
        Described::Dense(graph) => return dense::run(args, &graph.desc(), out),
    };
    let recipe = recipe(args, spec)?;
    let (sources, kind) = sources(args, spec, &recipe)?;
    quantise(
        args,
        (spec, model.as_deref()),
        recipe,
        (sources, kind.name()),
        out,
    )
}

/// The same for the floats of another command.
#[cfg(feature = "graphs")]
pub(crate) fn of_floats(
    args: &QuantizeArgs,
    spec: &NetDesc<'_>,
    model: &NetSpec,
    floats: Vec<FloatTensor>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    check_paths(args)?;
    let recipe = recipe(args, spec)?;
    quantise(
        args,
        (spec, Some(model)),
        recipe,
        (floats, "floats of the graph"),
        out,
    )
}

fn quantise(
    args: &QuantizeArgs,
    (spec, model): (&NetDesc<'_>, Option<&NetSpec>),
    mut recipe: Recipe,
    (sources, kind): (Vec<FloatTensor>, &str),
    out: &mut dyn Write,
) -> Result<(), Error> {
    if args.calibrate.is_some() {
        Declared::require_no_code(spec)?;
    }
    let refuse = |error: QuantizeError| Error::Network {
        path: args.file.clone(),
        message: in_command(&error),
    };
    let arranged = Arranged::new(spec, sources, &recipe).map_err(refuse)?;
    let clipping = match args.unclipped {
        None => Clipping::Declared,
        Some(Unclipped::Layers) => Clipping::Accumulators,
        Some(Unclipped::All) => Clipping::Nothing,
    };
    let calibration = match args.calibrate {
        Some(method) => {
            let network = Network {
                net: spec,
                floats: &arranged,
                recipe: &recipe,
                clipping,
            };
            let calibration = calibrated(args, network, method, model)?;
            recipe.gains = calibration.chosen().gains.columns(spec, &calibration.sites);
            Some(calibration)
        }
        None => None,
    };
    let (mut tensors, reports) = arranged.round(spec, &recipe).map_err(refuse)?;
    if let Some(calibration) = &calibration {
        let network = Network {
            net: spec,
            floats: &arranged,
            recipe: &recipe,
            clipping,
        };
        network.correct(
            &calibration.chosen().gains,
            &calibration.compared,
            &mut tensors,
        );
    }
    let Samples { positions, source } = judged(args, spec, calibration.as_ref())?;
    let progress = Progress::endless("drift: position");
    let drift = Drift::of(
        spec,
        &arranged.scaled,
        &tensors,
        clipping,
        positions,
        &progress,
    )?;
    drop(progress);
    let network = encoded(spec, &tensors, b"made by nnue quantize")?;
    if let (Some(folder), Some(calibration)) = (&args.plots, &calibration) {
        draw(calibration, folder)?;
    }
    if let Some(path) = &args.output {
        output::write(path, &network)?;
    }
    let report = Report {
        spec,
        source: format!("{}: {kind}", args.file.display()),
        tensors: &reports,
        calibration: calibration.as_ref(),
        rounding: recipe.rounding,
        drift: &drift,
        positions: source,
        written: args.output.as_deref().map(|path| (path, network.len())),
    };
    report.print(out)
}

/// The tensors of the file without the ignored ones, and the kind of file.
fn sources(
    args: &QuantizeArgs,
    spec: &NetDesc<'_>,
    recipe: &Recipe,
) -> Result<(Vec<FloatTensor>, Kind), Error> {
    let count = spec.tensors.iter().map(|tensor| tensor.len() as u64).sum();
    let Source { kind, floats } = Source::read(&args.file, floats::most(count))?;
    let sources = floats.tensors(spec, &recipe.factoriser);
    let mut sources = sources.map_err(|error| Error::Network {
        path: args.file.clone(),
        message: in_command(&error),
    })?;
    ignore(&mut sources, &args.ignore)?;
    Ok((sources, kind))
}

fn ignore(sources: &mut Vec<FloatTensor>, names: &[String]) -> Result<(), Error> {
    for name in names {
        let at = sources.iter().position(|source| source.name == *name);
        let at = at.ok_or_else(|| {
            Error::Argument(format!(
                "--ignore {}: the file has no such tensor",
                name.escape_debug()
            ))
        })?;
        sources.remove(at);
    }
    Ok(())
}

fn calibrated(
    args: &QuantizeArgs,
    network: Network<'_>,
    method: Method,
    model: Option<&NetSpec>,
) -> Result<Calibration, Error> {
    let mut calibration = Calibration::of(
        network,
        method,
        samples(network.net, files(args))?.positions,
    )?;
    // Factors of the user belong to the declared scales.
    if let Some(model) = model.filter(|_| args.factor.is_empty()) {
        calibration.others = others(network, &calibration, model)?;
    }
    Ok(calibration)
}

/// Refuses an output that is an input, and standard input for two inputs.
fn check_paths(args: &QuantizeArgs) -> Result<(), Error> {
    let declaration = args
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    let inputs: [(&str, Option<&Path>); 4] = [
        ("the floats", Some(&args.file)),
        ("the declaration", declaration.as_deref()),
        ("the positions", args.positions.as_deref()),
        ("the lists of rows", args.rows.as_deref()),
    ];
    output::refuse_same(args.output.as_deref(), &inputs)?;
    one_reader(&[
        ("--declaration", declaration),
        ("--positions", args.positions.clone()),
        ("--rows", args.rows.clone()),
    ])
}

/// The positions for comparing values: those that calibration set aside for it, or all.
fn judged<'a>(
    args: &'a QuantizeArgs,
    spec: &NetDesc<'_>,
    calibration: Option<&'a Calibration>,
) -> Result<Samples<'a>, Error> {
    if Declared::require_no_code(spec).is_err() {
        let why = "it calls functions of a program: for inputs, stacks or activations";
        return Ok(Samples {
            positions: Box::new(std::iter::empty()),
            source: why.to_owned(),
        });
    }
    match (calibration, args.rows.as_ref().or(args.positions.as_ref())) {
        (Some(calibration), Some(path)) => Ok(Samples {
            positions: Box::new(calibration.compared.judged.iter().cloned().map(Ok)),
            source: path.display().to_string(),
        }),
        _ => samples(spec, files(args)),
    }
}

fn files(args: &QuantizeArgs) -> SampleFiles<'_> {
    SampleFiles {
        boards: ("--positions", args.positions.as_deref()),
        rows: args.rows.as_deref(),
    }
}

enum Described {
    /// with an accumulator; the model, if a declaration was read
    Accumulated(&'static NetDesc<'static>, Option<Box<NetSpec>>),
    /// over a dense input
    Dense(DenseGraph),
}

fn described(args: &QuantizeArgs) -> Result<Described, Error> {
    match (&args.declared.declaration, &args.arch) {
        (Some(declaration), _) => Ok(match declaration::read_either(declaration)? {
            Declaration::Accumulated(read) => {
                let (plan, model) = *read;
                Described::Accumulated(Declared::describe(plan), Some(Box::new(model)))
            }
            Declaration::Dense(graph) => Described::Dense(graph),
        }),
        (None, Some(arch)) => Ok(Described::Accumulated(Known::by_name(arch)?.spec, None)),
        (None, None) => Err(Error::Argument(
            "which network? name a declaration with --declaration FILE[:NAME], or --arch NAME"
                .into(),
        )),
    }
}

fn recipe(args: &QuantizeArgs, spec: &NetDesc<'_>) -> Result<Recipe, Error> {
    let mut recipe = Recipe::new(spec);
    recipe.saturate = args.saturate;
    recipe.rounding = match args.round {
        Round::Truncate => Rounding::Truncate,
        Round::Nearest => Rounding::HalfAwayFromZero,
    };
    recipe.factoriser = match args.factoriser.as_deref() {
        None => Factoriser::None,
        Some("first") => Factoriser::First,
        Some(name) => Factoriser::Tensor(name.to_owned()),
    };
    let tensors: Vec<&str> = spec.tensors.iter().map(|tensor| tensor.name).collect();
    for assignment in &args.name {
        let (index, name) = assigned(&tensors, "--name", assignment)?;
        recipe.names[index] = Some(name.to_owned());
    }
    for assignment in &args.factor {
        let (index, number) = assigned(&tensors, "--factor", assignment)?;
        let factor = number
            .parse()
            .ok()
            .filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
        recipe.factors[index] = factor.ok_or_else(|| {
            Error::Argument(format!(
                "--factor {}: `{}` is no positive number",
                assignment.escape_debug(),
                number.escape_debug()
            ))
        })?;
    }
    Ok(recipe)
}

/// Parses `TENSOR=SOMETHING`: the tensor's index and the assigned text.
fn assigned<'a>(
    tensors: &[&str],
    option: &str,
    assignment: &'a str,
) -> Result<(usize, &'a str), Error> {
    let refuse = |message: &str| {
        let message = format!(
            "{option} {}: {message}; the tensors are {}",
            assignment.escape_debug(),
            tensors.join(", ")
        );
        Err(Error::Argument(message))
    };
    let Some((tensor, value)) = assignment.split_once('=') else {
        return refuse("expected TENSOR=..");
    };
    match tensors.iter().position(|name| *name == tensor) {
        Some(index) => Ok((index, value)),
        None => refuse("there is no such tensor"),
    }
}

/// Advice for weights that do not fit. Another factor for one tensor, or clamping, would change the network.
fn out_of_range(tensor: &str, element: ElementType) -> String {
    let is_bias = tensor.starts_with("fc") && tensor.ends_with("_bias");
    let wider = if is_bias && element == ElementType::I16 {
        format!("declare `format raw {{ {tensor}: i32 }}`, which holds it")
    } else {
        "clip the weights in training, or declare a smaller scale (`@`)".to_owned()
    };
    format!(": {wider}; --saturate clamps what does not fit, and changes what the network computes")
}

/// The error, with advice on the option that helps.
fn in_command(error: &QuantizeError) -> String {
    let advice = match error {
        QuantizeError::Range {
            tensor, element, ..
        } => out_of_range(tensor, *element),
        QuantizeError::Unused { source } => {
            format!(": --factoriser={source}, or --ignore {source}")
        }
        QuantizeError::Missing { .. } => ": say which it is with --name TENSOR=NAME".into(),
        QuantizeError::Count {
            factoriser: Some(_),
            ..
        } => ": --factoriser=first".into(),
        QuantizeError::NoFactoriser { .. } => ": leave out --factoriser=first".into(),
        QuantizeError::Infinite { tensor, .. } => format!(": choose another --factor {tensor}=.."),
        _ => String::new(),
    };
    format!("{error}{advice}")
}

/// Encodes a network file with `description` in its header, and reads it back. A note names golden values
/// that differ, or says that only a program can compare them.
pub(crate) fn encoded(
    spec: &NetDesc<'_>,
    tensors: &Tensors,
    description: &[u8],
) -> Result<Vec<u8>, Error> {
    let description: &[u8] = if spec.raw.is_some() { b"" } else { description };
    let mut file = Vec::new();
    write(
        spec,
        &Header::new(spec, description),
        &tensors.refs(),
        &mut file,
    )
    .map_err(|error| Error::Declaration(format!("`{}`: {error}", spec.name)))?;
    match (
        nnue_tools::read(spec, Cursor::new(&file)),
        Declared::custom_code(spec),
    ) {
        (Err(error), _) => note!("the declaration does not accept this network yet: {error}"),
        (Ok(_), Some(what)) if !spec.goldens.is_empty() => {
            note!("the golden values were not compared: {what} is defined by a program");
        }
        (Ok(_), _) => {}
    }
    Ok(file)
}
