//! What `nnue convert` did.

use std::io::Write;

use nnue_spec::NetDesc;
use nnue_spec::dense::DenseDesc;
use nnue_tools::convert::Source;
use nnue_tools::declaration::{Defaults, declaration};
use nnue_tools::unused::Zeroed;
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
    /// bytes of the files of a folder
    of_folder: Option<u64>,
    /// rows that are zero now, and the bytes that this saves
    zeroed: Option<(Zeroed, i64)>,
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
            of_folder: None,
            zeroed: None,
        }
    }

    /// The report of tensors in separate files, of so many bytes.
    pub(super) fn of_folder(self, bytes: u64) -> Self {
        Self {
            of_folder: Some(bytes),
            ..self
        }
    }

    /// The report of a network whose unused rows are zero now, which saves so many bytes.
    pub(super) fn with_zeroed(self, zeroed: Zeroed, saved: i64) -> Self {
        Self {
            zeroed: Some((zeroed, saved)),
            ..self
        }
    }

    /// A network over a dense input.
    pub(super) fn of_dense(net: &DenseDesc<'_>) -> Self {
        Self {
            network: format!("{}: {}", net.name, net.notation()),
            declaration: None,
            lost: 0,
            of_folder: None,
            zeroed: None,
        }
    }

    pub(super) fn write(
        &self,
        args: &ConvertArgs,
        after: usize,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let before = match self.of_folder {
            Some(bytes) => bytes,
            None => std::fs::metadata(&args.file)
                .map_err(|source| SystemError::read(&args.file, source))?
                .len(),
        };
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
                "zeroed": self.zeroed.map(|(zeroed, saved)| json!({
                    "rows": zeroed.rows,
                    "of": zeroed.of,
                    "numbers": zeroed.numbers,
                    "bytes_saved": saved,
                })),
            });
            writeln!(out, "{report:#}")?;
            return Ok(());
        }
        let around = compression.map_or_else(String::new, |method| format!(", {method}"));
        writeln!(out, "network    {}", self.network)?;
        writeln!(out, "read       {}, {before} bytes", args.file.display())?;
        if let Some((Zeroed { rows, of, numbers }, saved)) = self.zeroed {
            writeln!(
                out,
                "zeroed     {rows} of {of} rows, which no legal position has: {numbers} numbers, {saved} bytes less; values of legal positions are equal"
            )?;
        }
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
