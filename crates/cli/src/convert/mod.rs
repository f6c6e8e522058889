//! `nnue convert`: writes a network in another form of file.

mod folder;
mod report;

use std::io::Write;
use std::path::Path;

use nnue_codegen::plan_text;
use nnue_data::files::output::Output;
use nnue_format::{Header, Tensors, dense, write};
use nnue_spec::dense::DenseDesc;
use nnue_spec::{NetDesc, TensorRef};
use nnue_tools::compression::{Bounds, Decompressed, compress};
use nnue_tools::convert::{Source, convert, is_equal};
use nnue_tools::declaration::with_format;
use nnue_tools::unused::zero;

use self::report::Report;
use crate::args::{ConvertArgs, NetArgs};
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::input::network_file;
use crate::network::{Declared, Evaluator, Opened, open_either, open_plan};
use crate::output::refuse_same;
use crate::system::SystemError;

pub(crate) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Error> {
    refuse_same(Some(&args.output), &[("the network", Some(&args.file))])?;
    if args.output.exists() && !args.force {
        return Err(Error::Argument(format!(
            "{} is there already: --force replaces it",
            args.output.display()
        )));
    }
    let cannot = |source| Error::from(SystemError::write(&args.output, source));
    // Begun now: where nothing can be written, nothing is read.
    let mut output = Output::create(&args.output).map_err(cannot)?;
    let (bytes, report) = converted(args)?;
    output.write_all(&bytes).map_err(cannot)?;
    output.commit().map_err(cannot)?;
    report.write(args, bytes.len(), out)
}

/// The bytes of the new file.
fn converted(args: &ConvertArgs) -> Result<(Vec<u8>, Report), Error> {
    if args.file.is_dir() {
        return folder::converted(args);
    }
    let opened: Opened<dyn Evaluator> = match &args.declared.declaration {
        Some(argument) => match declaration::read_either(argument)? {
            Declaration::Dense(graph) => return dense_file(args, &graph.desc()),
            Declaration::Accumulated(read) => open_plan(&args.file, read.0)?.into(),
        },
        None => open_either(
            &NetArgs {
                net: Some(args.file.clone()),
                arch: args.arch.clone(),
            },
            &args.declared,
            None,
        )?,
    };
    let network = &*opened.network;
    let from = network.spec();
    let (header, tensors) = (network.header(), network.tensors());
    let source = Source {
        net: from,
        header,
        tensors: &tensors,
    };
    let to = match &args.format {
        Some(format) => Some(formatted(from, format)?),
        None => None,
    };
    in_form(args, source, to)
}

/// The bytes of a network in the form `to`, or in its own, with what the arguments change of its weights.
fn in_form(
    args: &ConvertArgs,
    source: Source<'_>,
    to: Option<&'static NetDesc<'static>>,
) -> Result<(Vec<u8>, Report), Error> {
    let bytes = bytes_in_form(args, source, to)?;
    let report = Report::new(source, to);
    if !args.zero_unused {
        return Ok((bytes, report));
    }
    let (_, mut tensors) = convert(source, source.net).map_err(|error| refuse(args, &error))?;
    let zeroed = zero(source.net, &mut tensors.muts());
    if zeroed.rows == 0 {
        return Err(Error::Argument(format!(
            "--zero-unused: legal positions have all rows of `{}`, or which they have is not known: rows of pieces on squares are looked at",
            source.net.name
        )));
    }
    let tensors = tensors.refs();
    let source = Source {
        tensors: &tensors,
        ..source
    };
    let smaller = bytes_in_form(args, source, to)?;
    let saved = bytes.len() as i64 - smaller.len() as i64;
    Ok((smaller, report.with_zeroed(zeroed, saved)))
}

/// The bytes of a network in the form `to`, or in its own, read back.
fn bytes_in_form(
    args: &ConvertArgs,
    source: Source<'_>,
    to: Option<&'static NetDesc<'static>>,
) -> Result<Vec<u8>, Error> {
    let bytes = match to {
        Some(to) => {
            let (header, tensors) = convert(source, to).map_err(|error| refuse(args, &error))?;
            file(args, to, header, &tensors.refs())?
        }
        None => file(args, source.net, source.header.clone(), source.tensors)?,
    };
    check(args, source, to.unwrap_or(source.net), &bytes)?;
    Ok(bytes)
}

/// The same network with the format of the arguments.
fn formatted(from: &NetDesc<'_>, format: &str) -> Result<&'static NetDesc<'static>, Error> {
    let text = with_format(from, format);
    let plans = plan_text(&text).map_err(|errors| {
        let shown = errors
            .iter()
            .map(|error| error.shown_in("the declaration with --format", &text));
        Error::Declaration(shown.collect::<Vec<_>>().join("\n\n"))
    })?;
    let Ok([plan]) = <[_; 1]>::try_from(plans) else {
        let message = "--format takes one format: `raw`, `raw { .. }`, `stockfish { .. }`";
        return Err(Error::Argument(message.into()));
    };
    Ok(Declared::describe(plan))
}

/// A file of `net`, compressed as the arguments say.
fn file(
    args: &ConvertArgs,
    net: &NetDesc<'_>,
    mut header: Header,
    tensors: &[TensorRef<'_>],
) -> Result<Vec<u8>, Error> {
    if let Some(encoding) = args.encoding {
        if net.raw.is_some() {
            let message = "--encoding is for the Stockfish container; in other files `encoding: leb128` is part of --format";
            return Err(Error::Argument(message.into()));
        }
        header.encoding = encoding.into();
    }
    if let Some(description) = &args.description {
        header.description = description.clone().into_bytes();
    }
    let mut bytes = Vec::new();
    write(net, &header, tensors, &mut bytes).map_err(|error| refuse(args, &error))?;
    compressed(args, bytes)
}

/// A file, compressed as the arguments say.
fn compressed(args: &ConvertArgs, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    match args.method() {
        None => Ok(bytes),
        Some(method) => compress(method, &bytes).map_err(|error| refuse(args, &error)),
    }
}

/// Reads the new file back and compares it with `source`, tensor by tensor.
fn check(
    args: &ConvertArgs,
    source: Source<'_>,
    net: &NetDesc<'_>,
    bytes: &[u8],
) -> Result<(), Error> {
    let file = Decompressed::open(bytes, Bounds::of(net)).map_err(|error| refuse(args, &error))?;
    let (header, tensors) = Tensors::read(net, file).map_err(|error| refuse(args, &error))?;
    let tensors = tensors.refs();
    let found = Source {
        net,
        header: &header,
        tensors: &tensors,
    };
    let (_, back) = convert(found, source.net).map_err(|error| refuse(args, &error))?;
    let pairs = source.tensors.iter().zip(back.refs());
    for (desc, (before, after)) in source.net.tensors.iter().zip(pairs) {
        if !is_equal(*before, after) {
            return Err(Error::Mismatch(format!(
                "{}: read back, `{}` has other numbers: nothing was written",
                args.output.display(),
                desc.name
            )));
        }
    }
    Ok(())
}

/// The file of a network over a dense input, which has one form.
fn dense_file(args: &ConvertArgs, net: &DenseDesc<'_>) -> Result<(Vec<u8>, Report), Error> {
    let changes = args.format.is_some() || args.encoding.is_some() || args.description.is_some();
    if changes || args.zero_unused {
        return Err(Error::Argument(format!(
            "files of `{}` have one form, floats in the order of its declaration: only --compress changes them",
            net.name
        )));
    }
    let bytes = network_file::read(&args.file, dense::size(net) as u64)?;
    dense::read(net, &bytes).map_err(|error| refuse(args, &error))?;
    let file = compressed(args, bytes)?;
    let bounds = Bounds {
        lead: 0,
        most: dense::size(net) as u64,
    };
    let mut back = Vec::new();
    Decompressed::open(&file[..], bounds)
        .and_then(|mut file| std::io::Read::read_to_end(&mut file, &mut back))
        .map_err(|error| refuse(args, &error))?;
    dense::read(net, &back).map_err(|error| refuse(args, &error))?;
    Ok((file, Report::of_dense(net)))
}

fn refuse(args: &ConvertArgs, error: &dyn std::error::Error) -> Error {
    network_error(&args.file, error)
}

fn network_error(path: &Path, error: &dyn std::error::Error) -> Error {
    Error::Network {
        path: path.to_owned(),
        message: error.to_string(),
    }
}
