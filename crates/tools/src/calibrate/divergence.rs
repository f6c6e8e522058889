//! The clipping threshold with the least divergence between a distribution and its quantised form.
//!
//! Method and constants are those of the Python calibration of MXNet 1.3 to 1.5.1. For every half width `h`,
//! from half of the levels to all bins:
//!
//! ```text
//!   counts   . 1 2 9 7 4 0 3 1 .        bins around 0, of which 2h + 1 are inside
//!             ╰───╯ inside ╰───╯
//!   p        what is outside is added to the first and the last bin inside: values that are clipped
//!   q        the bins inside, merged into as many groups as there are levels; the sum of each group is spread evenly over its bins that
//!            are not empty in p. The last group has what is left over. The clipped values are not in q.
//!
//!   empty bins of both get 0.0001, which the others lose in equal parts (smoothing)
//!   divergence = sum of p * ln(p / q), both divided by their sums
//! ```
//!
//! Among equal divergences the first wins. A width for which q has no values, or less than the smoothing
//! takes, counts as infinitely far, where the original computes a NaN and returns it.

use super::histogram::{BINS, MIDDLE};

/// Value of empty bins.
const SMOOTHING: f64 = 0.0001;

/// The nonempty bins, and sums for merging them.
pub(super) struct Divergences<'c> {
    counts: &'c [u64],
    levels: usize,
    /// nonempty bins, in order
    filled: Vec<usize>,
    /// prefix sums: `before[i]` is the sum of all counts of bins before `i`
    before: Vec<u64>,
}

impl<'c> Divergences<'c> {
    /// `counts` has [`BINS`] elements; `levels` is odd.
    pub(super) fn new(counts: &'c [u64], levels: usize) -> Self {
        let filled = (0..BINS).filter(|&bin| counts[bin] > 0).collect();
        let mut before = vec![0];
        for (bin, count) in counts.iter().enumerate() {
            before.push(before[bin] + count);
        }
        Self {
            counts,
            levels,
            filled,
            before,
        }
    }

    /// The half width with the least divergence, and the divergence; `None` if all are infinite.
    pub(super) fn least(&self) -> Option<(usize, f64)> {
        let mut least = None;
        for half in self.levels / 2..=MIDDLE {
            let divergence = self.at(half);
            if least.is_none_or(|(_, least)| divergence < least) && divergence.is_finite() {
                least = Some((half, divergence));
            }
        }
        least
    }

    /// The divergence for `half` bins on both sides of the middle one.
    pub(super) fn at(&self, half: usize) -> f64 {
        let (start, end) = (MIDDLE - half, MIDDLE + half + 1);
        let width = end - start;
        let outside = [self.before[start], self.before[BINS] - self.before[end]];
        let inside = self.before[end] - self.before[start];
        let first = self.filled.partition_point(|&bin| bin < start);
        let last = self.filled.partition_point(|&bin| bin < end);
        let window = Window {
            start,
            end,
            outside,
            merged: width / self.levels,
        };
        let bins = window.bins(self, &self.filled[first..last]);

        let spread = bins.iter().filter(|bin| bin.image > 0.0).count();
        if spread == 0 {
            return f64::INFINITY;
        }
        let lost_of = |filled: usize| SMOOTHING * (width - filled) as f64 / filled as f64;
        let (lost, lost_of_image) = (lost_of(bins.len()), lost_of(spread));
        // Bins that are empty in p are empty in q too: both get 0.0001, which adds nothing.
        let mut sum = 0.0;
        for bin in &bins {
            let value = bin.value - lost;
            let image = if bin.image > 0.0 {
                bin.image - lost_of_image
            } else {
                SMOOTHING
            };
            if value <= 0.0 || image <= 0.0 {
                return f64::INFINITY;
            }
            sum += value * (value / image).ln();
        }
        let (of_all, of_inside) = (self.before[BINS] as f64, inside as f64);
        sum / of_all + (of_inside / of_all).ln()
    }
}

/// A nonempty bin of p.
struct Bin {
    value: f64,
    /// its value in q
    image: f64,
}

struct Window {
    start: usize,
    end: usize,
    /// number of values before and after the window
    outside: [u64; 2],
    /// bins per group
    merged: usize,
}

impl Window {
    /// The nonempty bins of p; `filled` are those in the window with counts of their own.
    fn bins(&self, of: &Divergences<'_>, filled: &[usize]) -> Vec<Bin> {
        let mut places = filled.to_vec();
        if self.outside[0] > 0 && places.first() != Some(&self.start) {
            places.insert(0, self.start);
        }
        if self.outside[1] > 0 && places.last() != Some(&(self.end - 1)) {
            places.push(self.end - 1);
        }
        let group = |place: usize| ((place - self.start) / self.merged).min(of.levels - 1);
        let mut bins = Vec::with_capacity(places.len());
        for places in places.chunk_by(|&one, &next| group(one) == group(next)) {
            let index = group(places[0]);
            let begin = self.start + index * self.merged;
            let end = if index == of.levels - 1 {
                self.end
            } else {
                begin + self.merged
            };
            let image = (of.before[end] - of.before[begin]) as f64 / places.len() as f64;
            bins.extend(places.iter().map(|&place| Bin {
                value: (of.counts[place] + self.clipped(place)) as f64,
                image,
            }));
        }
        bins
    }

    /// Number of values that are clipped to the bin at `place`.
    fn clipped(&self, place: usize) -> u64 {
        match place {
            _ if place == self.start => self.outside[0],
            _ if place + 1 == self.end => self.outside[1],
            _ => 0,
        }
    }
}
