//! `nnue archs`: lists the known declarations.

use std::io::{self, Write};

use serde_json::json;

use crate::args::ArchsArgs;
use crate::network::known;

pub(crate) fn run(args: &ArchsArgs, out: &mut dyn Write) -> io::Result<()> {
    for known in known() {
        if args.json {
            let object = json!({
                "name": known.name,
                "bytes": known.spec.parameter_bytes(),
                "declaration": known.spec.notation,
            });
            writeln!(out, "{object}")?;
            continue;
        }
        let megabytes = known.spec.parameter_bytes() as f64 / 1e6;
        writeln!(
            out,
            "{:<14} {:>6.1} MB  {}",
            known.name, megabytes, known.spec.notation
        )?;
    }
    Ok(())
}
