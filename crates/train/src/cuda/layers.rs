//! The kernels of a layer: forward sums, and the gradients of inputs, weights and biases.
//!
//! ```text
//!   forward     a thread: one position, 4 outputs       x is read once for all of them; the weights are the same for all threads of a stack
//!               of many inputs: 16 outputs and          each thread adds its sums to biases, which were put there before
//!               a part of the inputs
//!   of inputs   a thread: one position, 8 inputs,       the gradient of each output is read once for all of them
//!               4 of few
//!   of weights  a block:  4 outputs x 4 inputs          a thread sums over every 128th position of one stack, a warp adds its sums at last
//! ```
//!
//! A binary layer computes with `scale[o] * sign(w[o][k])`. The scales of all stacks are computed before the
//! sums. The backward pass first computes `G`, the gradient of these effective weights, and then replaces it
//! by that of the weights:
//!
//! ```text
//!   of w[o][k]:   G[o][k] * scale[o] * slope(w[o][k])  +  sign(w[o][k]) / n * sum over i of sign(w[o][i]) * G[o][i]
//! ```

use std::ops::Range;

use super::additions::FOUR;
use super::kernel::{Blocks, CHUNK, Kernel, Places, literal, tile, tiles};
use super::layout::Layout;
use crate::network::affine::Affine;

/// Outputs per thread, forward: with few inputs, and with inputs in parts.
const FEW_OUTPUTS: usize = 4;
const OUTPUTS: usize = 16;
/// Least inputs of a part, and greatest number of parts: the 16384 positions of a batch alone are too few
/// threads for a GPU.
const PART: usize = 64;
const MOST_INPUT_PARTS: usize = 8;
/// Inputs per thread, backward, and the same for layers with fewer than [`PART`] inputs. On an H200, 15
/// inputs take 11 us with 4 and 18 us with 8; 1024 inputs take 91 us with 4 and 82 us with 8.
pub(super) const INPUTS: usize = 8;
const FEW_INPUTS: usize = 4;
/// A thread sums the gradient of `SIDE * SIDE` weights.
const SIDE: usize = 4;
/// Blocks that keep a device busy: the positions of small layers are split into parts to reach them.
const BUSY: usize = 512;
/// Greatest number of such parts, each of which adds its own sums.
const MOST_PARTS: usize = 16;

/// A layer with the addresses of its operands.
pub(super) struct Layer<'n> {
    pub(super) number: usize,
    pub(super) affine: &'n Affine<f32>,
    pub(super) places: Places,
    pub(super) layout: &'n Layout,
    pub(super) stacks: usize,
    /// offset of its scales, if the layer is binary
    pub(super) scales: Option<usize>,
}

impl Layer<'_> {
    /// The kernels of the forward pass, in order.
    pub(super) fn forward(&self) -> Vec<Kernel> {
        let scales = self.scales.map(|begin| self.find_scales(begin));
        let biases = (self.input_parts() > 1).then(|| self.begin());
        scales
            .into_iter()
            .chain(biases)
            .chain([self.sums()])
            .collect()
    }

    /// The effective value of a weight, up to its scale.
    fn weight(&self, expression: &str) -> String {
        if self.scales.is_some() {
            format!("sign_of({expression})")
        } else {
            expression.into()
        }
    }

    /// The scale of an output, with ` * ` in front; empty if it is 1.
    fn scale(&self, output: &str) -> String {
        let outputs = self.affine.results.len();
        self.scales.map_or_else(String::new, |begin| {
            format!(" * scales[{begin} + (size_t)stacks[position] * {outputs} + {output}]")
        })
    }

    fn find_scales(&self, begin: usize) -> Kernel {
        let (outputs, inputs) = (self.affine.results.len(), self.affine.columns);
        let rows = outputs * self.stacks;
        let text = format!(
            "The mean magnitudes of the weights of each output.\n{{
    int row = blockIdx.x * CHUNK + threadIdx.x;
    if (row >= {rows}) return;
    const float* weight = parameters + {base} + (size_t)row * {inputs};
    float sum = 0.0f;
    for (int k = 0; k < {inputs}; k++) sum += fabsf(weight[k]);
    scales[{begin} + row] = sum * {share};
}}
",
            base = self.weights(),
            share = literal(1.0 / inputs as f32),
        );
        Kernel {
            name: format!("scales_{}", self.number),
            text,
            blocks: chunks_of(rows),
            threads: CHUNK,
        }
    }

    /// Parts of the inputs, forward.
    fn input_parts(&self) -> usize {
        (self.affine.columns / PART).clamp(1, MOST_INPUT_PARTS)
    }

    /// Weights of an output that are loaded at once, for `inputs` weights that begin at a column.
    const fn together(&self, column: usize, inputs: usize) -> usize {
        if (self.affine.columns | column | inputs).is_multiple_of(FOUR) {
            FOUR
        } else {
            1
        }
    }

    /// The bias of output `first + j`, as an expression; `None` without biases.
    fn bias(&self) -> Option<String> {
        let bias = self.affine.bias?;
        let (offset, factor) = (self.layout.offsets[bias], literal(self.affine.bias_factor));
        let outputs = self.affine.results.len();
        Some(format!(
            "parameters[{offset} + (size_t)stacks[position] * {outputs} + first + j] * {factor}"
        ))
    }

    /// Initialises the sums with biases.
    fn begin(&self) -> Kernel {
        let outputs = self.affine.results.len();
        let (each, count) = tiles(outputs, FEW_OUTPUTS);
        let body = format!(
            "    int first = {tile} * {each};
    for (int j = 0; j < {each} && first + j < {outputs}; j++) values[{result}] = {bias};
",
            tile = tile(count),
            result = self.places.of(self.affine.results.start, "first + j"),
            bias = self.bias().unwrap_or_else(|| "0.0f".into()),
        );
        let name = format!("layer_biases_{}", self.number);
        Kernel::of_positions(name, "The biases of a layer.\n", count, &body)
    }

    fn sums(&self) -> Kernel {
        let (outputs, parts) = (self.affine.results.len(), self.input_parts());
        let (each, count) = tiles(outputs, if parts > 1 { OUTPUTS } else { FEW_OUTPUTS });
        let of_all = parts * count;
        let mut body = format!(
            "    int first = {tile} % {count} * {each}, part = {tile} / {count};
    const float* weight = parameters + {} + ((size_t)stacks[position] * {outputs} + first) * {columns};
    float sums[{each}];
    for (int j = 0; j < {each}; j++) sums[j] = 0.0f;
",
            self.weights(),
            columns = self.affine.columns,
            tile = tile(of_all),
        );
        let within = if outputs.is_multiple_of(each) {
            String::new()
        } else {
            format!("if (first + j < {outputs}) ")
        };
        for (run, column) in &self.affine.runs {
            body += &self.sums_of_run(run, *column, (each, &within));
        }
        let result = format!(
            "values[{}]",
            self.places.of(self.affine.results.start, "first + j")
        );
        let sum = format!(
            "sums[j]{} * {}",
            self.scale("first + j"),
            literal(self.affine.weight_factor)
        );
        let put = match self.bias() {
            _ if parts > 1 => format!("atomicAdd(&{result}, {sum})"),
            Some(bias) => format!("{result} = {sum} + {bias}"),
            None => format!("{result} = {sum}"),
        };
        body += &format!("    for (int j = 0; j < {each}; j++) {within}{put};\n");
        let comment = format!("The sums of a layer of {outputs} outputs.\n");
        Kernel::of_positions(format!("layer_{}", self.number), &comment, of_all, &body)
    }

    /// The loop over one part of a run of inputs.
    fn sums_of_run(
        &self,
        run: &Range<usize>,
        column: usize,
        (each, within): (usize, &str),
    ) -> String {
        let (inputs, columns, together) = (
            run.len(),
            self.affine.columns,
            self.together(column, run.len()),
        );
        let of_part = inputs
            .div_ceil(self.input_parts())
            .next_multiple_of(together);
        format!(
            "    for (int k = part * {of_part}; k < (part + 1) * {of_part} && k < {inputs}; k += {together}) {{
        float x[{together}];
        for (int i = 0; i < {together}; i++) x[i] = values[{input}];
        for (int j = 0; j < {each}; j++) {within}{{
            Numbers<{together}> of_output = numbers_at<{together}>(weight + j * {columns} + {column} + k);
            for (int i = 0; i < {together}; i++) sums[j] += x[i] * {acting};
        }}
    }}
",
            input = self.places.of(run.start, "k + i"),
            acting = self.weight("of_output.at[i]"),
        )
    }

    /// The kernels of the backward pass, given the gradient of the results.
    pub(super) fn backward(&self) -> Vec<Kernel> {
        let mut kernels = Vec::new();
        for (index, (run, column)) in self.affine.runs.iter().enumerate() {
            kernels.push(self.of_inputs(index, run, *column));
            kernels.push(self.of_weights(index, run, *column));
        }
        kernels.extend(self.affine.bias.map(|bias| {
            biases(
                self.number,
                &self.affine.results,
                (self.places, self.stacks),
                self.layout.offsets[bias],
                self.affine.bias_factor,
            )
        }));
        kernels.extend(self.scales.map(|begin| self.of_signs(begin)));
        kernels
    }

    fn of_inputs(&self, index: usize, run: &Range<usize>, column: usize) -> Kernel {
        let outputs = self.affine.results.len();
        let (each, count) = tiles(
            run.len(),
            if run.len() < PART { FEW_INPUTS } else { INPUTS },
        );
        let together = if each.is_multiple_of(FOUR) {
            self.together(column, run.len())
        } else {
            1
        };
        let within = if run.len().is_multiple_of(each) {
            String::new()
        } else {
            format!("if (first + j < {}) ", run.len())
        };
        let body = format!(
            "    int first = {tile} * {each};
    const float* weight = parameters + {base} + (size_t)stacks[position] * {outputs} * {columns} + {column} + first;
    float sums[{each}];
    for (int j = 0; j < {each}; j++) sums[j] = 0.0f;
    for (int o = 0; o < {outputs}; o++) {{
        float slope = slopes[{of_result}]{scale};
        for (int j = 0; j < {each}; j += {together}) {within}{{
            Numbers<{together}> of_output = numbers_at<{together}>(weight + o * {columns} + j);
            for (int i = 0; i < {together}; i++) sums[j + i] += slope * {acting};
        }}
    }}
    for (int j = 0; j < {each}; j++) {within}slopes[{of_input}] += sums[j] * {factor};
",
            tile = tile(count),
            base = self.weights(),
            columns = self.affine.columns,
            of_result = self.places.of(self.affine.results.start, "o"),
            of_input = self.places.of(run.start, "first + j"),
            factor = literal(self.affine.weight_factor),
            scale = self.scale("o"),
            acting = self.weight("of_output.at[i]"),
        );
        let comment = format!(
            "The gradient of {} values that the layer reads.\n",
            run.len()
        );
        Kernel::of_positions(
            format!("of_inputs_{}_{index}", self.number),
            &comment,
            count,
            &body,
        )
    }

    fn of_weights(&self, index: usize, run: &Range<usize>, column: usize) -> Kernel {
        let outputs = self.affine.results.len();
        let ((high, down), (wide, across)) = (tiles(outputs, SIDE), tiles(run.len(), SIDE));
        let parts = (BUSY / (down * across * self.stacks)).clamp(1, MOST_PARTS);
        let text = format!(
            "The gradient of the weights of {inputs} inputs.\n{{
    int tile = blockIdx.x / {parts}, part = blockIdx.x % {parts};
    int column = tile % {across} * {wide}, output = tile / {across} % {down} * {high}, stack = tile / {all};
    float sums[{high}][{wide}];
    for (int i = 0; i < {high}; i++) for (int j = 0; j < {wide}; j++) sums[i][j] = 0.0f;
    for (int position = begins[stack] + part * CHUNK + threadIdx.x; position < begins[stack + 1]; position += {step}) {{
        float x[{wide}];
        for (int j = 0; j < {wide}; j++) x[j] = column + j < {inputs} ? values[{of_input}] : 0.0f;
        for (int i = 0; i < {high}; i++) {{
            float slope = output + i < {outputs} ? slopes[{of_result}] : 0.0f;
            for (int j = 0; j < {wide}; j++) sums[i][j] += slope * x[j];
        }}
    }}
    float* weight = gradient + {base} + ((size_t)stack * {outputs} + output) * {columns} + {column} + column;
    for (int i = 0; i < {high}; i++) {{
        for (int j = 0; j < {wide}; j++) {{
            if (output + i < {outputs} && column + j < {inputs}) add_of_warp(weight + i * {columns} + j, sums[i][j] * {factor});
        }}
    }}
}}
",
            inputs = run.len(),
            all = across * down,
            step = parts * CHUNK as usize,
            base = self.weights(),
            columns = self.affine.columns,
            of_input = self.places.of(run.start, "column + j"),
            of_result = self.places.of(self.affine.results.start, "output + i"),
            factor = literal(self.affine.weight_factor),
        );
        let blocks = Blocks::Fixed((down * across * self.stacks * parts) as u32);
        Kernel {
            name: format!("of_weights_{}_{index}", self.number),
            text,
            blocks,
            threads: CHUNK,
        }
    }

    /// Runs after the gradients of all weights and biases, and replaces those of the weights.
    fn of_signs(&self, begin: usize) -> Kernel {
        let inputs = self.affine.columns;
        let rows = self.affine.results.len() * self.stacks;
        let text = format!(
            "The gradient of weights of which signs and scale act, from that of what acts.\n{{
    int row = blockIdx.x * CHUNK + threadIdx.x;
    if (row >= {rows}) return;
    const float* weight = parameters + {base} + (size_t)row * {inputs};
    float* slope = gradient + {base} + (size_t)row * {inputs};
    float of_scale = 0.0f, scale = scales[{begin} + row];
    for (int k = 0; k < {inputs}; k++) of_scale += sign_of(weight[k]) * slope[k];
    of_scale *= {share};
    for (int k = 0; k < {inputs}; k++) {{
        float through = fabsf(weight[k]) <= 1.0f ? slope[k] * scale : 0.0f;
        slope[k] = through + of_scale * sign_of(weight[k]);
    }}
}}
",
            base = self.weights(),
            share = literal(1.0 / inputs as f32),
        );
        Kernel {
            name: format!("of_signs_{}", self.number),
            text,
            blocks: chunks_of(rows),
            threads: CHUNK,
        }
    }

    fn weights(&self) -> usize {
        self.layout.offsets[self.affine.weight]
    }
}

/// Blocks with one row of weights per thread.
fn chunks_of(rows: usize) -> Blocks {
    Blocks::Fixed(rows.div_ceil(CHUNK as usize) as u32)
}

/// The gradient of biases (one for each stack), or of other numbers that are added to values.
pub(super) fn biases(
    number: usize,
    results: &Range<usize>,
    (places, stacks): (Places, usize),
    offset: usize,
    factor: f32,
) -> Kernel {
    let outputs = results.len();
    let parts = (BUSY / (outputs * stacks)).clamp(1, MOST_PARTS);
    let text = format!(
        "The gradient of the biases of a layer.\n{{
    int part = blockIdx.x % {parts}, output = blockIdx.x / {parts} % {outputs}, stack = blockIdx.x / {all};
    float sum = 0.0f;
    for (int position = begins[stack] + part * CHUNK + threadIdx.x; position < begins[stack + 1]; position += {step}) {{
        sum += slopes[{of_result}];
    }}
    add_of_warp(gradient + {offset} + (size_t)stack * {outputs} + output, sum * {factor});
}}
",
        all = parts * outputs,
        step = parts * CHUNK as usize,
        of_result = places.of(results.start, "output"),
        factor = literal(factor),
    );
    let blocks = Blocks::Fixed((outputs * stacks * parts) as u32);
    Kernel {
        name: format!("of_layer_biases_{number}"),
        text,
        blocks,
        threads: CHUNK,
    }
}
