//! `nnue inspect`: prints the contents of a network file.

mod dense;
mod forms;
mod histogram;
mod layout;
mod outputs;

use std::io::{self, Write};
use std::path::Path;

use nnue_format::{Encoding, Header, Padding, raw_size, sets_of_equal_size};
use nnue_spec::{NetDesc, RawDesc, Span};
use nnue_tools::plot::{Network, tensors};

use crate::args::{InspectArgs, NetArgs};
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::network::{Evaluator, Opened, open_either, open_plan};
use histogram::Summary;

pub(crate) fn run(args: &InspectArgs, out: &mut dyn Write) -> Result<(), Error> {
    let opened: Opened<dyn Evaluator> = match &args.declared.declaration {
        Some(argument) => match declaration::read_either(argument)? {
            Declaration::Accumulated(read) => open_plan(file(args, &read.0.name)?, read.0)?.into(),
            Declaration::Dense(graph) => {
                return dense::run(file(args, &graph.name)?, &graph.desc(), out);
            }
        },
        None => open_either(
            &NetArgs {
                net: args.file.clone(),
                arch: args.arch.clone(),
            },
            &args.declared,
            None,
        )?,
    };
    header(&opened, out)?;
    if args.layout {
        let network = &opened.network;
        layout::write(network.spec(), network.header(), &network.tensors(), out)?;
        return Ok(());
    }
    table(&opened, out)?;
    forms::write(opened.network.spec(), out)?;
    outputs::write(opened.network.spec(), out)?;
    bounds(&opened, out)?;
    Ok(())
}

fn file<'a>(args: &'a InspectArgs, name: &str) -> Result<&'a Path, Error> {
    let missing = || {
        Error::Argument(format!(
            "no network for `{name}`: name the file with its weights"
        ))
    };
    args.file.as_deref().ok_or_else(missing)
}

fn header(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    let header = opened.network.header();
    writeln!(out, "file          {}", opened.source)?;
    match &spec.raw {
        Some(_) => writeln!(
            out,
            "kept          {} bytes: {}",
            header.description.len(),
            header.description.escape_ascii()
        )?,
        None => writeln!(out, "description   {}", header.description.escape_ascii())?,
    }
    writeln!(
        out,
        "declaration   {}: {}",
        opened.known.name, spec.notation
    )?;
    // Without header and golden values, only the file's size identifies the feature set.
    if spec.raw.is_some() && spec.goldens.is_empty() {
        for other in sets_of_equal_size(spec) {
            writeln!(out, "guessed       {other}; golden values tell")?;
        }
    }
    match spec.raw {
        Some(_) => writeln!(out, "padding       {}", padding(spec, header.padding))?,
        None => container(spec, header, out)?,
    }
    writeln!(
        out,
        "parameters    {} bytes in memory",
        spec.parameter_bytes()
    )
}

fn container(spec: &NetDesc<'_>, header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let container = spec.container;
    writeln!(out, "version       {:#010x}", container.version)?;
    writeln!(
        out,
        "hashes        network {:#010x}, feature transformer {:#010x}, layer stack {:#010x}",
        container.network_hash(),
        container.transformer_hash,
        container.stack_hash
    )?;
    writeln!(out, "encoding      {}", encoding(header.encoding))
}

/// Describes the padding after the tensors of a raw file.
fn padding(spec: &NetDesc<'_>, found: Padding) -> String {
    let size = |padding| raw_size(spec, padding);
    match (size(found), size(Padding::None)) {
        (Some(size), Some(end)) if size > end => {
            format!("{} bytes `{}`, {size} in all", size - end, found.name())
        }
        (Some(size), _) => format!("none, {size} bytes in all"),
        (None, _) => format!("`{}`", found.name()),
    }
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Raw => "raw",
        Encoding::Leb128 => "LEB128 in the feature transformer",
        Encoding::Leb128JointPsqt => {
            "LEB128 in the feature transformer, PSQT weights of all feature sets in one block"
        }
        Encoding::Leb128Joint => {
            "LEB128 in the feature transformer, weights of all feature sets in one block"
        }
    }
}

fn table(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    writeln!(
        out,
        "\n{:<12} {:<16} {:<4} {:>20} {:>7}  distribution (logarithmic){}",
        "tensor",
        "shape",
        "type",
        "range",
        "zeros",
        if spec.raw.is_some() {
            format!("{:>19}  axes", "offset")
        } else {
            String::new()
        }
    )?;
    let values = opened.network.tensors();
    let network =
        Network::new(spec, &values).expect("a network has the tensors that it was read with");
    for (index, desc) in spec.tensors.iter().enumerate() {
        let summary = Summary::new(&network, index);
        let range = summary.range();
        let zeros = format!("{:.1} %", 100.0 * summary.zeros());
        let element = if tensors::signs_of(spec, desc).is_some() {
            "sign"
        } else {
            desc.element.name()
        };
        writeln!(
            out,
            "{:<12} {:<16} {element:<4} {range:>20} {zeros:>7}  |{}|{}",
            desc.name,
            tensors::shape(spec, index),
            summary.picture(),
            spec.raw
                .as_ref()
                .map(|raw| place(spec, raw, index))
                .unwrap_or_default()
        )?;
    }
    Ok(())
}

/// The offset of a tensor in a raw file, and the order of its axes.
fn place(spec: &NetDesc<'_>, raw: &RawDesc<'_>, index: usize) -> String {
    let axes = spec.tensors[index].axes_text(raw.axes[index]);
    let spans = raw.spans(spec).unwrap_or_default();
    let is_it = |span: &&Span<'_>| span.placed.section.tensor() == Some(index);
    match spans.iter().find(is_it) {
        Some(span) => format!("  {:>9}  {axes}", span.offset),
        None => format!("  {:>9}  {axes}", "-"),
    }
}

fn bounds(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let bounds =
        nnue_tools::bounds::prove_tightly(opened.network.spec(), &opened.network.tensors());
    writeln!(out, "\nbounds, proved for every position:\n{bounds}")
}
