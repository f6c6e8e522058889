//! Prints the contents of a file of a network over a dense input.

use std::io::Write;
use std::path::Path;

use nnue_format::dense::{read, size};
use nnue_spec::dense::DenseDesc;

use super::histogram::Summary;
use crate::error::Error;
use crate::input::network_file;

pub(super) fn run(path: &Path, net: &DenseDesc<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let file = network_file::read(path, size(net) as u64)?;
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let tensors = read(net, &file).map_err(|error| refuse(error.to_string()))?;
    writeln!(out, "file          {}", path.display())?;
    writeln!(out, "declaration   {}: {}", net.name, net.notation())?;
    writeln!(out, "input         {}", net.input())?;
    writeln!(out, "output        {}", net.output())?;
    writeln!(out, "parameters    {} bytes", file.len())?;
    writeln!(
        out,
        "\n{:<12} {:<16} {:>20} {:>7}  distribution (logarithmic){:>19}",
        "tensor", "shape", "range", "zeros", "offset"
    )?;
    let mut offset = 0;
    for (desc, values) in net.tensors().iter().zip(&tensors) {
        let summary =
            Summary::of_floats(&|each| values.iter().for_each(|&value| each(value.into(), 1)));
        let shape = desc
            .shape
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" x ");
        let (range, zeros) = (summary.range(), format!("{:.1} %", 100.0 * summary.zeros()));
        let picture = summary.picture();
        writeln!(
            out,
            "{:<12} {shape:<16} {range:>20} {zeros:>7}  |{picture}|  {offset:>9}",
            desc.name
        )?;
        offset += 4 * values.len();
    }
    Ok(())
}
