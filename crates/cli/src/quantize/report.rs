//! Prints the effect of rounding.

use std::io::Write;
use std::path::Path;

use nnue_spec::{ElementType, NetDesc};
use nnue_tools::quantize::{Rounded, Rounding};

use super::calibrate::Calibration;
use super::drift::Drift;
use crate::error::Error;

pub(super) struct Report<'a> {
    pub(super) spec: &'a NetDesc<'a>,
    pub(super) source: String,
    /// for each tensor, its name in the source and the effect of rounding
    pub(super) tensors: &'a [(String, Rounded)],
    pub(super) calibration: Option<&'a Calibration>,
    pub(super) rounding: Rounding,
    pub(super) drift: &'a Drift,
    pub(super) positions: String,
    /// the file written, and its size in bytes
    pub(super) written: Option<(&'a Path, usize)>,
}

impl Report<'_> {
    pub(super) fn print(&self, out: &mut dyn Write) -> Result<(), Error> {
        let rounding = match self.rounding {
            Rounding::Truncate => "cut off",
            Rounding::HalfAwayFromZero => "to the nearest, halves away from zero",
        };
        writeln!(
            out,
            "network      {}: {}",
            self.spec.name, self.spec.notation
        )?;
        writeln!(out, "source       {}", self.source)?;
        writeln!(out, "rounding     {rounding}\n")?;
        self.calibration
            .map_or(Ok(()), |calibration| calibration.print(out))?;
        self.print_tensors(out)?;
        self.print_drift(out)?;
        match self.written {
            Some((path, bytes)) => writeln!(out, "written      {}, {bytes} bytes", path.display())?,
            None => writeln!(out, "written      nothing: name a file with --output")?,
        }
        Ok(())
    }

    fn print_tensors(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "{:<12} {:<12} {:<4} {:>10} {:>10} {:>12} {:>10} {:>10} {:>10}",
            "tensor",
            "source",
            "type",
            "factor",
            "weights",
            "largest",
            "saturated",
            "worst",
            "mean"
        )?;
        for (desc, (source, rounded)) in self.spec.tensors.iter().zip(self.tensors) {
            let (element, factor) = (desc.element.name(), short(rounded.factor));
            write!(
                out,
                "{:<12} {source:<12} {element:<4} {factor:>10} {:>10} ",
                desc.name, rounded.weights
            )?;
            if desc.element == ElementType::F32 {
                writeln!(
                    out,
                    "{:>12.3} {:>10} {:>10} {:>10}",
                    rounded.largest, "-", "-", "-"
                )?;
            } else {
                let (saturated, worst, mean) = (rounded.saturated, rounded.worst, rounded.mean);
                writeln!(
                    out,
                    "{:>12.1} {saturated:>10} {worst:>10.3} {mean:>10.3}",
                    rounded.largest
                )?;
            }
        }
        for (desc, (_, rounded)) in self.spec.tensors.iter().zip(self.tensors) {
            if rounded.saturated > 0 {
                let excess = rounded.excess;
                writeln!(
                    out,
                    "{}: {} clamped, the worst by {excess:.0}",
                    desc.name, rounded.saturated
                )?;
            }
        }
        Ok(())
    }

    fn print_drift(&self, out: &mut dyn Write) -> Result<(), Error> {
        let Drift {
            positions,
            mean,
            mean_value,
            worst,
        } = self.drift;
        let Some((fen, exact, found)) = worst else {
            return Ok(writeln!(
                out,
                "\ndrift        not measured: no positions ({})",
                self.positions
            )?);
        };
        writeln!(
            out,
            "\ndrift        of the value, {positions} positions of {}",
            self.positions
        )?;
        writeln!(
            out,
            "  mean       {mean:.2}, where values are {mean_value:.0} on average"
        )?;
        let greatest = self.drift.greatest();
        Ok(writeln!(
            out,
            "  worst      {greatest:.2}: {found}, in floats {exact:.2}, in {fen}"
        )?)
    }
}

/// Formats a factor with as many digits as it needs.
fn short(factor: f64) -> String {
    if factor.fract() == 0.0 {
        format!("{factor:.0}")
    } else {
        format!("{factor:.3}")
    }
}
