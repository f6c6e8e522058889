//! The kernels of the outputs besides the value: named outputs and listed policy rows.
//!
//! ```text
//!   logits    a thread: one position, every 8th of its moves     the row of a move times what the layer reads
//!   compare   a thread: one position                             softmax and cross entropy; logits become their gradient
//!   inputs    a thread: one position, 8 inputs                   over all moves of the position
//!   weights   as logits                                          atomic additions: other positions have the same moves
//! ```
//!
//! Named outputs are values of the position, and their losses are computed together with that of the value.
//! The formulas are those of [`Objective`](crate::loss::Objective).

use std::fmt::Write;
use std::ops::Range;

use super::kernel::{Kernel, Places, literal, tile, tiles};
use super::layers::INPUTS;
use super::layout::Layout;
use crate::network::Network;
use crate::network::affine::Affine;

/// Threads that share the moves of a position.
const SHARED: usize = 8;

/// The layer of a policy with the addresses of its operands.
struct Policy<'n> {
    layer: &'n Affine<f32>,
    unit: f32,
    places: Places,
    layout: &'n Layout,
}

/// The code for named outputs in a loss kernel; their constants of the loss start at `first`, three for each.
pub(super) fn named(network: &Network<f32>, places: Places, first: usize) -> String {
    let mut body = String::new();
    for (index, (output, start, unit)) in network.named_values().enumerate() {
        let (place, unit, count) = (first + 3 * index, literal(unit), output.numbers.len());
        let of = if output.is_wdl {
            "of_this = outcomes_of(numbers, score, result, loss, by);\n".to_owned()
        } else {
            format!(
                "double target = loss[{kind}] == 1.0 ? expected_result(score, result, loss) : loss[{kind}] == 2.0 \
                 ? score / loss[{scale}] : left[position] / 2.0 / loss[{scale}];
        for (int o = 0; o < {count}; o++) {{
            double off = numbers[o] - target;
            of_this += off * off;
            by[o] = 2.0 * off;
        }}
",
                kind = place + 1,
                scale = place + 2,
            )
        };
        let _ = write!(
            body,
            "    if (loss[{place}] != 0.0 && (loss[{kind}] != 3.0 || left[position] >= 0)) {{ // `{name}`
        float numbers[{count}];
        double by[{count}], of_this = 0.0;
        for (int o = 0; o < {count}; o++) numbers[o] = values[{value}] * {unit};
        {of}        losses[position] += of_this * loss[{place}] * share;
        for (int o = 0; o < {count}; o++) slopes[{value}] += (float)(by[o] * loss[{place}] * share) * {unit};
    }}
",
            kind = place + 1,
            name = output.name,
            value = places.of(start, "o"),
        );
    }
    body
}

/// The kernels of the policy: those before the losses are summed, and those of the gradient. Empty without a
/// policy.
pub(super) fn policy(network: &Network<f32>, places: Places, layout: &Layout) -> [Vec<Kernel>; 2] {
    let Some((layer, unit)) = network.policy_layer() else {
        return [Vec::new(), Vec::new()];
    };
    let policy = Policy {
        layer,
        unit,
        places,
        layout,
    };
    let gradient = layer
        .runs
        .iter()
        .enumerate()
        .map(|(index, (run, column))| policy.of_inputs(index, run, *column));
    [
        vec![policy.logits(), compare()],
        gradient.chain([policy.of_weights()]).collect(),
    ]
}

impl Policy<'_> {
    fn logits(&self) -> Kernel {
        let mut body = self.each_move("float sum = 0.0f;");
        for (run, column) in &self.layer.runs {
            let x = self.places.of(run.start, "k");
            let _ = writeln!(
                body,
                "        for (int k = 0; k < {}; k++) sum += values[{x}] * parameters[weight + {column} + k];",
                run.len()
            );
        }
        let bias = self.layer.bias.map_or_else(String::new, |bias| {
            let (offset, factor) = (self.layout.offsets[bias], literal(self.layer.bias_factor));
            format!(" + parameters[{offset} + row] * {factor}")
        });
        let (factor, unit) = (literal(self.layer.weight_factor), literal(self.unit));
        let _ = writeln!(
            body,
            "        logits[place] = (sum * {factor}{bias}) * {unit};\n    }}"
        );
        Kernel::of_positions(
            "policy_logits".into(),
            "The logits of the listed moves.\n",
            SHARED,
            &body,
        )
    }

    /// Loops over the moves of a thread: `place` is the index of a move, `row` its row, `weight` the offset
    /// of its weights.
    fn each_move(&self, begin: &str) -> String {
        format!(
            "    for (int m = tile; m < listed; m += {SHARED}) {{
        size_t place = (size_t)position * listed + m;
        if (moves[place] < 0) return;
        size_t row = (size_t)stacks[position] * {rows} + moves[place], weight = {base} + row * {columns};
        {begin}
",
            rows = self.layer.results.len(),
            base = self.layout.offsets[self.layer.weight],
            columns = self.layer.columns,
        )
    }

    fn of_inputs(&self, index: usize, run: &Range<usize>, column: usize) -> Kernel {
        let (each, count) = tiles(run.len(), INPUTS);
        let body = format!(
            "    int first = {tile} * {each}, many = {inputs} - first;
    float sums[{each}];
    for (int j = 0; j < {each}; j++) sums[j] = 0.0f;
    for (int m = 0; m < listed; m++) {{
        size_t place = (size_t)position * listed + m;
        if (moves[place] < 0) break;
        size_t row = (size_t)stacks[position] * {rows} + moves[place];
        const float* weight = parameters + {base} + row * {columns} + {column} + first;
        for (int j = 0; j < {each}; j++) if (j < many) sums[j] += logits[place] * weight[j];
    }}
    for (int j = 0; j < {each}; j++) if (j < many) slopes[{of_input}] += sums[j] * {factor};
",
            tile = tile(count),
            inputs = run.len(),
            rows = self.layer.results.len(),
            base = self.layout.offsets[self.layer.weight],
            columns = self.layer.columns,
            of_input = self.places.of(run.start, "first + j"),
            factor = literal(self.layer.weight_factor * self.unit),
        );
        let comment = format!(
            "The gradient of {} values that the policy reads.\n",
            run.len()
        );
        Kernel::of_positions(format!("of_policy_inputs_{index}"), &comment, count, &body)
    }

    fn of_weights(&self) -> Kernel {
        let mut body =
            self.each_move("float slope = logits[place];\n        if (slope == 0.0f) continue;");
        for (run, column) in &self.layer.runs {
            let (x, factor) = (
                self.places.of(run.start, "k"),
                literal(self.layer.weight_factor * self.unit),
            );
            let _ = writeln!(
                body,
                "        for (int k = 0; k < {}; k++) atomicAdd(gradient + weight + {column} + k, values[{x}] * slope * {factor});",
                run.len()
            );
        }
        if let Some(bias) = self.layer.bias {
            let (offset, factor) = (
                self.layout.offsets[bias],
                literal(self.layer.bias_factor * self.unit),
            );
            let _ = writeln!(
                body,
                "        atomicAdd(gradient + {offset} + row, slope * {factor});"
            );
        }
        body += "    }\n";
        let comment = "The gradient of the rows of listed moves.\n";
        Kernel::of_positions("of_policy_weights".into(), comment, SHARED, &body)
    }
}

fn compare() -> Kernel {
    let body = "    size_t begin = (size_t)position * listed;
    double most = -1.7976931348623157e308, sum = 0.0, all = 0.0, error = 0.0, share = loss[11] * shares[position] / totals[0];
    int many = 0;
    for (; many < listed && moves[begin + many] >= 0; many++) {
        all += move_shares[begin + many];
        most = fmax(most, (double)logits[begin + many]);
    }
    for (int m = 0; m < many; m++) sum += exp(logits[begin + m] - most);
    for (int m = 0; m < many; m++) {
        double above = logits[begin + m] - most, target = move_shares[begin + m];
        error += target * (logarithm(sum) - above);
        logits[begin + m] = (float)(share * (all * exp(above) / sum - target));
    }
    losses[position] += error * share;
";
    let comment = "The loss of the policy; its logits become their gradient.\n";
    Kernel::of_positions("compare_policy".into(), comment, 1, body)
}
