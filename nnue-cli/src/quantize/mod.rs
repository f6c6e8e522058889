//! `nnue quantize`: the declared network in whole numbers, from the floats of a trainer.

mod drift;
mod floats;
mod report;
mod safetensors;

use std::io::Write;
use std::path::Path;

use nnue_command::note::note;
use nnue_format::quantize::{Factoriser, QuantizeError, Quantized, Recipe, Rounding, quantize};
use nnue_format::{Header, Tensors, write};
use nnue_spec::NetDesc;

use crate::args::{QuantizeArgs, Round};
use crate::declaration;
use crate::error::Error;
use crate::input::{Given, bounded, one_reader, positions, suite};
use crate::network::{Declared, Known};
use crate::output;
use drift::Drift;
use floats::Kind;
use report::Report;

/// Runs the command.
pub(crate) fn run(args: &QuantizeArgs, out: &mut dyn Write) -> Result<(), Error> {
    check_paths(args)?;
    let spec = described(args)?;
    let recipe = recipe(args, spec)?;
    let file = bounded::read(&args.file, floats::most(spec))?;
    let refuse = |error: QuantizeError| Error::Network { path: args.file.clone(), message: in_command(&error) };
    let kind = Kind::of(&file);
    let mut sources = kind.read(spec, &file, &recipe.factoriser).map_err(refuse)?;
    drop(file);
    for name in &args.ignore {
        let at = sources.iter().position(|source| source.name == *name);
        let at = at
            .ok_or_else(|| Error::Argument(format!("--ignore {}: the file has no such tensor", name.escape_debug())))?;
        sources.remove(at);
    }
    let quantized = quantize(spec, sources, &recipe).map_err(refuse)?;
    let (given, name) = judged(args, spec)?;
    let drift = Drift::of(spec, &quantized, given)?;
    let network = encoded(spec, &quantized)?;
    if let Some(path) = &args.output {
        output::write(path, &network)?;
    }
    let written = args.output.as_deref().map(|path| (path, network.len()));
    let source = format!("{}: {}", args.file.display(), kind.name());
    Report { spec, source, quantized: &quantized, rounding: recipe.rounding, drift: &drift, positions: name, written }
        .print(out)
}

/// Refuses paths that stand for two things.
fn check_paths(args: &QuantizeArgs) -> Result<(), Error> {
    let declaration = args.declared.declaration.as_deref().and_then(declaration::path);
    let inputs: [(&str, Option<&Path>); 3] = [
        ("the floats", Some(&args.file)),
        ("the declaration", declaration.as_deref()),
        ("the positions", args.positions.as_deref()),
    ];
    output::refuse_same(args.output.as_deref(), &inputs)?;
    one_reader(&[("--declaration", declaration), ("--positions", args.positions.clone())])
}

/// Positions, one after the other.
type Positions<'a> = Box<dyn Iterator<Item = Result<Given, Error>> + 'a>;

/// The positions in which values are compared, and whose they are.
fn judged<'a>(args: &'a QuantizeArgs, spec: &NetDesc<'_>) -> Result<(Positions<'a>, String), Error> {
    if Declared::require_known(spec).is_err() {
        let why = "code of another program takes part: its inputs, stacks or activations".to_owned();
        return Ok((Box::new(std::iter::empty()), why));
    }
    match &args.positions {
        Some(path) => Ok((positions(&[], Some(path))?, path.display().to_string())),
        None => Ok((Box::new(suite().map(Ok)), "the built-in suite".to_owned())),
    }
}

fn described(args: &QuantizeArgs) -> Result<&'static NetDesc<'static>, Error> {
    match (&args.declared.declaration, &args.arch) {
        (Some(declaration), _) => Ok(Declared::describe(declaration::read(declaration)?)),
        (None, Some(arch)) => Ok(Known::by_name(arch)?.spec),
        (None, None) => Err(Error::Argument(
            "which network? name a declaration with --declaration FILE[:NAME], or --arch NAME".into(),
        )),
    }
}

/// What the arguments say is to be done.
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
    for assignment in &args.name {
        let (index, name) = assigned(spec, "--name", assignment)?;
        recipe.names[index] = Some(name.to_owned());
    }
    for assignment in &args.factor {
        let (index, number) = assigned(spec, "--factor", assignment)?;
        let factor = number.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
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

/// `TENSOR=SOMETHING`: the tensor's index and what is assigned to it.
fn assigned<'a>(spec: &NetDesc<'_>, option: &str, assignment: &'a str) -> Result<(usize, &'a str), Error> {
    let refuse = |message: &str| {
        let names: Vec<&str> = spec.tensors.iter().map(|tensor| tensor.name).collect();
        let message =
            format!("{option} {}: {message}; the tensors are {}", assignment.escape_debug(), names.join(", "));
        Err(Error::Argument(message))
    };
    let Some((tensor, value)) = assignment.split_once('=') else { return refuse("expected TENSOR=..") };
    match spec.tensors.iter().position(|desc| desc.name == tensor) {
        Some(index) => Ok((index, value)),
        None => refuse("there is no such tensor"),
    }
}

/// What is wrong, and the option that helps.
fn in_command(error: &QuantizeError) -> String {
    let advice = match error {
        QuantizeError::Range { tensor, .. } => {
            format!(": clamp with --saturate, or choose another --factor {tensor}=..")
        }
        QuantizeError::Unused { source } => format!(": --factoriser={source}, or --ignore {source}"),
        QuantizeError::Missing { .. } => ": say which it is with --name TENSOR=NAME".into(),
        QuantizeError::Count { factoriser: Some(_), .. } => ": --factoriser=first".into(),
        QuantizeError::NoFactoriser { .. } => ": leave out --factoriser=first".into(),
        QuantizeError::Infinite { tensor, .. } => format!(": choose another --factor {tensor}=.."),
        _ => String::new(),
    };
    format!("{error}{advice}")
}

/// The bytes of the network's file. They are read again; a note says which golden values differ, or that only a program can compare
/// them.
fn encoded(spec: &NetDesc<'_>, quantized: &Quantized) -> Result<Vec<u8>, Error> {
    let description: &[u8] = if spec.raw.is_some() { b"" } else { b"made by nnue quantize" };
    let mut file = Vec::new();
    write(spec, &Header::new(spec, description), &quantized.tensors.refs(), &mut file)
        .map_err(|error| Error::Declaration(format!("`{}`: {error}", spec.name)))?;
    match (Tensors::read(spec, &file[..]), Declared::custom_code(spec)) {
        (Err(error), _) => note!("the declaration does not accept this network yet: {error}"),
        (Ok(_), Some(what)) if !spec.goldens.is_empty() => {
            note!("the golden values were not compared: {what} is code of a program");
        }
        (Ok(_), _) => {}
    }
    Ok(file)
}
