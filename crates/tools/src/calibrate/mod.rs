//! Calibration: scales of activations from the values of a float network in positions.
//!
//! ```text
//!   positions ──► trace_real ──► Ranges ──► histograms ──► thresholds ──► gains ──► columns of weights ──► Rounded network
//!                 (nnue-spec)   first pass  second pass    (threshold)    (gains)   (Recipe::gains)        (quantize)
//! ```
//!
//! The trainer's 1.0 is the end of the range of a clipped activation. If values stay far below it, or if a
//! few are far above all others, another end gives the other values more levels. [`Method`] chooses the end;
//! [`Gains`] moves it to the end of the declared range by scaling the weights before and after.
//! [`correct_biases`] then removes mean errors from the biases. See `docs/calibration.md` for formulas and
//! measurements.

mod bias;
mod divergence;
mod gains;
mod histogram;
mod site;
mod threshold;

use nnue_spec::NetDesc;
use nnue_spec::reference::{Clipping, RealTrace};

pub use bias::{Floats, correct_biases};
pub use gains::Gains;
pub use histogram::{BINS, Histogram};
pub use site::{Fixed, Flow, Site, sites};
pub use threshold::{Method, Threshold, USUAL_PERCENTILE};

/// The greatest value of each site: the first pass over the positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// one per site
    pub greatest: Vec<f64>,
}

impl Ranges {
    /// Ranges without values.
    pub fn new(sites: &[Site]) -> Self {
        Self {
            greatest: vec![0.0; sites.len()],
        }
    }

    /// Adds the values of a position.
    pub fn add(&mut self, net: &NetDesc<'_>, sites: &[Site], trace: &RealTrace) {
        for (site, greatest) in sites.iter().zip(&mut self.greatest) {
            *greatest = site.values(net, trace).fold(*greatest, f64::max);
        }
    }

    /// Empty histograms for these ranges.
    pub fn histograms(&self) -> Histograms {
        Histograms {
            sites: self
                .greatest
                .iter()
                .map(|&greatest| Histogram::new(greatest))
                .collect(),
        }
    }
}

/// The distribution of values at each site: the second pass over the positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Histograms {
    /// one per site
    pub sites: Vec<Histogram>,
}

impl Histograms {
    /// Adds the values of a position.
    pub fn add(&mut self, net: &NetDesc<'_>, sites: &[Site], trace: &RealTrace) {
        for (site, histogram) in sites.iter().zip(&mut self.sites) {
            site.values(net, trace)
                .for_each(|value| histogram.add(value));
        }
    }

    /// The thresholds that `method` chooses. Where the floats are clipped, thresholds above 1 become 1,
    /// because the floats clip there too.
    pub fn thresholds(&self, sites: &[Site], method: Method, clipping: Clipping) -> Vec<Threshold> {
        let of_site = |(histogram, site): (&Histogram, &Site)| {
            let threshold = histogram.threshold(method, site.levels);
            let is_beyond = site.is_clipped(clipping) && threshold.value > 1.0;
            if is_beyond {
                histogram.clipped_at(1.0, site.levels)
            } else {
                threshold
            }
        };
        self.sites.iter().zip(sites).map(of_site).collect()
    }
}
