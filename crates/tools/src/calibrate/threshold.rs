//! Clipping thresholds of a distribution, by each method, and their cost.

use super::divergence::Divergences;
use super::histogram::{BINS, Histogram, MIDDLE};

/// The default percentile.
pub const USUAL_PERCENTILE: f64 = 99.99;

/// Method to choose a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// the greatest magnitude: clips nothing
    Max,
    /// the least magnitude that is not exceeded by this percentage of all values
    Percentile(f64),
    /// the least mean square error of clipping and rounding
    Mse,
    /// the least divergence between the distribution and its quantised form
    Kl,
}

/// A clipping threshold and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// the magnitude of the last level
    pub value: f64,
    /// number of bins on each side of the middle one that are not clipped
    pub half: usize,
    /// share of clipped values, 0 to 1
    pub clipped: f64,
    /// divergence between the distribution and its quantised form, in nats; infinite if undefined
    pub divergence: f64,
    /// root mean square error of clipping and rounding
    pub error: f64,
}

impl Histogram {
    /// The threshold that `method` chooses for values in `levels` levels, from `-levels / 2` to `levels / 2`.
    ///
    /// # Panics
    ///
    /// If `levels` is not an odd number from 3 to [`BINS`].
    pub fn threshold(&self, method: Method, levels: usize) -> Threshold {
        assert!(
            levels % 2 == 1 && (3..=BINS).contains(&levels),
            "an odd number of levels, found {levels}"
        );
        let half = match method {
            Method::Max => MIDDLE,
            Method::Percentile(percent) => self.percentile(percent, levels / 2),
            Method::Mse => self.least_error(levels),
            Method::Kl => Divergences::new(self.counts(), levels)
                .least()
                .map_or(MIDDLE, |(half, _)| half),
        };
        self.kept(half, levels)
    }

    /// The cost of a threshold at the bin edge nearest to `value`.
    ///
    /// # Panics
    ///
    /// As [`threshold`](Self::threshold).
    pub fn clipped_at(&self, value: f64, levels: usize) -> Threshold {
        assert!(
            levels % 2 == 1 && (3..=BINS).contains(&levels),
            "an odd number of levels, found {levels}"
        );
        let half = (levels / 2..MIDDLE)
            .find(|&half| self.edge(MIDDLE + half + 1) >= value)
            .unwrap_or(MIDDLE);
        Threshold {
            value,
            ..self.kept(half, levels)
        }
    }

    /// The threshold and its cost for `half` bins on each side of the middle one.
    fn kept(&self, half: usize, levels: usize) -> Threshold {
        Threshold {
            value: self.edge(MIDDLE + half + 1),
            half,
            clipped: self.outside(half) as f64 / self.total().max(1) as f64,
            divergence: self.divergence(half, levels),
            error: self.square_error(half, levels).sqrt(),
        }
    }

    /// The divergence for `half` bins on each side of the middle one and `levels` levels.
    pub fn divergence(&self, half: usize, levels: usize) -> f64 {
        Divergences::new(self.counts(), levels).at(half)
    }

    /// Number of values outside of the `half` bins on each side of the middle one.
    fn outside(&self, half: usize) -> u64 {
        let counts = self.counts();
        counts[..MIDDLE - half]
            .iter()
            .chain(&counts[MIDDLE + half + 1..])
            .sum()
    }

    fn percentile(&self, percent: f64, least: usize) -> usize {
        let outside = (1.0 - percent / 100.0) * self.total() as f64;
        let mut half = MIDDLE;
        while half > least && self.outside(half - 1) as f64 <= outside {
            half -= 1;
        }
        half
    }

    fn least_error(&self, levels: usize) -> usize {
        let errors = (levels / 2..=MIDDLE).map(|half| (half, self.square_error(half, levels)));
        let least = errors.min_by(|(_, one), (_, other)| one.total_cmp(other));
        least.map_or(MIDDLE, |(half, _)| half)
    }

    /// The mean square error of clipping and rounding to levels. Each value is taken to be at the centre of
    /// its bin.
    fn square_error(&self, half: usize, levels: usize) -> f64 {
        let greatest = (levels / 2) as f64;
        let step = self.edge(MIDDLE + half + 1) / greatest;
        if step <= 0.0 {
            return 0.0;
        }
        let width = 2.0 * self.limit() / BINS as f64;
        let mut sum = 0.0;
        for distance in 1..=MIDDLE {
            let count = self.counts()[MIDDLE - distance] + self.counts()[MIDDLE + distance];
            if count > 0 {
                let value = distance as f64 * width;
                let error = value - (value / step).round().min(greatest) * step;
                sum += count as f64 * error * error;
            }
        }
        sum / self.total().max(1) as f64
    }
}
