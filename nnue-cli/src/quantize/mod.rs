//! `nnue quantize`: the declared network in whole numbers, from the floats of a trainer.

mod drift;
mod floats;
mod report;
mod safetensors;

use std::fs;
use std::io::Write;

use nnue_format::quantize::{Factoriser, QuantizeError, Quantized, Recipe, Rounding, quantize};
use nnue_format::{Header, Tensors, write};
use nnue_spec::NetDesc;

use crate::args::{QuantizeArgs, Round};
use crate::declaration;
use crate::error::Error;
use crate::input::{Given, positions, suite};
use crate::network::{Declared, Known};
use drift::Drift;
use floats::Kind;
use report::Report;

/// Runs the command.
pub(crate) fn run(args: &QuantizeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let spec = described(args)?;
    let recipe = recipe(args, spec)?;
    let file = floats::bytes(&args.file).map_err(|source| Error::File { path: args.file.clone(), source })?;
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
    let (given, name) = match &args.positions {
        _ if Declared::require_known(spec).is_err() => {
            (Vec::new(), "code of another program takes part: its inputs, stacks or activations".to_owned())
        }
        Some(path) => (positions(&[], Some(path))?.collect::<Result<Vec<Given>, _>>()?, path.display().to_string()),
        None => (suite().collect(), "the built-in suite".to_owned()),
    };
    let drift = Drift::of(spec, &quantized, &given);
    let network = encoded(spec, &quantized)?;
    if let Some(path) = &args.output {
        fs::write(path, &network).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    let written = args.output.as_deref().map(|path| (path, network.len()));
    let source = format!("{}: {}", args.file.display(), kind.name());
    Report { spec, source, quantized: &quantized, rounding: recipe.rounding, drift: &drift, positions: name, written }
        .print(out)
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
        _ => String::new(),
    };
    format!("{error}{advice}")
}

/// The bytes of the network's file; they are read again, and golden values that are others are told, and those that only a
/// program can compare.
fn encoded(spec: &NetDesc<'_>, quantized: &Quantized) -> Result<Vec<u8>, Error> {
    let description: &[u8] = if spec.raw.is_some() { b"" } else { b"made by nnue quantize" };
    let mut file = Vec::new();
    write(spec, &Header::new(spec, description), &quantized.tensors.refs(), &mut file)
        .map_err(|error| Error::Declaration(format!("`{}`: {error}", spec.name)))?;
    match (Tensors::read(spec, &file[..]), Declared::own_code(spec)) {
        (Err(error), _) => eprintln!("note: the declaration does not accept this network yet: {error}"),
        (Ok(_), Some(what)) if !spec.goldens.is_empty() => {
            eprintln!("note: the golden values were not compared: {what} is code of a program");
        }
        (Ok(_), _) => {}
    }
    Ok(file)
}
