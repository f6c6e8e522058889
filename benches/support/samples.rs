//! Times of the sections of a workload, over many passes.

use std::time::Duration;

use crate::support::{Record, Workload};

/// The measurements of one workload.
#[derive(Default)]
pub(crate) struct Samples {
    /// per section one time per repetition
    sections: Vec<Vec<Duration>>,
    /// operations of a pass
    pub(crate) operations: usize,
}

impl Samples {
    /// Measures one pass. An uncounted pass before it brings the weights back into the caches, from which the other sides have evicted
    /// them.
    pub(crate) fn add(&mut self, workload: &mut dyn Workload) {
        let mut record = Record::default();
        workload.pass(&mut record);
        workload.pass(&mut record);
        self.operations = record.values.len();
        self.sections.resize_with(record.sections.len(), Vec::new);
        for (samples, time) in self.sections.iter_mut().zip(record.sections) {
            samples.push(time);
        }
    }

    pub(crate) fn sort(&mut self) {
        self.sections
            .iter_mut()
            .for_each(|samples| samples.sort_unstable());
    }

    /// Nanoseconds per operation if each section takes the time below which `quarter` quarters of its samples lie.
    pub(crate) fn quantile(&self, quarter: usize) -> f64 {
        let time: Duration = self
            .sections
            .iter()
            .map(|sorted| sorted[quarter * (sorted.len() - 1) / 4])
            .sum();
        time.as_nanos() as f64 / self.operations as f64
    }
}
