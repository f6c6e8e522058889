//! A histogram of a tensor's values in one terminal line.

use nnue_spec::ElementType;
use nnue_tools::plot::{Histogram, Network, Numbers, tensors};

const BINS: u64 = 32;

const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    counts: Histogram,
    digits: usize,
}

impl Summary {
    pub(super) fn new(network: &Network<'_>, index: usize) -> Self {
        let numbers: &Numbers<'_> =
            &|each| tensors::for_each(network, index, &mut |number| each(number, 1));
        match network.desc.tensors[index].element {
            ElementType::F32 => Self::of_floats(numbers),
            ElementType::I8 | ElementType::I16 | ElementType::I32 => Self::of_whole(numbers),
        }
    }

    fn of_whole(numbers: &Numbers<'_>) -> Self {
        Self {
            counts: Histogram::parts(numbers, BINS, 1.0),
            digits: 0,
        }
    }

    pub(super) fn of_floats(numbers: &Numbers<'_>) -> Self {
        Self {
            counts: Histogram::parts(numbers, BINS, 0.0),
            digits: 4,
        }
    }

    /// Share of zeros, 0 to 1.
    pub(super) fn zeros(&self) -> f64 {
        self.counts.zeros as f64 / self.counts.total.max(1) as f64
    }

    /// `smallest..=greatest`
    pub(super) fn range(&self) -> String {
        let Self {
            counts: Histogram {
                least, greatest, ..
            },
            digits,
        } = self;
        format!("{least:.digits$}..={greatest:.digits$}")
    }

    /// One bar per part of the range, from the smallest value to the greatest. Heights are logarithmic, to
    /// show outliers.
    pub(super) fn picture(&self) -> String {
        let most = self.counts.counts.iter().copied().max().unwrap_or(0) as f64;
        let bar = |count: u64| match count {
            0 => BARS[0],
            _ if most <= 1.0 => BARS[8],
            _ => BARS[1 + (7.0 * (count as f64).ln() / most.ln()).round() as usize],
        };
        let counts = self.counts.counts.iter().copied();
        counts
            .chain(std::iter::repeat(0))
            .take(BINS as usize)
            .map(bar)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(values: &[i32]) -> Summary {
        Summary::of_whole(&|each| values.iter().for_each(|&value| each(value.into(), 1)))
    }

    fn floats(values: &[f32]) -> Summary {
        Summary::of_floats(&|each| values.iter().for_each(|&value| each(value.into(), 1)))
    }

    #[test]
    fn counts_range_zeros_and_shape() {
        let values: Vec<i32> = (0..=31).chain([0; 32]).collect();
        let summary = whole(&values);
        assert_eq!(summary.range(), "0..=31");
        assert!((summary.zeros() - 33.0 / 64.0).abs() < 1e-9);
        let picture = summary.picture();
        assert_eq!(picture.chars().count(), 32);
        assert!(picture.starts_with("█▁▁"), "{picture}");
    }

    #[test]
    fn extreme_values_do_not_overflow() {
        let summary = whole(&[i32::MIN, i32::MAX]);
        assert_eq!(summary.range(), "-2147483648..=2147483647");
        assert_eq!(summary.picture().trim().chars().count(), 32);
    }

    #[test]
    fn floats_have_a_range_of_their_own() {
        let summary = floats(&[-0.25, 0.0, 0.5, 0.5]);
        assert_eq!(summary.range(), "-0.2500..=0.5000");
        assert_eq!(
            (
                summary.counts.counts[0],
                summary.counts.counts[31],
                summary.zeros()
            ),
            (1, 2, 0.25)
        );
        for values in [[f32::NAN; 3], [f32::INFINITY, 0.0, 1.0], [2.5; 3]] {
            assert_eq!(floats(&values).picture().chars().count(), 32);
        }
    }
}
