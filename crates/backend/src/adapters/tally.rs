//! How far two backends differ, counted.

use std::fmt;

use crate::answers::Answer;
use crate::game::Wanted;

/// Which errors are allowed: `|a - b| <= max(relative * max(|a|, |b|), absolute)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// the greatest error whatever the numbers are
    pub absolute: f64,
    /// the greatest error as a part of the larger number
    pub relative: f64,
}

impl Tolerance {
    /// None: numbers must be equal.
    pub const EXACT: Self = Self {
        absolute: 0.0,
        relative: 0.0,
    };

    fn allows(&self, error: f64, larger: f64) -> bool {
        error <= (self.relative * larger).max(self.absolute)
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// the expected result
    Value,
    /// the value in whole numbers
    Score,
    /// the share of draws
    Draws,
    /// the plies that are left
    MovesLeft,
    /// the probabilities of the moves
    Policy,
}

impl Output {
    /// All of them.
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

/// How often errors were how large: powers of ten from 10^-15 to 10, in five steps each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// no error at all
    pub none: u64,
    /// errors below 10^-15, then `10^(-15 + k / 5)` to `10^(-15 + (k + 1) / 5)` for k from 0 to 79, then larger ones
    pub bins: [u64; Self::BINS],
}

impl Histogram {
    /// Five for each of sixteen powers of ten, those below, those above.
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

/// The differences of one output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// numbers that were compared
    pub compared: u64,
    /// those that differ by more than is allowed
    pub wrong: u64,
    /// those of which one or both are NaN, which is always wrong
    pub nan: u64,
    /// greatest difference
    pub greatest: f64,
    /// greatest difference as a part of the larger one of both
    pub greatest_relative: f64,
    /// how often it was how large
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
        // two equal infinities do not differ
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

/// The differences of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tallies {
    /// batches that were compared
    pub(super) batches: u64,
    /// those of them that the second backend could not compute
    pub(super) failed: u64,
    outputs: [Tally; Output::ALL.len()],
}

impl Tallies {
    /// Those of a batch that was not compared yet.
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

    /// Compares what both say about a position, as far as it was wanted and both have it (`outputs`).
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

    /// The outputs that differ by more than is allowed.
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

    /// A line for each output, and in the mode of histograms one for each size of error that there was.
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

/// The errors of a bin in words.
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
