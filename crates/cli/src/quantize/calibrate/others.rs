//! Estimates the gain from other scales in the declaration.

use crate::progress::Progress;
use nnue_spec::check::{MAX_FACTOR, check};
use nnue_spec::diagnostic::Sink;
use nnue_spec::model::NetSpec;
use nnue_spec::plan::{Plan, plan};
use nnue_spec::reference::trace_real;
use nnue_tools::calibrate::{Gains, Threshold, sites};
use nnue_tools::quantize::{Recipe, factors};

use super::{Calibration, Network};
use crate::error::Error;

pub(crate) struct Other {
    /// `accumulator`, or the name of a layer
    pub(crate) of: String,
    /// the declared scale and the alternative
    pub(crate) scales: [u64; 2],
    /// mean difference of values, in units of the declared network
    pub(crate) drift: f64,
}

/// Accumulator scales that trainers use.
const OF_ACCUMULATORS: [u64; 6] = [127, 181, 255, 362, 512, 1024];

/// Two float networks within this relative difference are the same function.
const SAME: f64 = 1e-6;

/// An alternative is reported if it brings the drift below this fraction.
const WORTH_IT: f64 = 0.95;

/// The scales that reduce the drift: the best one for each part, the greatest gain first. Each scale is
/// changed alone; the network is then rounded and compared as the chosen one was.
pub(crate) fn others(
    network: Network<'_>,
    calibration: &Calibration,
    model: &NetSpec,
) -> Result<Vec<Other>, Error> {
    let Some(drift) = calibration.chosen().drift.as_ref().map(|drift| drift.mean) else {
        return Ok(Vec::new());
    };
    let changed = changed(model);
    let progress = Progress::new(
        "other scales: position",
        (changed.len() * calibration.compared.judged.len()) as u64,
    );
    let mut others = Vec::new();
    for (scales, plan) in changed {
        let other = other(network, calibration, scales, &plan, &progress)?;
        if let Some(other) = other.filter(|other| other.drift < WORTH_IT * drift) {
            others.push(other);
        }
    }
    others.sort_by(|one, other| one.drift.total_cmp(&other.drift));
    let mut seen = Vec::new();
    others.retain(|other| {
        let is_first = !seen.contains(&other.of);
        seen.push(other.of.clone());
        is_first
    });
    Ok(others)
}

/// The declarations with one other scale that the language allows.
fn changed(model: &NetSpec) -> Vec<([u64; 2], Plan)> {
    let mut model = model.clone();
    // Golden values belong to the weights of the declared scales.
    model.goldens.clear();
    let scales: Vec<u64> = model.scales_mut().iter().map(|scale| scale.value).collect();
    let mut changed = Vec::new();
    for (index, &scale) in scales.iter().enumerate() {
        let candidates: Vec<u64> = match index {
            0 => OF_ACCUMULATORS
                .into_iter()
                .filter(|&one| one <= MAX_FACTOR)
                .collect(),
            // Shifts follow from powers of two.
            _ => vec![scale / 4, scale / 2, scale * 2, scale * 4],
        };
        for candidate in candidates
            .into_iter()
            .filter(|&candidate| candidate != scale && candidate > 0)
        {
            let mut other = model.clone();
            other.scales_mut()[index].value = candidate;
            let mut sink = Sink::new();
            let graph = check(&other, &mut sink);
            drop(sink.into_diagnostics());
            changed.extend(graph.map(|graph| ([scale, candidate], plan(&graph))));
        }
    }
    changed
}

/// Quantises another declaration, if it is the same function in real numbers.
fn other(
    network: Network<'_>,
    calibration: &Calibration,
    scales: [u64; 2],
    plan: &Plan,
    progress: &Progress,
) -> Result<Option<Other>, Error> {
    let tables = plan.tables();
    let net = tables.descriptor();
    let recipe = Recipe {
        factors: factors(&net),
        ..network.recipe.clone()
    };
    let floats = network.floats.rescaled(&net, &recipe);
    let changed = Network {
        net: &net,
        floats: &floats,
        recipe: &recipe,
        clipping: network.clipping,
    };
    let Some(unit) = unit(network, changed, calibration) else {
        return Ok(None);
    };
    let sites = sites(&net);
    let thresholds: Vec<f64> = calibration
        .chosen()
        .thresholds
        .iter()
        .map(|t: &Threshold| t.value)
        .collect();
    let gains = Gains::of(
        &net,
        &sites,
        &thresholds,
        &floats.scaled,
        changed.reach()?,
        network.clipping,
    );
    let drift = changed.drift(&gains, &calibration.compared, progress)?;
    let layers = net.layers.iter().zip(network.net.layers);
    let of = layers
        .clone()
        .find(|(new, old)| new.scale != old.scale)
        .map_or("accumulator", |(new, _)| new.name);
    Ok(drift.map(|drift| Other {
        of: of.to_owned(),
        scales,
        drift: drift.mean / unit,
    }))
}

/// The ratio of the other network's values to the declared one's. `None` if the ratio varies: then a written
/// shift changes the function.
fn unit(network: Network<'_>, changed: Network<'_>, calibration: &Calibration) -> Option<f64> {
    let mut sums = [0.0, 0.0];
    let mut pairs = Vec::new();
    for given in calibration.compared.judged.iter().take(64) {
        let value =
            |of: Network<'_>| trace_real(of.net, &of.floats.scaled, given, of.clipping).value;
        let pair = [value(network), value(changed)];
        sums = [sums[0] + pair[0].abs(), sums[1] + pair[1].abs()];
        pairs.push(pair);
    }
    let unit = sums[1] / sums[0];
    let is_same = pairs
        .iter()
        .all(|[one, other]| (one * unit - other).abs() <= SAME * sums[1]);
    (unit.is_finite() && unit > 0.0 && is_same).then_some(unit)
}
