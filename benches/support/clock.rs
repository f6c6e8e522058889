//! A stopwatch for many short sections.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Adds up the time of sections, less what reading the clock itself takes.
#[derive(Default)]
pub(crate) struct Stopwatch {
    total: Duration,
    sections: u32,
}

impl Stopwatch {
    /// Runs `section` and counts its time.
    #[inline(always)]
    pub(crate) fn time<T>(&mut self, section: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = section();
        self.total += start.elapsed();
        self.sections += 1;
        result
    }

    /// The time of all sections.
    pub(crate) fn elapsed(&self) -> Duration {
        self.total.saturating_sub(empty_section() * self.sections)
    }
}

/// What an empty section measures: the median of many.
fn empty_section() -> Duration {
    static EMPTY: OnceLock<Duration> = OnceLock::new();
    *EMPTY.get_or_init(|| {
        let mut samples: Vec<Duration> = (0..10_001).map(|_| Instant::now().elapsed()).collect();
        samples.sort_unstable();
        samples[samples.len() / 2]
    })
}
