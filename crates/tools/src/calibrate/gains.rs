//! Gains: scales of sites from their thresholds, and the resulting factors of weight columns.
//!
//! ```text
//!   threshold T of a site            gain 1 / T: what was T becomes the end of the range
//!   weights and bias before it       times the gain
//!   columns of weights after it      divided by the gain, or by its square where the activation squares
//! ```
//!
//! Clips and shifts stay as declared, so a gain may be any number. The types limit it: accumulators must fit
//! in 16 bits, and the weights of the layers before and after the site in their types.

use nnue_spec::reference::Clipping;
use nnue_spec::{ElementType, LayerDesc, LayerKind, NetDesc, StepDesc, TensorDesc, TensorRole};

use super::site::{Flow, Powers, Site, degree, powers};

/// Bound of the rounding error of a sum of rows, in units: 32 pieces and the bias.
const ROUNDED: f64 = 33.0;

/// The gain of each site.
#[derive(Clone, Debug, PartialEq)]
pub struct Gains(pub Vec<f64>);

impl Gains {
    /// Gains of 1, which change nothing.
    pub fn none(sites: &[Site]) -> Self {
        Self(vec![1.0; sites.len()])
    }

    /// The gains that move `thresholds`, in the order of `sites`, to the ends of the declared ranges, as far
    /// as the types of `net` allow.
    ///
    /// `scaled` are the weights times their factors, and `reach` is the greatest possible magnitude of an
    /// accumulator. Where the floats are clipped, no gain is below 1, because that would clip later.
    pub fn of(
        net: &NetDesc<'_>,
        sites: &[Site],
        thresholds: &[f64],
        scaled: &[Vec<f64>],
        reach: f64,
        clipping: Clipping,
    ) -> Self {
        let start = |(site, &threshold): (&Site, &f64)| {
            let wanted = if site.fixed.is_some() || threshold <= 0.0 {
                1.0
            } else {
                1.0 / threshold
            };
            (site.flow, wanted)
        };
        let wanted: Vec<(Flow, f64)> = sites.iter().zip(thresholds).map(start).collect();
        let edges = edges(net, scaled);
        let lower = lower_ends(sites, &edges, clipping);
        let mut gains = Self(vec![1.0; sites.len()]);
        for (index, &(flow, wanted)) in wanted.iter().enumerate() {
            if sites[index].fixed.is_none() {
                let upper = match flow {
                    Flow::Accumulators => of_accumulators(net, scaled, reach),
                    Flow::Sums(layer) => of_layer(sites, &gains, &edges, layer),
                };
                gains.0[index] = wanted.min(upper).max(lower[index]);
            }
        }
        gains
    }

    /// The factor of each column of each tensor, in the order of [`NetDesc::tensors`]; empty for tensors that
    /// do not change.
    pub fn columns(&self, net: &NetDesc<'_>, sites: &[Site]) -> Vec<Vec<f64>> {
        let powers = powers(net);
        let of_tensor = |desc: &TensorDesc<'_>| match desc.role {
            TensorRole::TransformerBias
            | TensorRole::TransformerWeight
            | TensorRole::ExtraWeight(_)
            | TensorRole::SecondBias
            | TensorRole::SecondWeight
            | TensorRole::SecondExtraWeight(_) => {
                vec![self.of_flow(sites, Flow::Accumulators); desc.cols]
            }
            TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) | TensorRole::LayerScale(_) => {
                Vec::new()
            }
            TensorRole::LayerBias(layer) => vec![self.of_flow(sites, Flow::Sums(layer)); desc.cols],
            TensorRole::LayerWeight(layer) => {
                self.of_weights(net, sites, &powers, layer, desc.cols)
            }
        };
        net.tensors.iter().map(of_tensor).collect()
    }

    /// The gain of the site of these values; 1 without a site.
    pub fn of_flow(&self, sites: &[Site], flow: Flow) -> f64 {
        sites
            .iter()
            .position(|site| site.flow == flow)
            .map_or(1.0, |index| self.0[index])
    }

    fn of_weights(
        &self,
        net: &NetDesc<'_>,
        sites: &[Site],
        powers: &[Powers],
        layer: usize,
        columns: usize,
    ) -> Vec<f64> {
        let desc = &net.layers[layer];
        if desc.kind == LayerKind::Binary {
            return Vec::new();
        }
        let after = self.of_flow(sites, Flow::Sums(layer));
        let mut gains = Vec::with_capacity(columns);
        for (inputs, powers) in inputs(net, powers, layer, desc) {
            gains.extend(std::iter::repeat_n(
                after / self.product(sites, &powers),
                inputs,
            ));
        }
        gains.resize(columns, 1.0); // padding
        gains
    }

    fn product(&self, sites: &[Site], powers: &Powers) -> f64 {
        powers
            .iter()
            .map(|&(flow, degree)| self.of_flow(sites, flow).powi(degree as i32))
            .product()
    }
}

/// The inputs of a layer as runs of columns, with the powers of gains of each run.
fn inputs(
    net: &NetDesc<'_>,
    powers: &[Powers],
    layer: usize,
    desc: &LayerDesc<'_>,
) -> Vec<(usize, Powers)> {
    let direct = net
        .steps
        .iter()
        .find(|step| matches!(step, StepDesc::AffineDirect { layer: of, .. } if *of == layer));
    match direct {
        Some(step) => vec![(desc.inputs, vec![(Flow::Accumulators, degree(step))])],
        None => desc
            .segments
            .iter()
            .map(|segment| (segment.len, powers[segment.buffer].clone()))
            .collect(),
    }
}

/// The weights of a layer that read one buffer.
struct Edge {
    layer: usize,
    powers: Powers,
    /// the greatest weight relative to the limit of its type
    share: f64,
}

/// All edges, in the order in which layers are computed.
fn edges(net: &NetDesc<'_>, scaled: &[Vec<f64>]) -> Vec<Edge> {
    let powers = powers(net);
    let mut edges = Vec::new();
    for step in net.steps {
        let (StepDesc::Affine { layer } | StepDesc::AffineDirect { layer, .. }) = *step else {
            continue;
        };
        let desc = &net.layers[layer];
        let tensor = net
            .tensors
            .iter()
            .position(|tensor| tensor.role == TensorRole::LayerWeight(layer));
        let Some(tensor) = tensor.filter(|_| desc.kind != LayerKind::Binary) else {
            continue;
        };
        let TensorDesc { element, cols, .. } = net.tensors[tensor];
        let mut start = 0;
        for (inputs, powers) in inputs(net, &powers, layer, desc) {
            let rows = scaled[tensor].chunks_exact(cols);
            let greatest = greatest(rows.flat_map(|row| &row[start..start + inputs]));
            edges.push(Edge {
                layer,
                powers,
                share: share(greatest, element),
            });
            start += inputs;
        }
    }
    edges
}

fn greatest<'w>(weights: impl Iterator<Item = &'w f64>) -> f64 {
    weights.fold(0.0, |greatest, weight| weight.abs().max(greatest))
}

/// A weight relative to the limit of its type, with half a unit of room for rounding; 0 for floats.
fn share(weight: f64, element: ElementType) -> f64 {
    match element {
        ElementType::F32 => 0.0,
        ElementType::I8 | ElementType::I16 | ElementType::I32 => {
            weight / (element.range().1 as f64 + 0.49)
        }
    }
}

/// The least gains for which the weights after each site fit, computed from the last layer to the first.
fn lower_ends(sites: &[Site], edges: &[Edge], clipping: Clipping) -> Vec<f64> {
    let least = |site: &Site| if site.is_clipped(clipping) { 1.0 } else { 0.0 };
    let mut lower: Vec<f64> = sites.iter().map(least).collect();
    for edge in edges.iter().rev() {
        let at = |flow| sites.iter().position(|site| site.flow == flow);
        let after = at(Flow::Sums(edge.layer)).filter(|&index| sites[index].fixed.is_none());
        let needed = edge.share * after.map_or(1.0, |index| lower[index]);
        let degree: u32 = edge.powers.iter().map(|(_, degree)| degree).sum();
        if degree > 0 {
            for index in edge.powers.iter().filter_map(|&(flow, _)| at(flow)) {
                lower[index] = lower[index].max(needed.powf(1.0 / f64::from(degree)));
            }
        }
    }
    lower
}

/// The greatest gain of the accumulators.
fn of_accumulators(net: &NetDesc<'_>, scaled: &[Vec<f64>], reach: f64) -> f64 {
    let is_row = |role| {
        matches!(
            role,
            TensorRole::TransformerBias
                | TensorRole::TransformerWeight
                | TensorRole::ExtraWeight(_)
                | TensorRole::SecondBias
                | TensorRole::SecondWeight
                | TensorRole::SecondExtraWeight(_)
        )
    };
    let rows = net
        .tensors
        .iter()
        .zip(scaled)
        .filter(|(desc, _)| is_row(desc.role));
    let shares = rows.map(|(desc, weights)| share(greatest(weights.iter()), desc.element));
    let of_sums = reach / (f64::from(i16::MAX) - ROUNDED);
    1.0 / shares.fold(of_sums, f64::max)
}

/// The greatest gain of the sums of a layer, given the gains of its inputs.
fn of_layer(sites: &[Site], gains: &Gains, edges: &[Edge], layer: usize) -> f64 {
    let read = edges.iter().filter(|edge| edge.layer == layer);
    1.0 / read
        .map(|edge| edge.share / gains.product(sites, &edge.powers))
        .fold(0.0, f64::max)
}
