//! Histograms: counts over equal parts of a range, and their drawing.

use crate::plot::axis::Axis;
use crate::plot::drawing::{Anchor, COLOURS, Drawing, Label, short};

/// Most parts of a histogram.
const PARTS: u64 = 64;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 200.0;
/// margins around the bars
const LEFT: f64 = 60.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 26.0;

/// A histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// the least number
    pub least: f64,
    /// the greatest number
    pub greatest: f64,
    /// number of zeros
    pub zeros: u64,
    /// number of values
    pub total: u64,
    /// width of a part
    pub step: f64,
    /// counts of the parts: part `i` begins at `least + i * step`
    pub counts: Vec<u64>,
    /// number of infinite or NaN values, which no part counts
    pub strange: u64,
}

/// Values that can be iterated twice: calls the function with each value and its frequency.
pub type Numbers<'n> = dyn Fn(&mut dyn FnMut(f64, u64)) + 'n;

impl Histogram {
    /// Histogram of integers; all parts contain equally many integers.
    pub fn whole(numbers: &Numbers<'_>) -> Self {
        Self::of(numbers, PARTS, |least, greatest| {
            ((greatest - least + 1.0) / PARTS as f64).ceil()
        })
    }

    /// Histogram of floats. The greatest value is in the last part.
    pub fn floats(numbers: &Numbers<'_>) -> Self {
        Self::parts(numbers, PARTS, 0.0)
    }

    /// Histogram with `parts` equal parts. `spacing` is the distance between neighbouring values: 1 for
    /// integers, 0 for floats.
    pub fn parts(numbers: &Numbers<'_>, parts: u64, spacing: f64) -> Self {
        Self::of(numbers, parts, |least, greatest| {
            (greatest - least + spacing) / parts as f64
        })
    }

    fn of(numbers: &Numbers<'_>, most: u64, step: impl FnOnce(f64, f64) -> f64) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut zeros, mut total, mut strange) = (0, 0, 0);
        numbers(&mut |number, times| {
            total += times;
            if number.is_finite() {
                (least, greatest) = (least.min(number), greatest.max(number));
                zeros += if number == 0.0 { times } else { 0 };
            } else {
                strange += times;
            }
        });
        if least > greatest {
            return Self {
                least: 0.0,
                greatest: 0.0,
                zeros,
                total,
                step: 1.0,
                counts: Vec::new(),
                strange,
            };
        }
        let step = step(least, greatest);
        let step = if step > 0.0 { step } else { 1.0 };
        let parts = ((greatest - least) / step) as usize + 1;
        let mut counts = vec![0; parts.min(most as usize)];
        let last = counts.len() - 1;
        numbers(&mut |number, times| {
            if number.is_finite() {
                counts[(((number - least) / step) as usize).min(last)] += times;
            }
        });
        Self {
            least,
            greatest,
            zeros,
            total,
            step,
            counts,
            strange,
        }
    }

    /// The drawing. Heights are logarithmic, so that outliers show. The bar of 0 has another colour.
    pub fn draw(&self, title: &str) -> Drawing {
        let mut drawing = Drawing::new(WIDTH, HEIGHT);
        drawing.label(Label {
            bold: true,
            ..Label::new((0.0, 14.0), title)
        });
        drawing.label(Label {
            size: 11.0,
            colour: "#555555",
            ..Label::new((0.0, 29.0), &self.summary())
        });
        let end = self.least + self.step * self.counts.len() as f64;
        let x = Axis::new(self.least, end, LEFT, WIDTH - RIGHT);
        let most = self.counts.iter().copied().max().unwrap_or(0) as f64;
        let y = Axis::new(0.0, most.log10().max(1.0) + 0.2, HEIGHT - BOTTOM, TOP);
        for power in (0..=most.log10().max(1.0) as i32).filter(|power| most < 1e6 || power % 2 == 0)
        {
            let at = y.place(f64::from(power) + 0.2);
            drawing.path(
                &format!("M{LEFT} {at:.1}H{}", WIDTH - RIGHT),
                "stroke=\"#ddd\"",
            );
            let text = if power < 5 {
                format!("{}", 10_u32.pow(power as u32))
            } else {
                format!("1e{power}")
            };
            drawing.label(Label {
                size: 11.0,
                anchor: Anchor::End,
                ..Label::new((LEFT - 4.0, at + 4.0), &text)
            });
        }
        for (part, &count) in self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let from = self.least + self.step * part as f64;
            let (left, right) = (x.place(from), x.place(from + self.step));
            let top = y.place((count as f64).log10() + 0.2);
            let has_zero = from <= 0.0 && 0.0 < from + self.step;
            let size = ((right - left - 0.5).max(0.5), HEIGHT - BOTTOM - top);
            let title = format!("{} to {}: {count}", short(from), short(self.last(part)));
            drawing.rectangle(
                (left, top),
                size,
                COLOURS[usize::from(has_zero)],
                Some(&title),
            );
        }
        for number in x.ticks() {
            let at = (x.place(number), HEIGHT - BOTTOM + 16.0);
            drawing.label(Label {
                size: 11.0,
                anchor: Anchor::Middle,
                ..Label::new(at, &short(number))
            });
        }
        drawing
    }

    /// The greatest value that a part can hold; for integers, the one before the next part.
    fn last(&self, part: usize) -> f64 {
        let next = self.least + self.step * (part + 1) as f64;
        let is_whole = [self.least, self.greatest, self.step]
            .iter()
            .all(|number| number.fract() == 0.0);
        if is_whole { next - 1.0 } else { next }
    }

    /// Count, range and share of zeros as text.
    pub fn summary(&self) -> String {
        let zeros = 100.0 * self.zeros as f64 / self.total.max(1) as f64;
        let strange = if self.strange > 0 {
            format!(", {} not finite", self.strange)
        } else {
            String::new()
        };
        format!(
            "{} numbers, {} to {}, {zeros:.1} % zeros{strange}",
            self.total,
            short(self.least),
            short(self.greatest)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_direct_count() {
        let numbers: Vec<i32> = (-100_i32..=156)
            .flat_map(|n| vec![n; (n.unsigned_abs() % 7) as usize])
            .collect();
        let all = Histogram::whole(&|each| numbers.iter().for_each(|&n| each(n.into(), 1)));
        assert_eq!((all.least, all.greatest, all.step), (-100.0, 156.0, 5.0));
        for (part, &count) in all.counts.iter().enumerate() {
            let range = -100 + 5 * part as i32..-95 + 5 * part as i32;
            assert_eq!(
                count,
                numbers.iter().filter(|n| range.contains(n)).count() as u64,
                "{range:?}"
            );
        }
        assert_eq!(all.counts.iter().sum::<u64>(), numbers.len() as u64);
        let svg = all.draw("t").svg();
        assert!(
            svg.contains(&format!("-100 to -96: {}", all.counts[0])),
            "{svg}"
        );
    }

    #[test]
    fn floats_that_are_no_numbers_are_told_of() {
        let numbers = [0.0, 0.5, 1.0, f64::NAN, f64::INFINITY];
        let all = Histogram::floats(&|each| numbers.iter().for_each(|&n| each(n, 1)));
        assert_eq!(
            (
                all.counts.len(),
                all.counts[0],
                all.counts[32],
                all.counts[63]
            ),
            (64, 1, 1, 1)
        );
        assert!(all.summary().ends_with("2 not finite"), "{}", all.summary());
        for numbers in [vec![], vec![f64::NAN], vec![2.5; 3]] {
            let all = Histogram::floats(&|each| numbers.iter().for_each(|&n| each(n, 1)));
            assert!(!all.draw("t").svg().contains("NaN"));
        }
    }
}
