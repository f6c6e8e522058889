//! Verifies the file of a network declared at run time.

use std::io::{self, Write};

use nnue_spec::NetDesc;
use nnue_tools::bounds::prove_tightly;
use nnue_tools::compression::Bounds;

use crate::error::Error;
use crate::input::network_file;
use crate::network::{Declared, Evaluator, GOLDEN_OF_PROGRAM, Opened};

/// Verifies the file, which was already read with its declaration.
pub(crate) fn verify(opened: &Opened<Declared>, out: &mut dyn Write) -> Result<(), Error> {
    let network = &*opened.network;
    let spec = network.spec();
    writeln!(
        out,
        "network   {} ({}: {})",
        opened.source, spec.name, spec.notation
    )?;
    let bytes = written_again(opened)?;
    writeln!(
        out,
        "file      {bytes} bytes, exactly as declared; written again byte for byte"
    )?;
    writeln!(out, "golden    {}", goldens(spec))?;
    let bounds = prove_tightly(spec, &network.tensors());
    match bounds.require_no_wrapping() {
        Ok(()) => writeln!(out, "bounds    nothing overflows in any position")?,
        Err(error) => writeln!(out, "bounds    {error} (it wraps alike on every level)")?,
    }
    Ok(())
}

/// Describes the golden values. They were compared on loading, unless the network has custom code.
fn goldens(spec: &NetDesc<'_>) -> String {
    match (
        spec.goldens.len() + spec.head_goldens.len(),
        Declared::custom_code(spec),
    ) {
        (0, None) => "none declared, so other axes would not be noticed; `nnue golden` writes some"
            .to_owned(),
        (0, Some(_)) if spec.has_custom_set() => {
            format!("none declared, so other axes would not be noticed; {GOLDEN_OF_PROGRAM}")
        }
        (0, Some(_)) => "none declared, so other axes would not be noticed".to_owned(),
        (count, None) => format!("{count} of {count} values are right"),
        (count, Some(what)) => {
            format!(
                "{count} declared, not compared: {what} is defined by a program, which checks them on every load"
            )
        }
    }
}

/// Checks that the writer reproduces the file; returns its size in bytes.
fn written_again(opened: &Opened<Declared>) -> Result<u64, Error> {
    let network = &*opened.network;
    let file = network_file::open(opened.source.as_ref(), Bounds::of(network.spec()))?;
    let mut comparison = Comparison {
        file: io::BufReader::new(file),
        bytes: 0,
    };
    nnue_format::write(
        network.spec(),
        network.header(),
        &network.tensors(),
        &mut comparison,
    )
    .map_err(|error| {
        Error::Mismatch(format!(
            "{}: writing it again gives another file: {error}",
            opened.source
        ))
    })?;
    Ok(comparison.bytes)
}

struct Comparison<R> {
    file: R,
    bytes: u64,
}

impl<R: io::Read> Write for Comparison<R> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let mut read = vec![0; written.len()];
        self.file.read_exact(&mut read)?;
        if let Some(at) = written.iter().zip(&read).position(|(a, b)| a != b) {
            return Err(io::Error::other(format!(
                "byte {} differs",
                self.bytes + at as u64
            )));
        }
        self.bytes += written.len() as u64;
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
