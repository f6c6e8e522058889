//! Prints the gain from the order.

use std::io::Write;
use std::path::Path;

use nnue::{AvailableLevel, Level};
use nnue_runtime::form::Form;
use nnue_spec::{LayerKind, NetDesc};
use nnue_tools::order::Blocks;

use super::find::Found;
use super::times::{Times, WORKLOADS};
use crate::error::Error;
use crate::network::Known;

pub(super) struct Measured {
    pub(super) times: Times,
    pub(super) level: AvailableLevel,
    pub(super) reason: String,
}

pub(super) struct Report<'a> {
    pub(super) known: Known,
    pub(super) found: &'a Found,
    /// positions with equal results
    pub(super) compared: usize,
    pub(super) measured: Measured,
}

impl Report<'_> {
    /// Prints the report. `output` is the file that was written.
    pub(super) fn print(
        &self,
        file: &Path,
        output: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let Self {
            known,
            found,
            compared,
            ..
        } = self;
        let searched = &found.samples[0];
        writeln!(
            out,
            "network      {} ({}: {})",
            file.display(),
            known.name,
            known.spec.notation
        )?;
        writeln!(
            out,
            "search       {} positions of {}, {:.1} s",
            searched.boards.len(),
            searched.name,
            found.seconds
        )?;
        self.blocks(out)?;
        self.measured.print(known.spec, out)?;
        writeln!(
            out,
            "\nevaluations  equal in {compared} positions, every bucket"
        )?;
        match output {
            Some(path) => writeln!(
                out,
                "written      {}, {} bytes",
                path.display(),
                found.file.len()
            )?,
            None => writeln!(out, "written      nothing: name a file with --output")?,
        }
        Ok(())
    }

    fn blocks(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "\n{:<60} {:>9} {:>9} {:>9}",
            "blocks of four inputs that are zero", "before", "after", "inputs"
        )?;
        for (sample, [before, after]) in self.found.samples.iter().zip(&self.found.blocks) {
            let searched = if sample.searched {
                "searched"
            } else {
                "not searched"
            };
            let name = format!("{} of {} ({searched})", sample.boards.len(), sample.name);
            let share = |blocks: &Blocks| percent(blocks.zero as f64, blocks.all as f64);
            let inputs = percent(before.zero_inputs as f64, before.inputs as f64);
            writeln!(
                out,
                "  {name:<58} {:>9} {:>9} {inputs:>9}",
                share(before),
                share(after)
            )?;
        }
        Ok(())
    }
}

impl Measured {
    fn print(&self, spec: &NetDesc<'_>, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "\n{:<60} {:>9} {:>9} {:>9}",
            "forward pass, ns", "before", "after", "saved"
        )?;
        for (workload, [before, after]) in WORKLOADS.into_iter().zip(self.times.nanoseconds) {
            let saved = percent(before - after, before);
            writeln!(
                out,
                "  {:<58} {before:>9.1} {after:>9.1} {saved:>9}",
                workload.name()
            )?;
        }
        let Self {
            level,
            reason,
            times: Times { repetitions, .. },
        } = self;
        writeln!(
            out,
            "  level {level} ({reason}); medians of {repetitions}, in alternation"
        )?;
        if skips(spec, *level) {
            return Ok(());
        }
        Ok(writeln!(
            out,
            "  {level} reads a first layer of this size whole, blocks of zeros too, and gains nothing by the order:\n  \
             it is for levels that skip them ({})",
            skipping(spec)
        )?)
    }
}

/// Whether a level skips zero blocks in a layer of the network.
fn skips(spec: &NetDesc<'_>, level: AvailableLevel) -> bool {
    (0..spec.layers.len()).any(|layer| {
        let skips = matches!(
            spec.layers[layer].kind,
            LayerKind::Sparse | LayerKind::BlockSparse { .. }
        );
        skips && level.form(spec, layer).is_none_or(Form::is_listed)
    })
}

/// The available levels that skip.
fn skipping(spec: &NetDesc<'_>) -> String {
    let levels = Level::available().filter(|&level| skips(spec, level));
    levels
        .map(|level| format!("--level {level}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn percent(part: f64, whole: f64) -> String {
    format!("{:.1} %", 100.0 * part / whole)
}
