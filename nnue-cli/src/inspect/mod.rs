//! `nnue inspect`: what is in a network file.

mod dense;
mod forms;
mod histogram;
mod outputs;

use std::io::{self, Write};
use std::path::Path;

use nnue_format::{Encoding, Header, Padding, raw_size};
use nnue_spec::{LayerKind, NetDesc, RawDesc, TensorDesc, TensorRef, TensorRole};

use crate::args::{InspectArgs, NetArgs};
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::network::{Evaluator, Opened, open_either, open_plan};
use histogram::Summary;

/// Runs the command.
pub(crate) fn run(args: &InspectArgs, out: &mut dyn Write) -> Result<(), Error> {
    let opened: Opened<dyn Evaluator> = match &args.declared.declaration {
        Some(argument) => match declaration::read_either(argument)? {
            Declaration::Accumulated(read) => {
                let Opened { network, known, source, reason } = open_plan(file(args, &read.0.name)?, read.0)?;
                Opened { network, known, source, reason }
            }
            Declaration::Dense(graph) => return dense::run(file(args, &graph.name)?, &graph.desc(), out),
        },
        None => open_either(&NetArgs { net: args.file.clone(), arch: args.arch.clone() }, &args.declared, None)?,
    };
    header(&opened, out)?;
    tensors(&opened, out)?;
    forms::write(opened.network.spec(), out)?;
    outputs::write(opened.network.spec(), out)?;
    bounds(&opened, out)?;
    Ok(())
}

/// The file of the declared network.
fn file<'a>(args: &'a InspectArgs, name: &str) -> Result<&'a Path, Error> {
    let missing = || Error::Argument(format!("no network for `{name}`: name the file with its weights"));
    args.file.as_deref().ok_or_else(missing)
}

fn header(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    let header = opened.network.header();
    writeln!(out, "file          {}", opened.source)?;
    match &spec.raw {
        Some(raw) => writeln!(out, "in front      {} bytes: {}", raw.skip, header.description.escape_ascii())?,
        None => writeln!(out, "description   {}", header.description.escape_ascii())?,
    }
    writeln!(out, "declaration   {}: {}", opened.known.name, spec.notation)?;
    match spec.raw {
        Some(_) => writeln!(out, "padding       {}", padding(spec, header.padding))?,
        None => container(spec, header, out)?,
    }
    writeln!(out, "parameters    {} bytes in memory", spec.parameter_bytes())
}

/// What a Stockfish container says about itself.
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

/// The padding after the tensors of a raw file.
fn padding(spec: &NetDesc<'_>, found: Padding) -> String {
    let size = |padding| raw_size(spec, padding).unwrap_or_default();
    match size(found) - size(Padding::None) {
        0 => format!("none, {} bytes in all", size(found)),
        bytes => format!("{bytes} bytes `{}`, {} in all", found.name(), size(found)),
    }
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Raw => "raw",
        Encoding::Leb128 => "LEB128 in the feature transformer",
        Encoding::Leb128JointPsqt => "LEB128 in the feature transformer, PSQT weights of all feature sets in one block",
        Encoding::Leb128Joint => "LEB128 in the feature transformer, weights of all feature sets in one block",
    }
}

fn tensors(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    writeln!(
        out,
        "\n{:<12} {:<16} {:<4} {:>20} {:>7}  distribution (logarithmic){}",
        "tensor",
        "shape",
        "type",
        "range",
        "zeros",
        if spec.raw.is_some() { format!("{:>19}  axes", "offset") } else { String::new() }
    )?;
    for (index, (desc, tensor)) in spec.tensors.iter().zip(opened.network.tensors()).enumerate() {
        let inputs = inputs(spec, desc);
        let has_signs = has_signs(spec, desc);
        let summary = match inputs.filter(|&inputs| inputs < desc.cols) {
            Some(inputs) => without_padding(&tensor, desc.cols, inputs),
            None if has_signs => of_signs(&tensor, desc.cols, inputs.unwrap_or(0)),
            None => Summary::new(&tensor),
        };
        let range = summary.range();
        let zeros = format!("{:.1} %", 100.0 * summary.zeros);
        let element = if has_signs { "sign" } else { desc.element.name() };
        writeln!(
            out,
            "{:<12} {:<16} {element:<4} {range:>20} {zeros:>7}  |{}|{}",
            desc.name,
            shape(desc, inputs),
            summary.picture(),
            spec.raw.as_ref().map(|raw| place(spec, raw, index)).unwrap_or_default()
        )?;
    }
    Ok(())
}

/// The offset of a tensor in a raw file, and the order of its axes.
fn place(spec: &NetDesc<'_>, raw: &RawDesc<'_>, index: usize) -> String {
    let before: usize = spec.tensors[..index].iter().map(|tensor| tensor.len() * tensor.element.bytes()).sum();
    let desc = &spec.tensors[index];
    format!("  {:>9}  {}", raw.skip + before, desc.axes_text(raw.axes[index]))
}

/// The columns that count, of the weights of a layer.
fn inputs(spec: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Option<usize> {
    match desc.role {
        TensorRole::LayerWeight(layer) => Some(spec.layers[layer].inputs),
        _ => None,
    }
}

/// Whether a tensor has eight signs in a byte.
fn has_signs(spec: &NetDesc<'_>, desc: &TensorDesc<'_>) -> bool {
    matches!(desc.role, TensorRole::LayerWeight(layer) if spec.layers[layer].kind == LayerKind::Binary)
}

/// The signs in rows of `cols` bytes, as 1 and -1.
fn of_signs(tensor: &TensorRef<'_>, cols: usize, inputs: usize) -> Summary {
    let sign = |row: usize, k: usize| if tensor.get(row * cols + k / 8) >> (k % 8) & 1 == 1 { 1 } else { -1 };
    let rows = 0..tensor.len() / cols;
    let values: Vec<i8> = rows.flat_map(|row| (0..inputs).map(move |k| sign(row, k))).collect();
    Summary::new(&TensorRef::I8(&values))
}

fn without_padding(tensor: &TensorRef<'_>, cols: usize, inputs: usize) -> Summary {
    let indices = (0..tensor.len()).filter(|index| index % cols < inputs);
    let values: Vec<i32> = indices.map(|index| tensor.get(index)).collect();
    Summary::new(&TensorRef::I32(&values))
}

/// `8 x 16 x 1024`, without dimensions of one.
fn shape(desc: &TensorDesc<'_>, inputs: Option<usize>) -> String {
    let cols = inputs.unwrap_or(desc.cols);
    let dimensions = [desc.copies, desc.rows, cols].into_iter().filter(|&n| n > 1).map(|n| n.to_string());
    let text = dimensions.collect::<Vec<_>>().join(" x ");
    if text.is_empty() { "1".into() } else { text }
}

/// What the weights can lead to in any position.
fn bounds(opened: &Opened<dyn Evaluator>, out: &mut dyn Write) -> io::Result<()> {
    let bounds = nnue_format::bounds::prove_tightly(opened.network.spec(), &opened.network.tensors());
    writeln!(out, "\nbounds, proved for every position:\n{bounds}")
}
