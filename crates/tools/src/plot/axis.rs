//! Axes: from values to coordinates, and ticks.

/// Approximate number of ticks.
const TICKS: f64 = 5.0;

/// A range of values, and the coordinates of its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    /// coordinates of the ends
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis over the range of the numbers.
    pub(crate) fn of(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = numbers.fold((f64::MAX, f64::MIN), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        Self::new(low, high, from, to)
    }

    /// An empty range is widened around its value.
    pub(crate) fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let room = if high > low {
            0.0
        } else {
            low.abs().max(1.0) * 0.1
        };
        Self {
            low: low - room,
            high: high + room,
            from,
            to,
        }
    }

    pub(crate) fn place(&self, number: f64) -> f64 {
        self.from + (number - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Ticks: multiples of 1, 2 or 5 times a power of ten.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let rough = (self.high - self.low) / TICKS;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|times| times * power)
            .into_iter()
            .find(|step| *step >= rough * 0.999);
        let step = step.unwrap_or(power);
        let (first, last) = (
            (self.low / step).ceil() as i64,
            (self.high / step).floor() as i64,
        );
        (first..=last).map(move |index| index as f64 * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::drawing::short;

    #[test]
    fn ticks_are_round_and_in_range() {
        let ticks = |low, high| {
            Axis::new(low, high, 0.0, 1.0)
                .ticks()
                .map(short)
                .collect::<Vec<_>>()
        };
        assert_eq!(ticks(0.0121, 0.0302), ["0.015", "0.02", "0.025", "0.03"]);
        assert_eq!(ticks(1.0, 11.0), ["2", "4", "6", "8", "10"]);
        assert_eq!(ticks(0.0, 0.0), ["-0.1", "-0.05", "0", "0.05", "0.1"]);
    }
}
