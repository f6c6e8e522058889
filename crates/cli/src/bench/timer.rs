//! Time, less what it costs to read the clock.

use std::time::Instant;

/// A clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    /// nanoseconds between two readings with nothing in between
    overhead: f64,
}

impl Timer {
    /// A clock whose cost has been measured.
    pub(crate) fn new() -> Self {
        let nothing = || Self { overhead: 0.0 }.time(|| ());
        let mut readings: Vec<f64> = (0..1001).map(|_| nothing()).collect();
        Self {
            overhead: median(&mut readings),
        }
    }

    /// Nanoseconds that `work` takes.
    #[inline(always)]
    pub(crate) fn time(self, work: impl FnOnce()) -> f64 {
        let start = Instant::now();
        work();
        (start.elapsed().as_nanos() as f64 - self.overhead).max(0.0)
    }
}

/// What one run of a workload took, in parts that are short enough to be interrupted rarely.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// nanoseconds of each part: a run of plies, a game, a tree, a position
    pub(crate) parts: Vec<f64>,
    /// operations of all parts together
    pub(crate) operations: usize,
}

/// Nanoseconds per operation: the median of each part over the repetitions, so that interruptions do not count.
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

/// The value in the middle; 0 if there is none.
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
