//! The kernels of the loss: how much positions count, the outputs, the loss, and the gradient of the outputs.
//!
//! The formulas are those of [`loss`](crate::loss). Their numbers are no part of the text, because schedules change them from step to step.

use std::fmt::Write;

use super::kernel::{Blocks, Kernel, Places, literal};
use super::unsupported::Unsupported;
use crate::loss::{Blend, Error, Loss, Objective, Weight, WinRate};
use crate::network::{Head, Network};

/// Numbers of a loss, as [`numbers`] has them.
pub(crate) const NUMBERS: usize = 11;

/// Threads that add the numbers of a batch.
const THREADS: u32 = 256;

/// What the formulas have in common. `loss` has the numbers of [`numbers`].
pub(super) const HELPERS: &str = "\
// An expected result: the points, 1 - points with all its digits, and the derivative of the points.
struct Expected {
    double points, rest, slope;
};

__device__ inline Expected expected_of(double x, double offset, double scale) {
    double win = 1.0 / (1.0 + exp(-(x - offset) / scale)), no_win = 1.0 / (1.0 + exp((x - offset) / scale));
    double held = 1.0 / (1.0 + exp(-(x + offset) / scale)), lost = 1.0 / (1.0 + exp((x + offset) / scale));
    Expected expected = {(win + held) / 2.0, (no_win + lost) / 2.0, (win * no_win + held * lost) / scale / 2.0};
    return expected;
}

__device__ inline double logarithm(double x) {
    return log(x > 2.2250738585072014e-308 ? x : 2.2250738585072014e-308);
}

// The error of an expected result, and its derivative by what the slope of the expected result is by.
__device__ inline double error_of(Expected expected, double target, const double* loss, double* slope) {
    double exponent = loss[5], difference = expected.points - target;
    if (exponent == 0.0) {
        double product = expected.points * expected.rest;
        *slope = difference * (expected.slope / (product > 2.2250738585072014e-308 ? product : 2.2250738585072014e-308));
        return -target * logarithm(expected.points) - (1.0 - target) * logarithm(expected.rest);
    }
    double size = fabs(difference), power = (difference > 0.0 ? 1.0 + loss[6] : 1.0) * pow(size, exponent - 1.0);
    *slope = exponent * power * (difference < 0.0 ? -1.0 : 1.0) * expected.slope;
    return power * size;
}

// The error of an expected result, of score and result together.
__device__ inline double loss_of(Expected expected, double score, double result, const double* loss, double* slope) {
    double share = loss[4], of_score, of_result;
    double points = expected_of(score, loss[0], loss[1]).points;
    if (loss[7] == 0.0) return error_of(expected, share * points + (1.0 - share) * result, loss, slope);
    double one = error_of(expected, points, loss, &of_score), other = error_of(expected, result, loss, &of_result);
    *slope = share * of_score + (1.0 - share) * of_result;
    return share * one + (1.0 - share) * other;
}

";

/// The numbers of a loss: what stands at each place is said beside it.
pub(crate) fn numbers(objective: &Objective) -> [f64; NUMBERS] {
    let Loss { score, output, error, share, blend, weight } = objective.loss;
    // A sigmoid is the curve without an offset.
    let curve = |curve: WinRate| match curve {
        WinRate::Sigmoid { scale } => (0.0, scale),
        WinRate::Outcomes { offset, scale } => (offset, scale),
    };
    let (exponent, asymmetry) = match error {
        Error::Power { exponent, asymmetry } => (exponent, asymmetry),
        Error::CrossEntropy => (0.0, 0.0),
    };
    let (gain, power) = match weight {
        Weight::Equal => (0.0, 0.0),
        Weight::Contested { gain, exponent } => (gain.exp2() - 1.0, exponent),
    };
    [
        curve(score).0,                                  // 0: offset of scores
        curve(score).1,                                  // 1: scale of scores
        curve(output).0,                                 // 2: offset of values
        curve(output).1,                                 // 3: scale of values
        share,                                           // 4: share of the score
        exponent,                                        // 5: of the error; 0 is cross entropy
        asymmetry,                                       // 6
        if blend == Blend::Targets { 0.0 } else { 1.0 }, // 7: whether losses are mixed
        gain,                                            // 8: 2^gain - 1 of the weight
        power,                                           // 9: exponent of the weight
        objective.value,                                 // 10: how much the value counts
    ]
}

/// The kernels between forward and backward.
pub(super) fn kernels(network: &Network<f32>, places: Places) -> Result<Vec<Kernel>, Unsupported> {
    let weigh = "    double points = expected_of(scores[position], loss[0], loss[1]).points;
    double contested = (points - 0.5) * (points - 0.5) * points * (1.0 - points);
    double gain = loss[8] == 0.0 ? 0.0 : loss[8] * pow(contested, loss[9]);
    shares[position] = (1.0 + gain) * weights[position];
";
    Ok(vec![
        Kernel::of_positions("weigh".into(), "How much positions count.\n", 1, weigh),
        sum("add_weights", "shares", 0),
        compare(network, places)?,
        sum("add_losses", "losses", 1),
    ])
}

/// A kernel that adds the numbers of all positions.
fn sum(name: &str, what: &str, total: usize) -> Kernel {
    let text = format!(
        "The sum over the positions.\n{{
    double sum = 0.0;
    for (int position = threadIdx.x; position < count; position += {THREADS}) sum += {what}[position];
    atomicAdd(totals + {total}, sum);
}}
"
    );
    Kernel { name: name.into(), text, blocks: Blocks::Fixed(1), threads: THREADS }
}

fn compare(network: &Network<f32>, places: Places) -> Result<Kernel, Unsupported> {
    let Some(head) = network.meaning().value else { return Err(Unsupported { what: "a network without a value" }) };
    let terms = network.terms();
    let has_psqt = network.transformer().psqt_count() > 0;
    let mut body = "    float outputs[3] = {0.0f, 0.0f, 0.0f};\n".to_owned();
    for (output, terms) in terms.outputs.iter().enumerate() {
        for &(index, factor) in terms {
            let _ = writeln!(body, "    outputs[{output}] += values[{}] * {};", places.of(index, 0), literal(factor));
        }
    }
    if has_psqt {
        let _ = writeln!(body, "    outputs[0] += psqt[position] * {};", literal(terms.psqt));
    }
    body += "    double score = scores[position], result = results[position], by[3] = {0.0, 0.0, 0.0}, error;\n";
    body += match head {
        Head::Value { .. } => {
            "    error = loss_of(expected_of(outputs[0], loss[2], loss[3]), score, result, loss, by);\n"
        }
        Head::Sigmoid { .. } => "    error = loss_of(expected_of(outputs[0], 0.0, 1.0), score, result, loss, by);\n",
        Head::Wdl { .. } => WDL,
    };
    body += "    double share = loss[10] * shares[position] / totals[0];\n    losses[position] = error * share;\n";
    for (output, terms) in terms.outputs.iter().enumerate() {
        for &(index, factor) in terms {
            let (place, factor) = (places.of(index, 0), literal(factor));
            let _ = writeln!(body, "    slopes[{place}] += (float)(by[{output}] * share) * {factor};");
        }
    }
    if has_psqt {
        // Of the PSQT output of the first perspective; that of the second is the negative.
        let first = network.of_first_psqt([1.0, 0.0, 0.0]);
        let _ = writeln!(body, "    of_psqt[position] = (float)(by[0] * share) * {};", literal(first));
    }
    Ok(Kernel::of_positions("compare".into(), "The outputs, their loss and its gradient.\n", 1, &body))
}

/// Of loss, draw and win.
const WDL: &str = "    double most = fmax(outputs[0], fmax(outputs[1], outputs[2])), odds[3], sum = 0.0;
    for (int o = 0; o < 3; o++) sum += odds[o] = exp(outputs[o] - most);
    for (int o = 0; o < 3; o++) odds[o] /= sum;
    if (loss[5] == 0.0) {
        double lost = 1.0 / (1.0 + exp((score + loss[0]) / loss[1])), won = 1.0 / (1.0 + exp(-(score - loss[0]) / loss[1]));
        double of_score[3] = {lost, 1.0 - lost - won, won};
        error = 0.0;
        for (int o = 0; o < 3; o++) {
            double target = loss[4] * of_score[o] + (1.0 - loss[4]) * (result * 2.0 == o ? 1.0 : 0.0);
            error -= target * logarithm(odds[o]);
            by[o] = odds[o] - target;
        }
    } else {
        double slope, points = odds[2] + odds[1] / 2.0;
        Expected expected = {points, odds[0] + odds[1] / 2.0, 1.0};
        error = loss_of(expected, score, result, loss, &slope);
        for (int o = 0; o < 3; o++) by[o] = slope * odds[o] * (o / 2.0 - points);
    }
";
