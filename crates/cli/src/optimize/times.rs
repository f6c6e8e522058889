//! Times the forward pass before and after, in alternation.

use crate::progress::Progress;

use crate::bench::{Data, Timer, Workload, measure, per_operation};
use crate::network::AnyNetwork;

/// Workloads: forward passes along games and over unrelated positions.
pub(super) const WORKLOADS: [Workload; 2] = [Workload::ForwardContext, Workload::ForwardRotating];

/// Nanoseconds of a forward pass: median of each part of a workload over all repetitions.
pub(super) struct Times {
    pub(super) repetitions: usize,
    /// for each of [`WORKLOADS`]: before, after
    pub(super) nanoseconds: [[f64; 2]; WORKLOADS.len()],
}

impl Times {
    /// Measures both networks in alternation, so that disturbances affect both.
    pub(super) fn measure(networks: [&dyn AnyNetwork; 2], data: &Data, repetitions: usize) -> Self {
        let timer = Timer::new();
        let progress = Progress::new("measurement", repetitions as u64);
        let mut samples = WORKLOADS.map(|_| [Vec::new(), Vec::new()]);
        for _ in 0..repetitions {
            for (workload, samples) in WORKLOADS.into_iter().zip(&mut samples) {
                for (network, samples) in networks.iter().zip(samples) {
                    let once = || measure(*network, workload, data, 0, timer);
                    // the first pass, not counted, warms the caches after the other network
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
