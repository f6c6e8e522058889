//! Bounds as text.

use std::fmt;

use super::accumulator::Proof;
use super::interval::Interval;
use super::layer::LayerBounds;
use super::{AccumulatorBounds, Bounds};

impl fmt::Display for Bounds {
    /// One line for each quantity: its range and the consequence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(
            f,
            "accumulator",
            self.accumulator.range,
            &accumulator(&self.accumulator),
        )?;
        if let Some(second) = &self.second {
            line(f, "second accumulator", second.range, &accumulator(second))?;
        }
        if let Some(psqt) = self.psqt {
            line(f, "psqt sums", psqt, fits(psqt.fits_i32(), "i32"))?;
        }
        for layer in &self.layers {
            if layer.is_float {
                writeln!(
                    f,
                    "{:<24} 32-bit floats, about which nothing is proved",
                    format!("{} sums", layer.name)
                )?;
                continue;
            }
            line(
                f,
                &format!("{} sums", layer.name),
                layer.sums,
                fits(layer.sums.fits_i32(), "i32"),
            )?;
            // Layers with 16-bit weights over accumulators do not add pairs of products in 16 bits.
            if layer.pair != Interval::ZERO {
                line(f, &format!("{} pairs", layer.name), layer.pair, dot(layer))?;
            }
        }
        if self.layers.last().is_some_and(|layer| layer.is_float) {
            return Ok(());
        }
        for term in &self.output.terms {
            let verdict = if term.wraps {
                "its 32-bit product can wrap, and does so as declared"
            } else {
                "never wraps"
            };
            line(f, &term.text, term.range, verdict)?;
        }
        let wraps = if self.output.wraps {
            "can wrap, and does so as declared"
        } else {
            "never wraps"
        };
        line(f, "positional", self.output.positional, wraps)?;
        if self.psqt.is_some() {
            line(
                f,
                "psqt",
                self.output.psqt,
                "half the difference of the two sides",
            )?;
        }
        line(f, "value", self.output.value, "no position can give more")
    }
}

fn line(f: &mut fmt::Formatter<'_>, what: &str, range: Interval, verdict: &str) -> fmt::Result {
    writeln!(
        f,
        "{what:<24} {:>12} ..= {:<12} {verdict}",
        range.min, range.max
    )
}

fn fits(fits: bool, element: &str) -> &'static str {
    match (fits, element) {
        (true, "i16") => "fits in i16",
        (true, _) => "fits in i32",
        (false, "i16") => "may leave i16 and wrap",
        (false, _) => "may leave i32 and wrap",
    }
}

fn accumulator(bounds: &AccumulatorBounds) -> String {
    let verdict = fits(bounds.unproven.is_empty(), "i16");
    match (bounds.proof, bounds.unproven.len()) {
        (Proof::Crude, _) => format!("{verdict} even with a piece on every square"),
        (Proof::Refined, 0) => format!("{verdict} with at most 32 pieces"),
        (Proof::Refined, count) => format!(
            "{verdict}: {count} neurons, the first is {}",
            bounds.unproven[0]
        ),
    }
}

fn dot(layer: &LayerBounds) -> &'static str {
    match (layer.pair_saturates(), layer.two_pairs_saturate()) {
        (true, _) => "may saturate i16: products are widened first",
        (false, true) => "fit in i16 alone, two together may not",
        (false, false) => "fit in i16, two together too",
    }
}
