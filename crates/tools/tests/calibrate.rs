//! Thresholds of least divergence, against those of MXNet 1.5.1 (`calibration/README.md`).

use std::fs;
use std::path::Path;

use nnue_tools::calibrate::{BINS, Histogram, Method};

/// How much the package's 32-bit floats may differ.
const TOLERANCE: f64 = 5e-5;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calibration"))
}

/// A histogram: its greatest magnitude, then counts, of which `-n` are n empty bins.
fn histogram(name: &str) -> Histogram {
    let text =
        fs::read_to_string(folder().join(name).with_extension("txt")).expect("it is committed");
    let mut numbers = text.split_whitespace();
    let limit = numbers
        .next()
        .and_then(|number| number.parse().ok())
        .expect("the greatest magnitude");
    let mut counts = Vec::new();
    for number in numbers.map(|number| number.parse::<i64>().expect("a count")) {
        match u64::try_from(number) {
            Ok(count) => counts.push(count),
            Err(_) => counts.resize(counts.len() + number.unsigned_abs() as usize, 0),
        }
    }
    Histogram::of_counts(limit, counts)
}

#[test]
fn thresholds_are_those_of_another_implementation() {
    let table = fs::read_to_string(folder().join("thresholds.tsv")).expect("it is committed");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: usize| fields[field].parse::<f64>().expect("a number");
        let (histogram, levels) = (histogram(fields[0]), number(2) as usize);
        assert_eq!(histogram.total(), 20_000, "{line}");
        // The package answers with its first NaN where samples leave the middle empty: the second implementation does not.
        let value = if number(8).is_nan() {
            number(9)
        } else {
            number(6)
        };
        let expected =
            ((value / histogram.limit() + 1.0) / 2.0 * BINS as f64).round() as usize - BINS / 2 - 1;
        let found = histogram.threshold(Method::Kl, levels);
        let least = histogram.divergence(expected, levels);
        assert!(
            (number(10) / least - 1.0).abs() < TOLERANCE,
            "{line}: {least}"
        );
        assert!(
            found.half == expected || found.divergence <= least,
            "{line}: {found:?}, {least} at {expected}"
        );
        assert!(
            (found.value / value - 1.0).abs() < 1e-6 || found.half != expected,
            "{line}: {found:?}"
        );
        compared += usize::from(found.half == expected);
    }
    assert_eq!(compared, 9, "all thresholds are in the same bin");
}

#[test]
fn other_methods_do_what_they_say() {
    let normal = histogram("normal.npy");
    let max = normal.threshold(Method::Max, 255);
    assert_eq!((max.half, max.clipped), (BINS / 2, 0.0));
    assert!((max.value - normal.limit()).abs() < 1e-12);
    let percentile = normal.threshold(Method::Percentile(99.0), 255);
    // 99 % of a normal distribution are within 2.576.
    assert!(
        (percentile.value - 2.576).abs() < 0.05 && percentile.clipped <= 0.01,
        "{percentile:?}"
    );
    let mse = normal.threshold(Method::Mse, 255);
    for other in [max, percentile, normal.threshold(Method::Kl, 255)] {
        assert!(mse.error <= other.error, "{mse:?}, {other:?}");
    }
    // With few levels it pays to clip more.
    assert!(normal.threshold(Method::Mse, 15).value < mse.value);
}

#[test]
fn values_that_say_nothing_are_not_clipped() {
    let mut zeros = Histogram::new(0.0);
    (0..10).for_each(|_| zeros.add(0.0));
    for method in [
        Method::Max,
        Method::Percentile(99.9),
        Method::Mse,
        Method::Kl,
    ] {
        let threshold = zeros.threshold(method, 255);
        assert_eq!((threshold.value, threshold.error), (0.0, 0.0), "{method:?}");
        assert_eq!(
            Histogram::new(1.0).threshold(method, 255).clipped,
            0.0,
            "{method:?}"
        );
    }
}
