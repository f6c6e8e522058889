//! What `nnue convert` did.

use std::io::Write;

use nnue_spec::NetDesc;
use nnue_spec::dense::DenseDesc;
use nnue_tools::convert::Source;
use nnue_tools::declaration::{Defaults, declaration};
use serde_json::json;

use crate::args::ConvertArgs;
use crate::error::Error;
use crate::note::note;
use crate::system::SystemError;

pub(super) struct Report {
    /// the network, as a chain
    network: String,
    /// the declaration that reads the new file, if the format is another
    declaration: Option<String>,
    /// bytes of the description that the new file does not have
    lost: usize,
}

impl Report {
    /// A network that has the format of `to` now.
    pub(super) fn new(source: Source<'_>, to: Option<&NetDesc<'_>>) -> Self {
        let keeps = |to: &NetDesc<'_>| to.raw.is_none_or(|raw| raw.skip() != Some(0));
        let lost = to.is_some_and(|to| !keeps(to));
        Self {
            network: format!("{}: {}", source.net.name, source.net.notation),
            declaration: to.map(|to| declaration(to, Defaults::Omitted)),
            lost: if lost {
                source.header.description.len()
            } else {
                0
            },
        }
    }

    /// A network over a dense input.
    pub(super) fn of_dense(net: &DenseDesc<'_>) -> Self {
        Self {
            network: format!("{}: {}", net.name, net.notation()),
            declaration: None,
            lost: 0,
        }
    }

    pub(super) fn write(
        &self,
        args: &ConvertArgs,
        after: usize,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let before = std::fs::metadata(&args.file)
            .map_err(|source| SystemError::read(&args.file, source))?
            .len();
        let compression = args.method().map(|method| method.to_string());
        if args.json {
            let report = json!({
                "input": args.file.display().to_string(),
                "input_bytes": before,
                "output": args.output.display().to_string(),
                "output_bytes": after,
                "compression": compression,
                "network": self.network,
                "declaration": self.declaration,
                "description_bytes_lost": self.lost,
            });
            writeln!(out, "{report:#}")?;
            return Ok(());
        }
        let around = compression.map_or_else(String::new, |method| format!(", {method}"));
        writeln!(out, "network    {}", self.network)?;
        writeln!(out, "read       {}, {before} bytes", args.file.display())?;
        writeln!(
            out,
            "written    {}, {after} bytes{around}; read back, every tensor is equal",
            args.output.display()
        )?;
        if let Some(declaration) = &self.declaration {
            writeln!(out, "\n{}", declaration.trim_end())?;
        }
        if self.lost > 0 {
            out.flush()?;
            note!(
                "the description of the container, {} bytes, is not in the new file; `skip: {}` in --format keeps it",
                self.lost,
                self.lost
            );
        }
        Ok(())
    }
}
