//! The threshold of least divergence: where to clip so that a distribution changes least when it is written in few levels.
//!
//! The method and its constants are those of the calibration of MXNet 1.3 to 1.5.1 in Python. For every half width `h`, from half of the
//! levels to all bins:
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
//! The first of the least divergences wins. A width for which q has no values, or fewer than smoothing takes, counts as infinitely far: the
//! original has a NaN there, and then answers with it.

use super::histogram::{BINS, MIDDLE};

/// What an empty bin gets.
const SMOOTHING: f64 = 0.0001;

/// Bins that are not empty, and what is needed to merge them.
pub(super) struct Divergences<'c> {
    counts: &'c [u64],
    levels: usize,
    /// bins that are not empty, in order
    filled: Vec<usize>,
    /// `before[i]`: the sum of all counts of bins before `i`
    before: Vec<u64>,
}

impl<'c> Divergences<'c> {
    /// Of a histogram of [`BINS`] counts, written in `levels` levels, an odd number.
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

    /// The half width of least divergence, and that; `None` if all are infinite.
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

    /// The divergence if `half` bins on both sides of the middle one are kept.
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
        // Bins that are empty in p are empty in q: they have the same 0.0001 in both, and add nothing.
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

/// A bin that is not empty in p.
struct Bin {
    value: f64,
    /// the same in q
    image: f64,
}

/// The bins inside.
struct Window {
    start: usize,
    end: usize,
    /// values before and after them
    outside: [u64; 2],
    /// bins of a group
    merged: usize,
}

impl Window {
    /// The bins that are not empty in p; `filled` are those inside with counts of their own.
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

    /// Values that are clipped to the bin at `place`.
    fn clipped(&self, place: usize) -> u64 {
        match place {
            _ if place == self.start => self.outside[0],
            _ if place + 1 == self.end => self.outside[1],
            _ => 0,
        }
    }
}
