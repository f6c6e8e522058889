//! Prints the calibration.

use std::io::Write;

use nnue_spec::reference::Clipping;
use nnue_tools::calibrate::Method;

use super::{Calibration, Candidate};
use crate::error::Error;
use crate::quantize::drift::Drift;

/// Relative tolerance between a gain and the gain of its threshold.
const SAME: f64 = 1e-9;

pub(super) fn name(method: Method) -> String {
    match method {
        Method::Max => "max".to_owned(),
        Method::Percentile(percent) => format!("percentile={percent}"),
        Method::Mse => "mse".to_owned(),
        Method::Kl => "kl".to_owned(),
    }
}

impl Calibration {
    pub(crate) fn print(&self, out: &mut dyn Write) -> Result<(), Error> {
        let clipping = match self.clipping {
            Clipping::Declared => "floats clipped as declared",
            Clipping::Accumulators => "floats clipped in accumulators only",
            Clipping::Nothing => "floats not clipped",
        };
        writeln!(
            out,
            "calibration  {}: values in {} positions, {clipping}\n",
            name(self.chosen().method),
            self.positions
        )?;
        self.sites(out)?;
        self.drifts(out)?;
        self.others(out)
    }

    fn sites(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "{:<12} {:<17} {:>10} {:>10} {:>11} {:>10} {:>8}",
            "values of", "method", "threshold", "clipped %", "divergence", "error", "gain"
        )?;
        for (index, site) in self.sites.iter().enumerate() {
            let histogram = &self.histograms.sites[index];
            for candidate in &self.candidates {
                let (threshold, gain) = (candidate.thresholds[index], candidate.gains.0[index]);
                let is_held = site.fixed.is_none() && (gain * threshold.value - 1.0).abs() > SAME;
                writeln!(
                    out,
                    "{:<12} {:<17} {:>10.4} {:>10.4} {:>11.5} {:>10.5} {gain:>8.3}{}",
                    site.name,
                    marked(candidate),
                    threshold.value,
                    100.0 * threshold.clipped,
                    threshold.divergence,
                    threshold.error,
                    if is_held {
                        "  limited by the types"
                    } else {
                        ""
                    }
                )?;
            }
            if let Some(fixed) = site.fixed {
                writeln!(out, "{:<12} keeps its scale: {}", site.name, fixed.name())?;
            }
            if histogram.limit() == 0.0 {
                writeln!(out, "{:<12} is always 0", site.name)?;
            }
        }
        Ok(writeln!(
            out,
            "A threshold of 1 is where the declared range ends.\n"
        )?)
    }

    fn drifts(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(
            out,
            "{:<30} {:>10} {:>10}",
            format!("drift in {} positions", self.compared.judged.len()),
            "mean",
            "worst"
        )?;
        drift(out, "scales as declared", Some(&self.declared))?;
        self.candidates
            .iter()
            .try_for_each(|candidate| drift(out, &marked(candidate), candidate.drift.as_ref()))?;
        Ok(writeln!(out)?)
    }

    fn others(&self, out: &mut dyn Write) -> Result<(), Error> {
        let Some(chosen) = &self.chosen().drift else {
            return Ok(());
        };
        for other in &self.others {
            let [scale, changed] = other.scales;
            writeln!(
                out,
                "{:<12} `@ {changed}` in the declaration, instead of `@ {scale}`, would have a drift of {:.3}, {:.0} % less",
                other.of,
                other.drift,
                100.0 * (1.0 - other.drift / chosen.mean)
            )?;
        }
        if !self.others.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The name of a method; the chosen one with a star.
fn marked(candidate: &Candidate) -> String {
    if candidate.is_chosen {
        format!("{} *", name(candidate.method))
    } else {
        name(candidate.method)
    }
}

fn drift(out: &mut dyn Write, name: &str, drift: Option<&Drift>) -> Result<(), Error> {
    match drift {
        Some(drift) => writeln!(
            out,
            "  {name:<28} {:>10.3} {:>10.2}",
            drift.mean,
            drift.greatest()
        )?,
        None => writeln!(out, "  {name:<28} weights do not fit")?,
    }
    Ok(())
}
