//! The kernels of accumulators and PSQT outputs: sums of the active rows, and the gradient of these.
//!
//! One block has a position of one perspective, and each of its threads some neurons, `THREADS` apart: a row is read, and its gradient
//! written, by threads next to each other. Where the gradient of a neuron is zero, as it is where an activation clips, nothing is written.

use std::fmt::Write;

use super::kernel::{Blocks, CHUNK, Kernel, literal};
use super::layout::Layout;
use crate::network::{Psqt, Transformer};

/// Most threads of a block.
const THREADS: usize = 256;

/// The transformer of a network.
pub(super) struct Rows<'n> {
    pub(super) transformer: &'n Transformer<f32>,
    pub(super) layout: &'n Layout,
    /// what 1.0 is in the accumulators
    pub(super) one: f32,
}

impl Rows<'_> {
    /// Functions that say where the numbers of a row are, and constants.
    pub(super) fn helpers(&self) -> String {
        let (width, threads) = (self.transformer.width(), self.threads());
        let mut text = format!(
            "#define WIDTH {width}
#define PERSPECTIVES {}
#define THREADS {threads}
#define SLICES {}
#define ONE {}

// Where the biases of a perspective are.
__device__ inline size_t bias_of(int side) {{
    return side == 0 ? {} : {};
}}

// Where the weights of a row are, which counts the rows of all feature sets.
__device__ inline size_t weights_of(int row, int side) {{
",
            self.transformer.perspectives(),
            width / threads,
            literal(self.one),
            self.layout.offsets[self.transformer.bias[0]],
            self.layout.offsets[self.transformer.bias[1]],
        );
        let mut first = 0;
        for (index, set) in self.transformer.sets.iter().enumerate() {
            let end = first + set.rows;
            let condition = if index + 1 == self.transformer.sets.len() { "" } else { &format!("if (row < {end}) ") };
            let [one, other] = set.weight.map(|tensor| self.layout.offsets[tensor]);
            let base = if one == other { one.to_string() } else { format!("(side == 0 ? {one} : {other})") };
            let _ = writeln!(text, "    {condition}return {base} + (size_t)(row - {first}) * WIDTH;");
            first = end;
        }
        text += "}\n\n";
        if self.transformer.psqt.is_some() {
            text += &self.psqt_helper();
        }
        text
    }

    fn psqt_helper(&self) -> String {
        let psqt = self.transformer.psqt.as_ref().expect("there are PSQT outputs");
        let mut text = "// Where the PSQT weight of a row is, in a column.\n__device__ inline size_t psqt_of(int row, int column) {\n".to_owned();
        let mut first = 0;
        for (index, (set, &tensor)) in self.transformer.sets.iter().zip(&psqt.weight).enumerate() {
            let end = first + set.rows;
            let condition = if index + 1 == psqt.weight.len() { "" } else { &format!("if (row < {end}) ") };
            let (base, columns) = (self.layout.offsets[tensor], psqt.count);
            let _ = writeln!(text, "    {condition}return {base} + (size_t)(row - {first}) * {columns} + column;");
            first = end;
        }
        text + "}\n\n"
    }

    /// The kernels before the layers.
    pub(super) fn forward(&self) -> Vec<Kernel> {
        let accumulate = Kernel {
            name: "accumulate".into(),
            text: "The accumulators: biases and the sums of the active rows.\n{
    int side = blockIdx.x % PERSPECTIVES, position = blockIdx.x / PERSPECTIVES;
    const int* active = rows + (size_t)blockIdx.x * stride;
    float sums[SLICES];
    for (int slice = 0; slice < SLICES; slice++) {
        sums[slice] = parameters[bias_of(side) + slice * THREADS + threadIdx.x];
    }
    for (int i = 0; i < stride && active[i] >= 0; i++) {
        const float* row = parameters + weights_of(active[i], side) + threadIdx.x;
        for (int slice = 0; slice < SLICES; slice++) sums[slice] += row[slice * THREADS];
    }
    for (int slice = 0; slice < SLICES; slice++) {
        values[ROW(side * WIDTH + slice * THREADS + threadIdx.x)] = sums[slice] * ONE;
    }
}
"
            .into(),
            blocks: Blocks::Positions(self.transformer.perspectives() as u32),
            threads: self.threads() as u32,
        };
        let psqt = self.transformer.psqt.as_ref().map(|psqt| {
            let [sides, column] = psqt_reads(psqt);
            let body = format!(
                "    for (int output = 0; output < {outputs}; output++) {{
        float difference = 0.0f;
        for (int side = 0; side < {sides}; side++) {{
            const int* active = rows + ((size_t)position * PERSPECTIVES + side) * stride;
            float sum = 0.0f;
            for (int i = 0; i < stride && active[i] >= 0; i++) sum += parameters[psqt_of(active[i], {column})];
            difference += side == 0 ? sum : -sum;
        }}
        psqt[position * {outputs} + output] = difference * {share};
    }}
",
                outputs = psqt.outputs(),
                share = literal(psqt.share())
            );
            Kernel::of_positions(
                psqt_name("psqt_outputs", psqt),
                "What the PSQT outputs add to the outputs.\n",
                1,
                &body,
            )
        });
        [accumulate].into_iter().chain(psqt).collect()
    }

    /// The kernels after the layers.
    pub(super) fn backward(&self) -> Vec<Kernel> {
        let (sides, threads) = (self.transformer.perspectives() as u32, self.threads() as u32);
        let biases = Kernel {
            name: "of_biases".into(),
            text: format!(
                "The gradient of the biases of accumulators: of each neuron, a sum over the positions of a chunk.\n{{
    int side = blockIdx.x % PERSPECTIVES, begin = blockIdx.x / PERSPECTIVES * {CHUNK};
    int end = begin + {CHUNK} < count ? begin + {CHUNK} : count;
    for (int neuron = threadIdx.x; neuron < WIDTH; neuron += THREADS) {{
        float sum = 0.0f;
        for (int position = begin; position < end; position++) sum += slopes[ROW(side * WIDTH + neuron)];
        atomicAdd(gradient + bias_of(side) + neuron, sum * ONE);
    }}
}}
"
            ),
            blocks: Blocks::Chunks(sides),
            threads,
        };
        let rows = Kernel {
            name: "of_rows".into(),
            text: "The gradient of the active rows.\n{
    int side = blockIdx.x % PERSPECTIVES, position = blockIdx.x / PERSPECTIVES;
    const int* active = rows + (size_t)blockIdx.x * stride;
    for (int neuron = threadIdx.x; neuron < WIDTH; neuron += THREADS) {
        float slope = slopes[ROW(side * WIDTH + neuron)] * ONE;
        if (slope == 0.0f) continue;
        for (int i = 0; i < stride && active[i] >= 0; i++) atomicAdd(gradient + weights_of(active[i], side) + neuron, slope);
    }
}
"
            .into(),
            blocks: Blocks::Positions(sides),
            threads,
        };
        let psqt = self.transformer.psqt.as_ref().map(|psqt| {
            let ([sides, column], outputs) = (psqt_reads(psqt), psqt.outputs());
            let body = format!(
                "    for (int output = 0; output < {outputs}; output++) for (int side = 0; side < {sides}; side++) {{
        const int* active = rows + ((size_t)position * PERSPECTIVES + side) * stride;
        float of_first = of_psqt[position * {outputs} + output], slope = side == 0 ? of_first : -of_first;
        if (slope == 0.0f) continue;
        for (int i = 0; i < stride && active[i] >= 0; i++) atomicAdd(gradient + psqt_of(active[i], {column}), slope);
    }}
"
            );
            let comment = "The gradient of the PSQT weights of the active rows.\n";
            Kernel::of_positions(psqt_name("of_psqt_rows", psqt), comment, 1, &body)
        });
        [biases, rows].into_iter().chain(psqt).collect()
    }

    /// Threads of a block: as many as divide the neurons.
    fn threads(&self) -> usize {
        let width = self.transformer.width();
        (1..=THREADS.min(width)).rev().find(|threads| width.is_multiple_of(*threads)).unwrap_or(1)
    }
}

/// How many perspectives PSQT outputs are sums of, and which column of a row: of floats, the first perspective alone, and one for each output.
const fn psqt_reads(psqt: &Psqt<f32>) -> [&'static str; 2] {
    if psqt.floats { ["1", "output"] } else { ["PERSPECTIVES", "stacks[position]"] }
}

/// The name of a kernel of PSQT outputs.
fn psqt_name(name: &str, psqt: &Psqt<f32>) -> String {
    if psqt.floats { format!("{name}_of_floats") } else { name.into() }
}
