//! The kernels of the loss: weights of positions, outputs, loss, and the gradient of the outputs.
//!
//! They compute the formulas of [`loss`](crate::loss). Constants of the loss are arguments, because schedules
//! change them at each step.

use std::fmt::Write;

use super::kernel::{Blocks, CHUNK, Kernel, Places, literal};
use super::layout::Layout;
use super::others;
use crate::loss::{Blend, Error, Loss, NamedLoss, Objective, Target, Weight, WinRate};
use crate::network::{Head, Network, Psqt};

/// Constants of a loss without those of named outputs; see [`numbers`].
const COMMON: usize = 12;

const NAMED: usize = 3;

/// Common functions. `loss` has the constants of [`numbers`].
pub(super) const HELPERS: &str = "\
// An expected result: the points, 1 - points with all its digits, and the derivative of the points.
struct Expected {
    double points, rest, slope;
};

__device__ inline Expected expected_of(double x, double offset, double scale) {
    if (offset < 0.0) {
        Expected linear = {x / scale, 1.0 - x / scale, 1.0 / scale};
        return linear;
    }
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

// The result to be expected of score and result together.
__device__ inline double expected_result(double score, double result, const double* loss) {
    return loss[4] * expected_of(score, loss[0], loss[1]).points + (1.0 - loss[4]) * result;
}

// The error of an expected result, of score and result together.
__device__ inline double loss_of(Expected expected, double score, double result, const double* loss, double* slope) {
    double share = loss[4], of_score, of_result;
    if (loss[7] == 0.0) return error_of(expected, expected_result(score, result, loss), loss, slope);
    double points = expected_of(score, loss[0], loss[1]).points;
    double one = error_of(expected, points, loss, &of_score), other = error_of(expected, result, loss, &of_result);
    *slope = share * of_score + (1.0 - share) * of_result;
    return share * one + (1.0 - share) * other;
}

// The probabilities of loss, draw and win.
__device__ inline void odds_of(const float* outputs, double* odds) {
    double most = fmax(outputs[0], fmax(outputs[1], outputs[2])), sum = 0.0;
    for (int o = 0; o < 3; o++) sum += odds[o] = exp(outputs[o] - most);
    for (int o = 0; o < 3; o++) odds[o] /= sum;
}

// The cross entropy of loss, draw and win, and its derivative by the outputs.
__device__ inline double outcomes_of(const float* outputs, double score, double result, const double* loss, double* by) {
    double lost = 1.0 / (1.0 + exp((score + loss[0]) / loss[1])), won = 1.0 / (1.0 + exp(-(score - loss[0]) / loss[1]));
    double of_score[3] = {lost, 1.0 - lost - won, won}, odds[3], error = 0.0;
    odds_of(outputs, odds);
    for (int o = 0; o < 3; o++) {
        double target = loss[4] * of_score[o] + (1.0 - loss[4]) * (result * 2.0 == o ? 1.0 : 0.0);
        error -= target * logarithm(odds[o]);
        by[o] = odds[o] - target;
    }
    return error;
}

";

/// The length of [`numbers`] for `named` named outputs.
pub(crate) const fn count(named: usize) -> usize {
    COMMON + NAMED * named
}

/// The constants of a loss, each described beside it, followed by those of the `named` named outputs.
pub(crate) fn numbers(objective: &Objective, named: usize) -> Vec<f64> {
    let outputs = (0..named).flat_map(|index| of_named(objective.named.get(index)));
    common(objective).into_iter().chain(outputs).collect()
}

/// Weight, kind of target and scale of a named output.
fn of_named(loss: Option<&NamedLoss>) -> [f64; NAMED] {
    let Some(&NamedLoss { weight, target }) = loss else {
        return [0.0, 1.0, 1.0];
    };
    match target {
        Target::Outcomes | Target::Expected => [weight, 1.0, 1.0],
        Target::Score { scale } => [weight, 2.0, scale],
        Target::MovesLeft { scale } => [weight, 3.0, scale],
    }
}

fn common(objective: &Objective) -> [f64; COMMON] {
    let Loss {
        score,
        output,
        error,
        share,
        blend,
        weight,
    } = objective.loss;
    // The kernel reads offset 0 as a sigmoid, and a negative offset as a straight line.
    let curve = |curve: WinRate| match curve {
        WinRate::Sigmoid { scale } => (0.0, scale),
        WinRate::Outcomes { offset, scale } => (offset, scale),
        WinRate::Linear { scale } => (-1.0, scale),
    };
    let (exponent, asymmetry) = match error {
        Error::Power {
            exponent,
            asymmetry,
        } => (exponent, asymmetry),
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
        objective.policy,                                // 11: how much the policy counts
    ]
}

/// The kernels between the forward and the backward pass.
pub(super) fn kernels(network: &Network<f32>, places: Places, layout: &Layout) -> Vec<Kernel> {
    let weigh = "    double points = expected_of(scores[position], loss[0], loss[1]).points;
    double contested = (points - 0.5) * (points - 0.5) * points * (1.0 - points);
    double gain = loss[8] == 0.0 ? 0.0 : loss[8] * pow(contested, loss[9]);
    shares[position] = (1.0 + gain) * weights[position];
";
    let [before, gradient] = others::policy(network, places, layout);
    let mut kernels = vec![
        Kernel::of_positions("weigh".into(), "How much positions count.\n", 1, weigh),
        sum("add_weights", "shares", 0),
        compare(network, places),
    ];
    kernels.extend(before);
    kernels.push(sum("add_losses", "losses", 1));
    kernels.extend(gradient);
    kernels
}

/// A kernel that sums over all positions.
fn sum(name: &str, what: &str, total: usize) -> Kernel {
    let text = format!(
        "The sum over the positions.\n{{
    int position = blockIdx.x * CHUNK + threadIdx.x;
    add_of_warp(totals + {total}, position < count ? {what}[position] : 0.0);
}}
"
    );
    Kernel {
        name: name.into(),
        text,
        blocks: Blocks::Chunks(1),
        threads: CHUNK,
    }
}

fn compare(network: &Network<f32>, places: Places) -> Kernel {
    let body = format!(
        "    double score = scores[position], result = results[position], share = shares[position] / totals[0];
    losses[position] = 0.0;
{}{}",
        network.meaning().value.map_or_else(String::new, |head| value(network, head, places)),
        others::named(network, places, COMMON)
    );
    Kernel::of_positions(
        "compare".into(),
        "The outputs, their loss and its gradient.\n",
        1,
        &body,
    )
}

fn value(network: &Network<f32>, head: Head, places: Places) -> String {
    let terms = network.terms();
    let psqt = network.transformer().psqt.as_ref().map_or(0, Psqt::outputs);
    let mut body = "    float outputs[3] = {0.0f, 0.0f, 0.0f};\n".to_owned();
    for (output, terms) in terms.outputs.iter().enumerate() {
        for &(index, factor) in terms {
            let _ = writeln!(
                body,
                "    outputs[{output}] += values[{}] * {};",
                places.of(index, 0),
                literal(factor)
            );
        }
    }
    for output in 0..psqt {
        let factor = literal(terms.psqt);
        let _ = writeln!(
            body,
            "    outputs[{output}] += psqt[position * {psqt} + {output}] * {factor};"
        );
    }
    body += "    double by[3] = {0.0, 0.0, 0.0}, error, of_value = loss[10] * share;\n";
    body += match head {
        Head::Value { .. } => {
            "    error = loss_of(expected_of(outputs[0], loss[2], loss[3]), score, result, loss, by);\n"
        }
        Head::Sigmoid { .. } => {
            "    error = loss_of(expected_of(outputs[0], 0.0, 1.0), score, result, loss, by);\n"
        }
        Head::Wdl { .. } => WDL,
    };
    body += "    losses[position] += error * of_value;\n";
    for (output, terms) in terms.outputs.iter().enumerate() {
        for &(index, factor) in terms {
            let (place, factor) = (places.of(index, 0), literal(factor));
            let _ = writeln!(
                body,
                "    slopes[{place}] += (float)(by[{output}] * of_value) * {factor};"
            );
        }
    }
    // For the first perspective; the gradient of the second is the negative.
    for (output, of_first) in network
        .of_first_psqt([1.0; 3])
        .into_iter()
        .enumerate()
        .take(psqt)
    {
        let factor = literal(of_first);
        let _ = writeln!(
            body,
            "    of_psqt[position * {psqt} + {output}] = (float)(by[{output}] * of_value) * {factor};"
        );
    }
    body
}

const WDL: &str = "    if (loss[5] == 0.0) {
        error = outcomes_of(outputs, score, result, loss, by);
    } else {
        double slope, odds[3];
        odds_of(outputs, odds);
        double points = odds[2] + odds[1] / 2.0;
        Expected expected = {points, odds[0] + odds[1] / 2.0, 1.0};
        error = loss_of(expected, score, result, loss, &slope);
        for (int o = 0; o < 3; o++) by[o] = slope * odds[o] * (o / 2.0 - points);
    }
";
