//! Times work, minus the cost of reading the clock.

use std::time::Instant;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    /// nanoseconds between two consecutive readings
    overhead: f64,
}

impl Timer {
    pub(crate) fn new() -> Self {
        let nothing = || Self { overhead: 0.0 }.time(|| ());
        let mut readings: Vec<f64> = (0..1001).map(|_| nothing()).collect();
        Self {
            overhead: median(&mut readings),
        }
    }

    #[inline(always)]
    pub(crate) fn time(self, work: impl FnOnce()) -> f64 {
        let start = Instant::now();
        work();
        (start.elapsed().as_nanos() as f64 - self.overhead).max(0.0)
    }
}

/// The times of one run of a workload, in parts short enough that interruptions are rare.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// nanoseconds of each part: a run of plies, a game, a tree, a position
    pub(crate) parts: Vec<f64>,
    /// operations in all parts together
    pub(crate) operations: usize,
}

/// Nanoseconds per operation, from the median of each part over the repetitions: interruptions do not count.
pub(crate) fn per_operation(repetitions: &[Times]) -> f64 {
    let Some(Times { parts, operations }) = repetitions.first() else {
        return 0.0;
    };
    let part = |index: usize| {
        median(
            &mut repetitions
                .iter()
                .map(|times| times.parts[index])
                .collect::<Vec<_>>(),
        )
    };
    (0..parts.len()).map(part).sum::<f64>().max(0.0) / *operations as f64
}

/// The median; 0 without values.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_does_not_count() {
        let times = |parts: [f64; 2]| Times {
            parts: parts.to_vec(),
            operations: 10,
        };
        let repetitions = [
            times([10.0, 90.0]),
            times([9000.0, 90.0]),
            times([10.0, 9000.0]),
        ];
        assert!((per_operation(&repetitions) - 10.0).abs() < 1e-9);
    }
}
