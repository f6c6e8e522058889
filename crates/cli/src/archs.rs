//! `nnue archs`: lists the known declarations.

use std::io::{self, Write};

use crate::network::known;

pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    for known in known() {
        let megabytes = known.spec.parameter_bytes() as f64 / 1e6;
        writeln!(
            out,
            "{:<14} {:>6.1} MB  {}",
            known.name, megabytes, known.spec.notation
        )?;
    }
    Ok(())
}
