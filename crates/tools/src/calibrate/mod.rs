//! Calibration: the scale of every activation, from what flows through a network of floats in positions.
//!
//! ```text
//!   positions ──► trace_real ──► Ranges ──► histograms ──► thresholds ──► gains ──► columns of weights ──► Rounded network
//!                 (nnue-spec)   first pass  second pass    (threshold)    (gains)   (Recipe::gains)        (quantize)
//! ```
//!
//! A trainer's 1.0 is the end of the range of a clipped activation. If values stay far below it, or if a few are far above all others, a range
//! that ends elsewhere counts the others more finely. Which end is best, [`Method`] says; [`Gains`] makes it the end of the declared range, by
//! weights that are greater before it and smaller after it. [`correct_biases`] then takes mean errors off the biases. `docs/calibration.md` has the formulas and what was measured.

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

/// The greatest values of sites: the first pass over the positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// of each site
    pub greatest: Vec<f64>,
}

impl Ranges {
    /// Nothing has been seen yet.
    pub fn new(sites: &[Site]) -> Self {
        Self {
            greatest: vec![0.0; sites.len()],
        }
    }

    /// Adds what flows in a position.
    pub fn add(&mut self, net: &NetDesc<'_>, sites: &[Site], trace: &RealTrace) {
        for (site, greatest) in sites.iter().zip(&mut self.greatest) {
            *greatest = site.values(net, trace).fold(*greatest, f64::max);
        }
    }

    /// Empty histograms, each as wide as the values of its site.
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

/// How values are distributed at each site: the second pass over the positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Histograms {
    /// of each site
    pub sites: Vec<Histogram>,
}

impl Histograms {
    /// Adds what flows in a position.
    pub fn add(&mut self, net: &NetDesc<'_>, sites: &[Site], trace: &RealTrace) {
        for (site, histogram) in sites.iter().zip(&mut self.sites) {
            site.values(net, trace)
                .for_each(|value| histogram.add(value));
        }
    }

    /// What `method` chooses for each site. Where the floats are clipped, a threshold above 1 becomes 1: they clip there too.
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
