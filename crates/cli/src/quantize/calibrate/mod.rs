//! `nnue quantize --calibrate`: chooses the scale of each activation from float values in positions.
//!
//! ```text
//!   positions, at most 65536 ──► histograms of each site ──► thresholds of each method ──► gains ──┐
//!      ├─ every second one, at most 1024 ──► corrected biases ────────────────────────────────────►├──► networks
//!      └─ of the others, at most 1024 ──► drift of each network ◄───────────────────────────────────┘
//! ```

mod others;
mod plots;
mod report;

use crate::progress::Progress;
use nnue_format::Tensors;
use nnue_spec::NetDesc;
use nnue_spec::reference::{Clipping, Position, trace_real};
use nnue_tools::bounds::prove_tightly;
use nnue_tools::calibrate::{
    Floats, Gains, Histograms, Method, Ranges, Site, Threshold, USUAL_PERCENTILE, correct_biases,
    sites,
};
use nnue_tools::quantize::{Arranged, QuantizeError, Recipe};

use super::drift::Drift;
use crate::error::Error;
use crate::input::{Sample, Spread};
pub(super) use others::{Other, others};
pub(super) use plots::draw;

/// Most positions for histograms, spread evenly over the given ones.
const COUNTED: usize = 1 << 16;

/// Most positions to compare networks in, and most to correct biases with.
const COMPARED: usize = 1024;

pub(super) struct Calibration {
    pub(super) sites: Vec<Site>,
    pub(super) histograms: Histograms,
    /// positions in the histograms
    pub(super) positions: usize,
    pub(super) clipping: Clipping,
    pub(super) candidates: Vec<Candidate>,
    /// drift of the network with the declared scales
    pub(super) declared: Drift,
    pub(super) others: Vec<Other>,
    pub(super) compared: Compared,
}

pub(super) struct Candidate {
    pub(super) method: Method,
    pub(super) is_chosen: bool,
    pub(super) thresholds: Vec<Threshold>,
    pub(super) gains: Gains,
    /// `None` if a weight does not fit its type
    pub(super) drift: Option<Drift>,
}

/// Positions for comparing networks, and others for correcting biases.
pub(super) struct Compared {
    pub(super) judged: Vec<Sample>,
    fitted: Vec<Sample>,
}

/// A float network and its rounding.
#[derive(Clone, Copy)]
pub(super) struct Network<'n> {
    pub(super) net: &'n NetDesc<'n>,
    pub(super) floats: &'n Arranged,
    pub(super) recipe: &'n Recipe,
    pub(super) clipping: Clipping,
}

impl Calibration {
    /// Collects histograms of `network` in `positions`, and compares the methods.
    pub(super) fn of(
        network: Network<'_>,
        chosen: Method,
        positions: impl Iterator<Item = Result<Sample, Error>>,
    ) -> Result<Self, Error> {
        let mut spread = Spread::new(COUNTED);
        positions
            .into_iter()
            .try_for_each(|given| given.map(|given| spread.push(given)))?;
        let positions: Vec<Sample> = spread.into_kept();
        if positions.is_empty() {
            return Err(Error::Argument(
                "--positions has no positions, and the scales are chosen from values in them"
                    .into(),
            ));
        }
        let sites = sites(network.net);
        if sites.iter().all(|site| site.fixed.is_some()) {
            return Err(Error::Argument(in_words(network.net, &sites)));
        }
        let histograms = network.count(&sites, &positions);
        let compared = Compared::of(&positions);
        let reach = network.reach()?;
        let methods = methods(chosen);
        let progress = Progress::new(
            "comparison: position",
            ((methods.len() + 1) * compared.judged.len()) as u64,
        );
        let declared = network.declared(&compared, &progress)?;
        let mut candidates = Vec::new();
        for method in methods {
            let thresholds = histograms.thresholds(&sites, method, network.clipping);
            let ends: Vec<f64> = thresholds.iter().map(|threshold| threshold.value).collect();
            let gains = Gains::of(
                network.net,
                &sites,
                &ends,
                &network.floats.scaled,
                reach,
                network.clipping,
            );
            let drift = network.drift(&gains, &compared, &progress)?;
            candidates.push(Candidate {
                method,
                is_chosen: method == chosen,
                thresholds,
                gains,
                drift,
            });
        }
        let (positions, clipping) = (positions.len(), network.clipping);
        Ok(Self {
            sites,
            histograms,
            positions,
            clipping,
            candidates,
            declared,
            others: Vec::new(),
            compared,
        })
    }

    pub(super) fn chosen(&self) -> &Candidate {
        self.candidates
            .iter()
            .find(|candidate| candidate.is_chosen)
            .expect("it is one of the methods")
    }
}

/// All methods; the chosen one with its parameter.
fn methods(chosen: Method) -> Vec<Method> {
    let percentile = if let Method::Percentile(_) = chosen {
        chosen
    } else {
        Method::Percentile(USUAL_PERCENTILE)
    };
    vec![Method::Max, percentile, Method::Mse, Method::Kl]
}

/// Explains why nothing can be calibrated.
fn in_words(net: &NetDesc<'_>, sites: &[Site]) -> String {
    let reasons = sites.iter().filter_map(|site| {
        site.fixed
            .map(|fixed| format!("{}: {}", site.name, fixed.name()))
    });
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    let reasons = if reasons.is_empty() {
        "it has no integer activations".to_owned()
    } else {
        reasons
    };
    format!(
        "--calibrate: `{}` has no scale that could be another ({reasons})",
        net.name
    )
}

impl Compared {
    /// Positions with even index for comparison, with odd index for correction.
    fn of(positions: &[Sample]) -> Self {
        let every_second = |first: usize| {
            let mut spread = Spread::new(COMPARED);
            positions
                .iter()
                .skip(first)
                .step_by(2)
                .for_each(|given| spread.push(given.clone()));
            spread.into_kept()
        };
        Self {
            judged: every_second(0),
            fitted: every_second(1),
        }
    }
}

impl Network<'_> {
    /// Makes two passes over the positions: the range of each site, then its histogram.
    fn count(&self, sites: &[Site], positions: &[Sample]) -> Histograms {
        let progress = Progress::new("calibration: position", 2 * positions.len() as u64);
        let trace =
            |position: &Sample| trace_real(self.net, &self.floats.scaled, position, self.clipping);
        let mut ranges = Ranges::new(sites);
        for given in positions {
            ranges.add(self.net, sites, &trace(given));
            progress.step();
        }
        let mut histograms = ranges.histograms();
        for given in positions {
            histograms.add(self.net, sites, &trace(given));
            progress.step();
        }
        histograms
    }

    /// The greatest magnitude of an accumulator in any position, with the declared scales.
    fn reach(&self) -> Result<f64, Error> {
        let bounds = prove_tightly(self.net, &self.clamped()?.refs());
        let ranges = std::iter::once(&bounds.accumulator)
            .chain(&bounds.second)
            .map(|bounds| bounds.range);
        Ok(ranges
            .map(|range| range.max.max(-range.min) as f64)
            .fold(0.0, f64::max))
    }

    /// The network with the declared scales, without calibration. Weights that do not fit are clamped.
    fn clamped(&self) -> Result<Tensors, Error> {
        let recipe = Recipe {
            saturate: true,
            ..self.recipe.clone()
        };
        let rounded = self.floats.round(self.net, &recipe);
        rounded
            .map(|(tensors, _)| tensors)
            .map_err(|error| Error::Argument(error.to_string()))
    }

    /// The drift of the [`clamped`](Self::clamped) network.
    fn declared(&self, compared: &Compared, progress: &Progress) -> Result<Drift, Error> {
        self.judge(&self.clamped()?, compared, progress)
    }

    /// The drift with these gains and with corrected biases; `None` if weights do not fit.
    pub(super) fn drift(
        &self,
        gains: &Gains,
        compared: &Compared,
        progress: &Progress,
    ) -> Result<Option<Drift>, Error> {
        let recipe = Recipe {
            gains: gains.columns(self.net, &sites(self.net)),
            ..self.recipe.clone()
        };
        match self.floats.round(self.net, &recipe) {
            Ok((mut tensors, _)) => {
                self.correct(gains, compared, &mut tensors);
                self.judge(&tensors, compared, progress).map(Some)
            }
            Err(QuantizeError::Range { .. } | QuantizeError::Infinite { .. }) => Ok(None),
            Err(error) => Err(Error::Argument(error.to_string())),
        }
    }

    fn judge(
        &self,
        tensors: &Tensors,
        compared: &Compared,
        progress: &Progress,
    ) -> Result<Drift, Error> {
        let judged = compared.judged.iter().cloned().map(Ok);
        Drift::of(
            self.net,
            &self.floats.scaled,
            tensors,
            self.clipping,
            judged,
            progress,
        )
    }

    /// Corrects the biases of a network that was rounded with these gains.
    pub(super) fn correct(&self, gains: &Gains, compared: &Compared, tensors: &mut Tensors) {
        let (net, scaled, clipping) = (self.net, &self.floats.scaled, self.clipping);
        let fitted: Vec<&dyn Position> = compared.fitted.iter().map(|one| one as _).collect();
        correct_biases(
            Floats {
                net,
                scaled,
                clipping,
                positions: &fitted,
            },
            &sites(net),
            gains,
            tensors,
        );
    }
}
