//! Bias correction for rounding errors.
//!
//! Rounded weights are slightly off, and shifts round values down. In a sum of many non-negative values these
//! errors do not cancel out: the sum is off by nearly the same amount in all positions. So its mean error
//! over positions is subtracted from its bias.
//!
//! ```text
//!   bias[o] += round(mean over positions of (sum in real numbers * gain - sum in whole numbers))      layer by layer: each reads values of
//!                                                                                                   layers that are corrected already
//! ```
//!
//! Nagel et al., "Data-Free Quantization Through Weight Equalization and Bias Correction" (2019), section
//! 4.2, here with activations from positions.

use nnue_spec::reference::{Clipping, Position, accumulators, evaluate_layers, trace_real};
use nnue_spec::{ElementType, LayerKind, NetDesc, StepDesc, TensorMut, TensorRole};

use super::{Flow, Gains, Site};
use nnue_format::Tensors;

/// Fewest positions of a layer stack for a correction: the mean over fewer says little.
const LEAST: usize = 16;

/// A float network, and positions for the comparison.
#[derive(Clone, Copy)]
pub struct Floats<'f> {
    /// its descriptor
    pub net: &'f NetDesc<'f>,
    /// its weights times their factors
    pub scaled: &'f [Vec<f64>],
    /// where the floats are clipped
    pub clipping: Clipping,
    /// positions
    pub positions: &'f [&'f dyn Position],
}

/// Values in a position.
struct Sample {
    stack: usize,
    /// the real sums of the layers
    sums: Vec<Vec<f64>>,
    accumulators: [Vec<i16>; 2],
}

/// Corrects the biases of `tensors`, the integer network of `floats` with `gains`. Binary and float layers do
/// not change.
///
/// # Panics
///
/// If the tensors or gains belong to another network, or as [`trace_real`].
pub fn correct_biases(floats: Floats<'_>, sites: &[Site], gains: &Gains, tensors: &mut Tensors) {
    let Floats {
        net,
        scaled,
        clipping,
        positions,
    } = floats;
    let sample = |position: &&dyn Position| Sample {
        stack: position.features(net).stack,
        sums: trace_real(net, scaled, *position, clipping).sums,
        accumulators: accumulators(net, &tensors.refs(), *position),
    };
    let samples: Vec<Sample> = positions.iter().map(sample).collect();
    for step in net.steps {
        let (StepDesc::Affine { layer } | StepDesc::AffineDirect { layer, .. }) = *step else {
            continue;
        };
        let bias = net
            .tensors
            .iter()
            .position(|tensor| tensor.role == TensorRole::LayerBias(layer));
        let Some(bias) = bias.filter(|&bias| net.tensors[bias].element != ElementType::F32) else {
            continue;
        };
        if !matches!(net.layers[layer].kind, LayerKind::Binary | LayerKind::Rows) {
            let gain = gains.of_flow(sites, Flow::Sums(layer));
            let missing = missing(net, tensors, &samples, layer, gain);
            add(&mut tensors.muts()[bias], &missing);
        }
    }
}

/// Mean error of the sums of a layer, `[stack][output]`, with opposite sign.
fn missing(
    net: &NetDesc<'_>,
    tensors: &Tensors,
    samples: &[Sample],
    layer: usize,
    gain: f64,
) -> Vec<f64> {
    let outputs = net.layers[layer].outputs;
    let (mut totals, mut counts) = (
        vec![0.0; net.stacks.count * outputs],
        vec![0; net.stacks.count],
    );
    let tensors = tensors.refs();
    for sample in samples {
        let accumulators = sample.accumulators.each_ref().map(Vec::as_slice);
        let found = evaluate_layers(net, &tensors, accumulators, sample.stack, &[]);
        let totals = &mut totals[sample.stack * outputs..][..outputs];
        for (total, (exact, &found)) in totals
            .iter_mut()
            .zip(sample.sums[layer].iter().zip(&found.sums[layer]))
        {
            *total += exact * gain - f64::from(found);
        }
        counts[sample.stack] += 1;
    }
    let mean = |(total, count): (&[f64], &usize)| -> Vec<f64> {
        let divisor = if *count < LEAST {
            f64::INFINITY
        } else {
            *count as f64
        };
        total.iter().map(|total| total / divisor).collect()
    };
    totals
        .chunks_exact(outputs)
        .zip(&counts)
        .flat_map(mean)
        .collect()
}

/// Adds rounded corrections to biases, clamped to their type.
fn add(biases: &mut TensorMut<'_>, missing: &[f64]) {
    let held = |bias: i64, missing: f64, element: ElementType| {
        let (least, greatest) = element.range();
        (bias + missing.round() as i64).clamp(least, greatest)
    };
    match biases {
        TensorMut::I8(biases) => {
            for (bias, &missing) in biases.iter_mut().zip(missing) {
                *bias = held((*bias).into(), missing, ElementType::I8) as i8;
            }
        }
        TensorMut::I16(biases) => {
            for (bias, &missing) in biases.iter_mut().zip(missing) {
                *bias = held((*bias).into(), missing, ElementType::I16) as i16;
            }
        }
        TensorMut::I32(biases) => {
            for (bias, &missing) in biases.iter_mut().zip(missing) {
                *bias = held((*bias).into(), missing, ElementType::I32) as i32;
            }
        }
        TensorMut::F32(_) => {}
    }
}
