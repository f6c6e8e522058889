//! The forward pass before and after, in alternation.

use crate::progress::Progress;

use crate::bench::{Data, Timer, Workload, measure, per_operation};
use crate::network::AnyNetwork;

/// What is measured: accumulators ready, along games and over unrelated positions.
pub(super) const WORKLOADS: [Workload; 2] = [Workload::ForwardContext, Workload::ForwardRotating];

/// Nanoseconds of a forward pass: median of each part of a workload over all repetitions.
pub(super) struct Times {
    /// how often every workload ran
    pub(super) repetitions: usize,
    /// of each of [`WORKLOADS`], before and after
    pub(super) nanoseconds: [[f64; 2]; WORKLOADS.len()],
}

impl Times {
    /// Measures both networks one after the other, again and again, so that what disturbs one disturbs the other.
    pub(super) fn measure(networks: [&dyn AnyNetwork; 2], data: &Data, repetitions: usize) -> Self {
        let timer = Timer::new();
        let progress = Progress::new("measurement", repetitions as u64);
        let mut samples = WORKLOADS.map(|_| [Vec::new(), Vec::new()]);
        for _ in 0..repetitions {
            for (workload, samples) in WORKLOADS.into_iter().zip(&mut samples) {
                for (network, samples) in networks.iter().zip(samples) {
                    let once = || measure(*network, workload, data, 0, timer);
                    // the first pass warms the caches that the other network has used
                    once();
                    samples.push(once());
                }
            }
            progress.step();
        }
        Self {
            repetitions,
            nanoseconds: samples.map(|samples| samples.map(|samples| per_operation(&samples))),
        }
    }
}
