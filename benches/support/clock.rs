//! The record of a pass: values, and the times of many short sections.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The values that a pass computed, and how long its sections took.
#[derive(Default)]
pub(crate) struct Record {
    /// one per operation
    pub(crate) values: Vec<i32>,
    /// one per section, less what reading the clock takes
    pub(crate) sections: Vec<Duration>,
}

impl Record {
    /// Clears the record.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.sections.clear();
    }

    /// Runs a section, which pushes its values, and notes its time.
    #[inline(always)]
    pub(crate) fn time(&mut self, section: impl FnOnce(&mut Vec<i32>)) {
        let start = Instant::now();
        section(&mut self.values);
        let time = start.elapsed();
        self.sections.push(time.saturating_sub(empty_section()));
    }
}

/// The time of an empty section: the median of many.
fn empty_section() -> Duration {
    static EMPTY: OnceLock<Duration> = OnceLock::new();
    *EMPTY.get_or_init(|| {
        let mut samples: Vec<Duration> = (0..10_001).map(|_| Instant::now().elapsed()).collect();
        samples.sort_unstable();
        samples[samples.len() / 2]
    })
}
