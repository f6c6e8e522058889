//! Histograms of values, in equal bins around 0.
//!
//! ```text
//!   -limit ┤ 0 │ 1 │ .. │ 4000 │ .. │ 8000 ├ limit        0 is in the middle of bin 4000
//! ```

/// Number of bins of a histogram.
pub const BINS: usize = 8001;

/// The bin of 0.
pub(super) const MIDDLE: usize = BINS / 2;

/// Counts of values in [`BINS`] bins of equal width, from `-limit` to `limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    limit: f64,
    counts: Vec<u64>,
}

impl Histogram {
    /// An empty histogram for values from `-limit` to `limit`.
    pub fn new(limit: f64) -> Self {
        Self {
            limit,
            counts: vec![0; BINS],
        }
    }

    /// A histogram with these counts.
    ///
    /// # Panics
    ///
    /// If the number of counts is not [`BINS`].
    pub fn of_counts(limit: f64, counts: Vec<u64>) -> Self {
        assert_eq!(counts.len(), BINS, "bins");
        Self { limit, counts }
    }

    /// The greatest magnitude that is not clipped.
    pub const fn limit(&self) -> f64 {
        self.limit
    }

    /// Number of values in each bin.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of values.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds a value. Values beyond the limit go to the last bin on their side.
    pub fn add(&mut self, value: f64) {
        let bin = if self.limit > 0.0 {
            self.bin(value)
        } else {
            MIDDLE
        };
        self.counts[bin] += 1;
    }

    /// The lower edge of a bin.
    pub fn edge(&self, bin: usize) -> f64 {
        (bin as f64 * 2.0 / BINS as f64 - 1.0) * self.limit
    }

    /// The bin of a value, consistent with [`Self::edge`] despite rounding errors of the division.
    fn bin(&self, value: f64) -> usize {
        let guess =
            ((value / self.limit + 1.0) / 2.0 * BINS as f64).clamp(0.0, (BINS - 1) as f64) as usize;
        match guess {
            _ if guess > 0 && value < self.edge(guess) => guess - 1,
            _ if guess + 1 < BINS && value >= self.edge(guess + 1) => guess + 1,
            _ => guess,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_between_the_edges_of_their_bins() {
        for limit in [1.0, 4.254_716_873_168_945, 3e-4, 1e9] {
            let histogram = Histogram::new(limit);
            for step in -1000..=1000 {
                let value = limit * f64::from(step) / 1000.0;
                let bin = histogram.bin(value);
                assert!(
                    histogram.edge(bin) <= value
                        && (value < histogram.edge(bin + 1) || bin == BINS - 1),
                    "{value}"
                );
            }
            for edge in [1, 17, MIDDLE, 4500, BINS - 1] {
                assert_eq!(histogram.bin(histogram.edge(edge)), edge, "{limit}");
            }
            assert_eq!(
                [-limit, 0.0, limit].map(|value| histogram.bin(value)),
                [0, MIDDLE, BINS - 1]
            );
        }
    }

    #[test]
    fn values_that_are_all_zero_are_in_the_middle() {
        let mut histogram = Histogram::new(0.0);
        histogram.add(0.0);
        assert_eq!((histogram.counts()[MIDDLE], histogram.total()), (1, 1));
    }
}
