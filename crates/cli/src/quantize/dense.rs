//! Converts the named tensors of a trainer to the float file of a network over a dense input.

use std::io::Write;
use std::path::Path;

use nnue_format::dense::{check, read, size, to_bytes};
use nnue_spec::dense::DenseDesc;
use nnue_tools::quantize::FloatTensor;
use nnue_tools::quantize::dense::by_name;

use super::floats::{Floats, Source, most};
use super::{assigned, ignore};
use crate::args::{QuantizeArgs, Round};
use crate::error::Error;
use crate::output;

pub(super) fn run(
    args: &QuantizeArgs,
    net: &DenseDesc<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    refuse_scales(args, net)?;
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    let Source { kind, floats } = Source::read(&args.file, most(size(net) as u64 / 4))?;
    let tensors = match floats {
        Floats::Named(sources) => found(args, net, sources)?,
        Floats::Unnamed(bytes) => read(net, &bytes).map_err(|error| refuse(error.to_string()))?,
    };
    check(net, &tensors).map_err(|error| refuse(error.to_string()))?;
    let bytes = to_bytes(&tensors);
    if let Some(path) = &args.output {
        output::write(path, &bytes)?;
    }
    writeln!(out, "network      {}: {}", net.name, net.notation())?;
    writeln!(
        out,
        "source       {}: {}\n",
        args.file.display(),
        kind.name()
    )?;
    report(net, &tensors, out)?;
    written(args.output.as_deref(), bytes.len(), out)
}

/// Finds the tensors by the user's names or by the usual ones.
fn found(
    args: &QuantizeArgs,
    net: &DenseDesc<'_>,
    mut sources: Vec<FloatTensor>,
) -> Result<Vec<Vec<f32>>, Error> {
    ignore(&mut sources, &args.ignore)?;
    let described = net.tensors();
    let tensors: Vec<&str> = described
        .iter()
        .map(|tensor| tensor.name.as_str())
        .collect();
    let mut names = vec![None; tensors.len()];
    for assignment in &args.name {
        let (index, name) = assigned(&tensors, "--name", assignment)?;
        names[index] = Some(name.to_owned());
    }
    by_name(net, sources, &names).map_err(|error| {
        let missing = if error.missing.is_empty() {
            ""
        } else {
            ": say which tensor it is with --name TENSOR=NAME"
        };
        let unused = if error.unused.is_empty() {
            ""
        } else {
            ": ignore tensors that are not needed with --ignore NAME"
        };
        Error::Network {
            path: args.file.clone(),
            message: format!("{error}{missing}{unused}"),
        }
    })
}

/// Refuses options for integers: all tensors stay floats.
fn refuse_scales(args: &QuantizeArgs, net: &DenseDesc<'_>) -> Result<(), Error> {
    let given = [
        ("--round", args.round == Round::Nearest),
        ("--factoriser", args.factoriser.is_some()),
        ("--factor", !args.factor.is_empty()),
        ("--saturate", args.saturate),
        ("--positions", args.positions.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Error::Argument(format!(
            "{option} is for integer networks over chess positions; `{}` has a dense input and keeps its floats",
            net.name
        ))),
        None => Ok(()),
    }
}

fn report(net: &DenseDesc<'_>, tensors: &[Vec<f32>], out: &mut dyn Write) -> Result<(), Error> {
    writeln!(
        out,
        "{:<14} {:<18} {:>10} {:>10} {:>10}",
        "tensor", "shape", "numbers", "least", "greatest"
    )?;
    for (desc, values) in net.tensors().iter().zip(tensors) {
        let least = values.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shape = desc
            .shape
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" x ");
        writeln!(
            out,
            "{:<14} {shape:<18} {:>10} {least:>10.4} {greatest:>10.4}",
            desc.name,
            values.len()
        )?;
    }
    Ok(())
}

fn written(path: Option<&Path>, bytes: usize, out: &mut dyn Write) -> Result<(), Error> {
    match path {
        Some(path) => writeln!(out, "\nwritten      {}, {bytes} bytes", path.display())?,
        None => writeln!(out, "\nwritten      nothing: name a file with --output")?,
    }
    Ok(())
}
