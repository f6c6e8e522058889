//! Several workloads in turn.

use crate::samples::Samples;
use crate::support::{Record, Workload};

/// The values of a pass.
pub(crate) fn values(workload: &mut dyn Workload) -> Vec<i32> {
    let mut record = Record::default();
    workload.pass(&mut record);
    record.values
}

/// Nanoseconds per operation, measured on all workloads in turn, repeatedly.
pub(crate) fn measure<const N: usize>(
    mut workloads: [&mut dyn Workload; N],
    repetitions: usize,
) -> [f64; N] {
    let mut samples: [Samples; N] = std::array::from_fn(|_| Samples::default());
    for _ in 0..repetitions {
        samples
            .iter_mut()
            .zip(&mut workloads)
            .for_each(|(samples, workload)| samples.add(&mut **workload));
    }
    samples.map(|mut samples| {
        samples.sort();
        samples.quantile(2)
    })
}
