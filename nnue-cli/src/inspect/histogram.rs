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
    pub(super) min: i32,
    /// greatest value
    pub(super) max: i32,
    /// share of zeros, 0 to 1
    pub(super) zeros: f64,
    /// how many values fall into each of equal parts of the range
    bins: [u64; BINS],
}

impl Summary {
    /// Counts the values of `tensor`, which has at least one; of floats, their whole parts.
    pub(super) fn new(tensor: &TensorRef<'_>) -> Self {
        match tensor {
            TensorRef::I8(values) => Self::of(values),
            TensorRef::I16(values) => Self::of(values),
            TensorRef::I32(values) => Self::of(values),
            TensorRef::F32(values) => Self::of(&values.iter().map(|&value| value as i32).collect::<Vec<i32>>()),
        }
    }

    fn of<T: Copy + Into<i32>>(values: &[T]) -> Self {
        let all = || values.iter().map(|&value| value.into());
        let (min, max) = all().fold((i32::MAX, i32::MIN), |(min, max), value: i32| (min.min(value), max.max(value)));
        let width = i64::from(max) - i64::from(min) + 1;
        let mut bins = [0; BINS];
        let mut zeros = 0_u64;
        for value in all() {
            bins[((i64::from(value) - i64::from(min)) * BINS as i64 / width) as usize] += 1;
            zeros += u64::from(value == 0);
        }
        Self { min, max, zeros: zeros as f64 / values.len().max(1) as f64, bins }
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
        assert_eq!((summary.min, summary.max), (0, 31));
        assert!((summary.zeros - 33.0 / 64.0).abs() < 1e-9);
        let picture = summary.picture();
        assert_eq!(picture.chars().count(), BINS);
        assert!(picture.starts_with("█▁▁"), "{picture}");
    }

    #[test]
    fn extreme_values_do_not_overflow() {
        let summary = Summary::new(&TensorRef::I32(&[i32::MIN, i32::MAX]));
        assert_eq!((summary.min, summary.max), (i32::MIN, i32::MAX));
        assert_eq!(summary.picture().trim().chars().count(), 32);
    }
}
