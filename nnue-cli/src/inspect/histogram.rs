//! The distribution of a tensor's values in one line of a terminal.

use nnue_spec::TensorRef;

/// Columns of the picture.
const BINS: usize = 32;

/// Heights, from nothing to most.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Range, zeros and distribution of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    /// smallest value
    min: f64,
    /// greatest value
    max: f64,
    /// share of zeros, 0 to 1
    pub(super) zeros: f64,
    /// how many values fall into each of equal parts of the range
    bins: [u64; BINS],
    /// digits after the point
    digits: usize,
}

impl Summary {
    /// Counts the values of `tensor`, which has at least one.
    pub(super) fn new(tensor: &TensorRef<'_>) -> Self {
        match tensor {
            TensorRef::I8(values) => Self::of(values, 1.0),
            TensorRef::I16(values) => Self::of(values, 1.0),
            TensorRef::I32(values) => Self::of(values, 1.0),
            TensorRef::F32(values) => Self { digits: 4, ..Self::of(values, 0.0) },
        }
    }

    /// `step` is the distance between neighbouring values: 1 for whole numbers, 0 for floats.
    fn of<T: Copy + Into<f64>>(values: &[T], step: f64) -> Self {
        let all = || values.iter().map(|&value| value.into());
        let (min, max) =
            all().fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value: f64| (min.min(value), max.max(value)));
        let width = max - min + step;
        let mut bins = [0; BINS];
        let mut zeros = 0_u64;
        for value in all() {
            // NaN falls into the first part, the greatest float into the last.
            let bin = ((value - min) * BINS as f64 / width) as usize;
            bins[bin.min(BINS - 1)] += 1;
            zeros += u64::from(value == 0.0);
        }
        Self { min, max, zeros: zeros as f64 / values.len().max(1) as f64, bins, digits: 0 }
    }

    /// `smallest..=greatest`
    pub(super) fn range(&self) -> String {
        let Self { min, max, digits, .. } = self;
        format!("{min:.digits$}..={max:.digits$}")
    }

    /// One bar per part of the range, from the smallest value to the greatest. Heights are logarithmic, so that outliers show.
    pub(super) fn picture(&self) -> String {
        let most = self.bins.iter().copied().max().unwrap_or(0) as f64;
        let bar = |&count: &u64| match count {
            0 => BARS[0],
            _ if most <= 1.0 => BARS[8],
            _ => BARS[1 + (7.0 * (count as f64).ln() / most.ln()).round() as usize],
        };
        self.bins.iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_range_zeros_and_shape() {
        let values: Vec<i8> = (0..=31).chain([0; 32]).collect();
        let summary = Summary::new(&TensorRef::I8(&values));
        assert_eq!(summary.range(), "0..=31");
        assert!((summary.zeros - 33.0 / 64.0).abs() < 1e-9);
        let picture = summary.picture();
        assert_eq!(picture.chars().count(), BINS);
        assert!(picture.starts_with("█▁▁"), "{picture}");
    }

    #[test]
    fn extreme_values_do_not_overflow() {
        let summary = Summary::new(&TensorRef::I32(&[i32::MIN, i32::MAX]));
        assert_eq!(summary.range(), "-2147483648..=2147483647");
        assert_eq!(summary.picture().trim().chars().count(), 32);
    }

    #[test]
    fn floats_have_a_range_of_their_own() {
        let values = [-0.25, 0.0, 0.5, 0.5];
        let summary = Summary::new(&TensorRef::F32(&values));
        assert_eq!(summary.range(), "-0.2500..=0.5000");
        assert_eq!((summary.bins[0], summary.bins[BINS - 1], summary.zeros), (1, 2, 0.25));
        for values in [[f32::NAN; 3], [f32::INFINITY, 0.0, 1.0], [2.5; 3]] {
            assert_eq!(Summary::new(&TensorRef::F32(&values)).picture().chars().count(), BINS);
        }
    }
}
