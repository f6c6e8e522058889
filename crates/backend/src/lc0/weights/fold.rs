//! Converts layers of a file: checks sizes and folds batch norms.

use super::error::WeightsError;
use super::file::{ConvBlock, SeUnit};
use super::layer::Layer;
use super::layers::{Conv, Dense, Squeeze};

const EPSILON: f32 = 1e-5;
/// The most channels of a board.
const MOST_CHANNELS: usize = 4096;

/// A convolution of `size` x `size` over `channels`. The number of outputs follows from the weights, or is
/// `outputs` if given.
///
/// ```text
///   y = gamma * (conv(x) + bias - mean) / sqrt(variance + 1e-5) + beta        gamma 1, beta 0, bias 0 where they are missing;
///                                                                             without means and variances there is no norm
/// ```
pub(super) fn conv(
    name: &str,
    block: &ConvBlock<'_>,
    [channels, size]: [usize; 2],
    outputs: Option<usize>,
) -> Result<Conv, WeightsError> {
    let of = |part: &str| format!("{name}.{part}");
    let window = channels * size * size;
    let found = block.weights.len(&of("weights"))?;
    let outputs = outputs.unwrap_or(found / window);
    if found != 0 && (outputs == 0 || outputs > MOST_CHANNELS || found != outputs * window) {
        let expected =
            format!("{size} x {size} x {channels} for each of at most {MOST_CHANNELS} channels");
        return Err(WeightsError::Count {
            name: of("weights"),
            found,
            expected,
        });
    }
    let mut weights = block.weights.numbers(&of("weights"), outputs * window)?;
    let numbers = |layer: &Layer<'_>, part: &str, default: f32| match layer.is_empty() {
        true => Ok(vec![default; outputs]),
        false => layer.numbers(&of(part), outputs),
    };
    let mut bias = numbers(&block.biases, "biases", 0.0)?;
    if block.means.is_empty() && block.variances.is_empty() {
        super::unused::norm(name, block)?;
        return Ok(Conv {
            channels,
            outputs,
            size,
            weights,
            bias,
        });
    }
    let means = block.means.numbers(&of("bn_means"), outputs)?;
    let variances = block.variances.numbers(&of("bn_stddivs"), outputs)?;
    let gammas = numbers(&block.gammas, "bn_gammas", 1.0)?;
    let betas = numbers(&block.betas, "bn_betas", 0.0)?;
    for (output, weights) in weights.chunks_exact_mut(window).enumerate() {
        let scale = gammas[output] / (variances[output] + EPSILON).sqrt();
        weights.iter_mut().for_each(|weight| *weight *= scale);
        bias[output] = (bias[output] - means[output]) * scale + betas[output];
        // a negative variance gives NaN, a huge weight infinity
        let all = weights.iter().chain([&bias[output]]);
        if let Some(&found) = all.into_iter().find(|number| !number.is_finite()) {
            let more = " after its batch norm, whose variance is not negative";
            return Err(WeightsError::NotFinite {
                name: of("weights"),
                index: output * window,
                found,
                more,
            });
        }
    }
    Ok(Conv {
        channels,
        outputs,
        size,
        weights,
        bias,
    })
}

/// A fully connected layer. The number of outputs is that of the biases, or `outputs`.
pub(super) fn dense(
    name: &str,
    [weights, biases]: [&Layer<'_>; 2],
    inputs: usize,
    outputs: Option<usize>,
) -> Result<Dense, WeightsError> {
    let (weights_name, biases_name) = (format!("{name}_w"), format!("{name}_b"));
    let outputs = outputs.map_or_else(|| biases.len(&biases_name), Ok)?;
    let bias = biases.numbers(&biases_name, outputs)?;
    // untrusted sizes: the product may overflow
    let count = inputs.saturating_mul(outputs);
    Ok(Dense {
        inputs,
        outputs,
        weights: weights.numbers(&weights_name, count)?,
        bias,
    })
}

/// Squeeze and excitation of a block. The second layer has the gates of all channels, then the shifts.
pub(super) fn squeeze(
    name: &str,
    unit: &SeUnit<'_>,
    channels: usize,
) -> Result<Squeeze, WeightsError> {
    let named = |part: &str| format!("{name}.{part}");
    let hidden = unit.b1.len(&named("b1"))?;
    let down = Dense {
        inputs: channels,
        outputs: hidden,
        weights: unit
            .w1
            .numbers(&named("w1"), channels.saturating_mul(hidden))?,
        bias: unit.b1.numbers(&named("b1"), hidden)?,
    };
    let mut gates = unit
        .w2
        .numbers(&named("w2"), hidden.saturating_mul(2 * channels))?;
    let mut gate_bias = unit.b2.numbers(&named("b2"), 2 * channels)?;
    let (shifts, shift_bias) = (
        gates.split_off(hidden * channels),
        gate_bias.split_off(channels),
    );
    let up = |weights, bias| Dense {
        inputs: hidden,
        outputs: channels,
        weights,
        bias,
    };
    Ok(Squeeze {
        down,
        gate: up(gates, gate_bias),
        shift: up(shifts, shift_bias),
    })
}
