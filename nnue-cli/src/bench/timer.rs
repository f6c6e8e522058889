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
        Self { overhead: median(&mut readings) }
    }

    /// Nanoseconds that `work` takes.
    #[inline(always)]
    pub(crate) fn time(self, work: impl FnOnce()) -> f64 {
        let start = Instant::now();
        work();
        (start.elapsed().as_nanos() as f64 - self.overhead).max(0.0)
    }
}

/// The value in the middle; 0 if there is none.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
