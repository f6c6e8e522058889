//! Statistics of the differences between two backends.

use std::fmt;

use crate::answers::Answer;
use crate::game::Wanted;

/// Permitted errors: `|a - b| <= max(relative * max(|a|, |b|), absolute)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// permitted absolute error
    pub absolute: f64,
    /// permitted error relative to the larger number
    pub relative: f64,
}

impl Tolerance {
    /// No tolerance: numbers must be equal.
    pub const EXACT: Self = Self {
        absolute: 0.0,
        relative: 0.0,
    };

    fn allows(&self, error: f64, larger: f64) -> bool {
        error <= (self.relative * larger).max(self.absolute)
    }
}

/// A compared output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// expected result
    Value,
    /// integer value
    Score,
    /// draw probability
    Draws,
    /// plies left
    MovesLeft,
    /// move probabilities
    Policy,
}

impl Output {
    /// All outputs.
    pub const ALL: [Self; 5] = [
        Self::Value,
        Self::Score,
        Self::Draws,
        Self::MovesLeft,
        Self::Policy,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        ["value", "score", "draws", "moves left", "policy"][self as usize]
    }
}

/// Histogram of errors: powers of ten from 10^-15 to 10, in five steps each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// number of exact matches
    pub none: u64,
    /// errors below 10^-15, then from `10^(-15 + k / 5)` to `10^(-15 + (k + 1) / 5)` for k from 0 to 79, then
    /// larger ones
    pub bins: [u64; Self::BINS],
}

impl Histogram {
    /// Five for each of sixteen powers of ten, one below, one above.
    pub const BINS: usize = 82;

    fn add(&mut self, error: f64) {
        if error == 0.0 {
            self.none += 1;
        } else {
            let bin = ((error.log10() + 15.0) * 5.0).floor() + 1.0;
            self.bins[(bin.max(0.0) as usize).min(Self::BINS - 1)] += 1;
        }
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            none: 0,
            bins: [0; Self::BINS],
        }
    }
}

/// Differences of one output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// number of compared values
    pub compared: u64,
    /// number of values that differ too much
    pub wrong: u64,
    /// number of values with NaN on one side or both, which is always wrong
    pub nan: u64,
    /// greatest difference
    pub greatest: f64,
    /// greatest difference relative to the larger value
    pub greatest_relative: f64,
    /// frequencies of differences
    pub histogram: Histogram,
}

impl Tally {
    fn compare(&mut self, first: f32, second: f32, tolerance: &Tolerance) {
        self.compared += 1;
        if first.is_nan() || second.is_nan() {
            self.nan += 1;
            self.wrong += 1;
            return;
        }
        let [first, second] = [first, second].map(f64::from);
        // equal infinities do not differ
        let error = if first == second {
            0.0
        } else {
            (first - second).abs()
        };
        let larger = first.abs().max(second.abs());
        self.wrong += u64::from(!tolerance.allows(error, larger));
        self.greatest = self.greatest.max(error);
        self.greatest_relative =
            self.greatest_relative
                .max(if error == 0.0 { 0.0 } else { error / larger });
        self.histogram.add(error);
    }

    fn add(&mut self, other: &Self) {
        self.compared += other.compared;
        self.wrong += other.wrong;
        self.nan += other.nan;
        self.greatest = self.greatest.max(other.greatest);
        self.greatest_relative = self.greatest_relative.max(other.greatest_relative);
        self.histogram.none += other.histogram.none;
        self.histogram
            .bins
            .iter_mut()
            .zip(other.histogram.bins)
            .for_each(|(bin, other)| *bin += other);
    }
}

/// Differences of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tallies {
    /// number of compared batches
    pub(super) batches: u64,
    /// number of batches that the second backend could not compute
    pub(super) failed: u64,
    outputs: [Tally; Output::ALL.len()],
}

impl Tallies {
    /// Empty counts for one batch.
    pub(super) fn of_batch() -> Self {
        Self {
            batches: 1,
            ..Self::default()
        }
    }

    pub(super) fn of(&self, output: Output) -> &Tally {
        &self.outputs[output as usize]
    }

    fn tally(&mut self, output: Output) -> &mut Tally {
        &mut self.outputs[output as usize]
    }

    pub(super) fn wrong(&self) -> u64 {
        self.outputs.iter().map(|tally| tally.wrong).sum()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.batches += other.batches;
        self.failed += other.failed;
        self.outputs
            .iter_mut()
            .zip(&other.outputs)
            .for_each(|(tally, other)| tally.add(other));
    }

    /// Compares two answers to a position: the requested outputs that both have (`outputs`).
    pub(super) fn compare(
        &mut self,
        answers: [&Answer<&[f32]>; 2],
        outputs: &[Output],
        wanted: Wanted,
        tolerance: &Tolerance,
    ) {
        let [first, second] = answers;
        for &output in outputs {
            let tally = self.tally(output);
            match output {
                Output::Value => tally.compare(first.q, second.q, tolerance),
                Output::Score => {
                    tally.compared += 1;
                    tally.wrong += u64::from(first.score != second.score);
                    let [first, second] =
                        [first.score, second.score].map(|score| f64::from(score.unwrap_or(0)));
                    tally.greatest = tally.greatest.max((first - second).abs());
                    tally.histogram.add((first - second).abs());
                }
                Output::Draws if wanted.draws => tally.compare(first.d, second.d, tolerance),
                Output::MovesLeft if wanted.moves_left => {
                    tally.compare(first.m, second.m, tolerance)
                }
                Output::Policy if wanted.policy => {
                    tally.wrong += first.policy.len().abs_diff(second.policy.len()) as u64;
                    let moves = first.policy.iter().zip(second.policy);
                    moves.for_each(|(&first, &second)| tally.compare(first, second, tolerance));
                }
                Output::Draws | Output::MovesLeft | Output::Policy => {}
            }
        }
    }

    /// The outputs that differ too much.
    pub(super) fn wrong_outputs(&self) -> String {
        let wrong = Output::ALL
            .into_iter()
            .filter(|&output| self.of(output).wrong > 0);
        let shown = |output| {
            let Tally {
                compared,
                wrong,
                nan,
                greatest,
                ..
            } = self.of(output);
            let nan = if *nan > 0 {
                format!(", {nan} NaN")
            } else {
                String::new()
            };
            format!(
                "{} ({wrong} of {compared}, by up to {greatest:.3e}{nan})",
                output.name()
            )
        };
        wrong.map(shown).collect::<Vec<_>>().join(", ")
    }

    /// The greatest errors of all outputs.
    pub(super) fn greatest(&self) -> String {
        let compared = Output::ALL
            .into_iter()
            .filter(|&output| self.of(output).compared > 0);
        let shown = |output| {
            let Tally {
                greatest,
                greatest_relative,
                nan,
                ..
            } = self.of(output);
            let nan = if *nan > 0 {
                format!(", {nan} NaN")
            } else {
                String::new()
            };
            format!(
                "{} {greatest:.3e} ({greatest_relative:.3e} of it{nan})",
                output.name()
            )
        };
        compared.map(shown).collect::<Vec<_>>().join(", ")
    }

    /// One line per output, and with histograms one for each nonempty bin.
    pub(super) fn report(
        &self,
        name: &str,
        histograms: bool,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        writeln!(
            out,
            "{name}: {} batches compared, {} failed",
            self.batches, self.failed
        )?;
        for output in Output::ALL {
            let Tally {
                compared,
                wrong,
                nan,
                greatest,
                greatest_relative,
                histogram,
            } = self.of(output);
            if *compared == 0 {
                continue;
            }
            let output = output.name();
            write!(
                out,
                "{name}: {output:<10} {compared} compared, {wrong} wrong, {nan} NaN, "
            )?;
            writeln!(
                out,
                "greatest error {greatest:.3e}, {greatest_relative:.3e} of it"
            )?;
            if histograms {
                writeln!(
                    out,
                    "{name}: {output:<10}   equal        {}",
                    histogram.none
                )?;
                for (bin, count) in histogram
                    .bins
                    .iter()
                    .enumerate()
                    .filter(|(_, count)| **count > 0)
                {
                    writeln!(out, "{name}: {output:<10}   {:<12} {count}", size(bin))?;
                }
            }
        }
        Ok(())
    }
}

/// The errors of a bin as text.
fn size(bin: usize) -> String {
    match bin {
        0 => "< 1e-15".into(),
        bin if bin == Histogram::BINS - 1 => ">= 10".into(),
        bin => format!(">= 10^{:.1}", -15.0 + (bin - 1) as f64 / 5.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_fall_into_their_bins() {
        let mut histogram = Histogram::default();
        for error in [0.0, 1e-20, 1.1e-15, 1.1e-5, 1.2, 9.9, 50.0] {
            histogram.add(error);
        }
        let filled: Vec<(usize, u64)> = histogram
            .bins
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(
            (histogram.none, filled),
            (1, vec![(0, 1), (1, 1), (51, 1), (76, 1), (80, 1), (81, 1)])
        );
        assert_eq!(
            [size(0), size(51), size(76), size(81)],
            ["< 1e-15", ">= 10^-5.0", ">= 10^0.0", ">= 10"]
        );
    }

    #[test]
    fn nan_is_wrong_even_if_both_are() {
        let (mut tally, tolerance) = (
            Tally::default(),
            Tolerance {
                absolute: 1.0,
                relative: 1.0,
            },
        );
        for (first, second) in [
            (f32::NAN, 0.5),
            (0.5, f32::NAN),
            (f32::NAN, f32::NAN),
            (0.5, 0.5),
        ] {
            tally.compare(first, second, &tolerance);
        }
        assert_eq!((tally.compared, tally.nan, tally.wrong), (4, 3, 3));
        tally.compare(f32::INFINITY, f32::INFINITY, &tolerance);
        assert_eq!((tally.wrong, tally.greatest), (3, 0.0));
    }
}
