//! Workloads for criterion.

use std::time::Duration;

use criterion::{Bencher, Criterion};

use crate::support::{Record, Workload};

/// Short samples: what is measured lasts tens of nanoseconds and a pass has thousands of them.
pub(crate) fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}

/// Measures `workload`. An iteration is one operation; as many whole passes are run as contain the requested iterations.
pub(crate) fn sample(bencher: &mut Bencher<'_>, workload: &mut dyn Workload) {
    let mut record = Record::default();
    bencher.iter_custom(|operations| {
        let (mut time, mut done) = (Duration::ZERO, 0);
        while done < operations {
            workload.pass(&mut record);
            time += record.sections.iter().sum::<Duration>();
            done += record.values.len() as u64;
        }
        time.mul_f64(operations as f64 / done as f64)
    });
}
