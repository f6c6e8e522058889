//! `nnue inspect`: what is in a network file.

mod histogram;

use std::io::{self, Write};

use nnue::Encoding;
use nnue_spec::{NetDesc, TensorDesc, TensorRef, TensorRole};

use crate::args::{InspectArgs, NetArgs};
use crate::error::Error;
use crate::network::{Opened, open};
use histogram::Summary;

/// Runs the command.
pub(crate) fn run(args: &InspectArgs, out: &mut dyn Write) -> Result<(), Error> {
    let opened = open(&NetArgs { net: args.file.clone(), arch: args.arch.clone() }, None)?;
    header(&opened, out)?;
    tensors(&opened, out)?;
    bounds(&opened, out)?;
    Ok(())
}

fn header(opened: &Opened, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    let header = opened.network.header();
    let container = spec.container;
    writeln!(out, "file          {}", opened.source)?;
    writeln!(out, "description   {}", header.description.escape_ascii())?;
    writeln!(out, "declaration   {}: {}", opened.known.name, spec.notation)?;
    writeln!(out, "version       {:#010x}", container.version)?;
    writeln!(
        out,
        "hashes        network {:#010x}, feature transformer {:#010x}, layer stack {:#010x}",
        container.network_hash(),
        container.transformer_hash,
        container.stack_hash
    )?;
    writeln!(out, "encoding      {}", encoding(header.encoding))?;
    writeln!(out, "parameters    {} bytes in memory", spec.parameter_bytes())
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Raw => "raw",
        Encoding::Leb128 => "LEB128 in the feature transformer",
        Encoding::Leb128JointPsqt => "LEB128 in the feature transformer, PSQT weights of all feature sets in one block",
        Encoding::Leb128Joint => "LEB128 in the feature transformer, weights of all feature sets in one block",
    }
}

fn tensors(opened: &Opened, out: &mut dyn Write) -> io::Result<()> {
    let spec = opened.network.spec();
    writeln!(
        out,
        "\n{:<12} {:<16} {:<4} {:>20} {:>7}  distribution (logarithmic)",
        "tensor", "shape", "type", "range", "zeros"
    )?;
    for (desc, tensor) in spec.tensors.iter().zip(opened.network.tensors()) {
        let inputs = inputs(spec, desc);
        let summary = match inputs.filter(|&inputs| inputs < desc.cols) {
            Some(inputs) => without_padding(&tensor, desc.cols, inputs),
            None => Summary::new(&tensor),
        };
        let range = format!("{}..={}", summary.min, summary.max);
        let zeros = format!("{:.1} %", 100.0 * summary.zeros);
        let element = desc.element.name();
        writeln!(
            out,
            "{:<12} {:<16} {element:<4} {range:>20} {zeros:>7}  |{}|",
            desc.name,
            shape(desc, inputs),
            summary.picture()
        )?;
    }
    Ok(())
}

/// The columns that count, of the weights of a layer.
fn inputs(spec: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Option<usize> {
    match desc.role {
        TensorRole::LayerWeight(layer) => Some(spec.layers[layer].inputs),
        _ => None,
    }
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
fn bounds(opened: &Opened, out: &mut dyn Write) -> io::Result<()> {
    let bounds = nnue_format::bounds::prove_tightly(opened.network.spec(), &opened.network.tensors());
    writeln!(out, "\nbounds, proved for every position:\n{bounds}")
}
