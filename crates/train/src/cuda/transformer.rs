//! The kernels of accumulators and PSQT outputs, and their gradients.
//!
//! `THREADS` threads share a pair of position and perspective, a block has several pairs, and each thread
//! several neurons. Adjacent threads load a row, four neurons each.

use std::fmt::Write;

use super::additions::FOUR;
use super::kernel::{Blocks, Kernel, literal};
use super::layout::Layout;
use crate::network::{Psqt, Transformer};

/// Threads per block, if a multiple of those of a pair.
pub(super) const THREADS: usize = 128;

pub(super) struct Rows<'n> {
    pub(super) transformer: &'n Transformer<f32>,
    pub(super) layout: &'n Layout,
    /// scale of the accumulators
    pub(super) one: f32,
}

impl Rows<'_> {
    /// Functions that locate rows, and constants.
    pub(super) fn helpers(&self) -> String {
        let (width, threads) = (self.transformer.width(), self.threads());
        let slices = width / FOUR / threads;
        let mut text = format!(
            "#define WIDTH {width}
#define PERSPECTIVES {}
#define THREADS {threads}
#define PAIRS {}
#define SLICES {slices}
#define AHEAD {}
#define ONE {}

// Where the biases of a perspective are.
__device__ inline size_t bias_of(int side) {{
    return side == 0 ? {} : {};
}}

// Where the weights of a row are, which counts the rows of all feature sets.
__device__ inline size_t weights_of(int row, int side) {{
",
            self.transformer.perspectives(),
            self.pairs(),
            ahead(slices),
            literal(self.one),
            self.layout.offsets[self.transformer.bias[0]],
            self.layout.offsets[self.transformer.bias[1]],
        );
        let mut first = 0;
        for (index, set) in self.transformer.sets.iter().enumerate() {
            let end = first + set.rows;
            let condition = if index + 1 == self.transformer.sets.len() {
                ""
            } else {
                &format!("if (row < {end}) ")
            };
            let [one, other] = set.weight.map(|tensor| self.layout.offsets[tensor]);
            let base = if one == other {
                one.to_string()
            } else {
                format!("(side == 0 ? {one} : {other})")
            };
            let _ = writeln!(
                text,
                "    {condition}return {base} + (size_t)(row - {first}) * WIDTH;"
            );
            first = end;
        }
        text += "}\n\n";
        if self.transformer.psqt.is_some() {
            text += &self.psqt_helper();
        }
        text
    }

    fn psqt_helper(&self) -> String {
        let psqt = self
            .transformer
            .psqt
            .as_ref()
            .expect("there are PSQT outputs");
        let mut text = "// Where the PSQT weight of a row is, in a column.\n__device__ inline size_t psqt_of(int row, int column) {\n".to_owned();
        let mut first = 0;
        for (index, (set, &tensor)) in self.transformer.sets.iter().zip(&psqt.weight).enumerate() {
            let end = first + set.rows;
            let condition = if index + 1 == psqt.weight.len() {
                ""
            } else {
                &format!("if (row < {end}) ")
            };
            let (base, columns) = (self.layout.offsets[tensor], psqt.count);
            let _ = writeln!(
                text,
                "    {condition}return {base} + (size_t)(row - {first}) * {columns} + column;"
            );
            first = end;
        }
        text + "}\n\n"
    }

    /// The kernels before the layers.
    pub(super) fn forward(&self) -> Vec<Kernel> {
        let text = "The accumulators: biases and the sums of the active rows, `AHEAD` of which are read at once.\n{
    int pair = blockIdx.x * PAIRS + threadIdx.x / THREADS, first = threadIdx.x % THREADS * 4;
    int side = pair % PERSPECTIVES, position = pair / PERSPECTIVES;
    if (position >= count) return;
    const int* active = ACTIVE(side);
    Numbers<4> sums[SLICES], next[AHEAD][SLICES];
    for (int slice = 0; slice < SLICES; slice++) {
        sums[slice] = numbers_at<4>(parameters + bias_of(side) + slice * THREADS * 4 + first);
    }
    for (int i = 0; i < stride && active[i] >= 0; i += AHEAD) {
        for (int j = 0; j < AHEAD; j++) {
            if (active[i + j] < 0) continue;
            const float* row = parameters + weights_of(active[i + j], side) + first;
            for (int slice = 0; slice < SLICES; slice++) next[j][slice] = numbers_at<4>(row + slice * THREADS * 4);
        }
        for (int j = 0; j < AHEAD; j++) {
            if (active[i + j] < 0) continue;
            for (int slice = 0; slice < SLICES; slice++) {
                for (int k = 0; k < 4; k++) sums[slice].at[k] += next[j][slice].at[k];
            }
        }
    }
    for (int slice = 0; slice < SLICES; slice++) {
        for (int k = 0; k < 4; k++) sums[slice].at[k] *= ONE;
        float* accumulator = values + ROW(side * WIDTH + slice * THREADS * 4 + first);
        *reinterpret_cast<Numbers<4>*>(accumulator) = sums[slice];
    }
}
";
        let (perspectives, pairs) = (self.transformer.perspectives() as u32, self.pairs());
        let blocks = Blocks::Pairs {
            perspectives,
            pairs: pairs as u32,
        };
        let threads = (pairs * self.threads()) as u32;
        let accumulate = Kernel {
            name: "accumulate".into(),
            text: text.into(),
            blocks,
            threads,
        };
        let psqt = self.transformer.psqt.as_ref().map(|psqt| {
            let [sides, column] = psqt_reads(psqt);
            let body = format!(
                "    for (int output = 0; output < {outputs}; output++) {{
        float difference = 0.0f;
        for (int side = 0; side < {sides}; side++) {{
            const int* active = ACTIVE(side);
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

    /// The kernels after the layers, except those of the gradient of rows (`lists.rs`).
    pub(super) fn backward(&self) -> Vec<Kernel> {
        let tiles = self.transformer.width().div_ceil(THREADS);
        let biases = Kernel {
            name: "of_biases".into(),
            text: format!(
                "The gradient of the biases of accumulators: of each neuron, a sum over the positions of a chunk.\n{{
    int tile = blockIdx.x % {tiles}, neuron = tile * {THREADS} + threadIdx.x, chunk = blockIdx.x / {tiles};
    int side = chunk % PERSPECTIVES, begin = chunk / PERSPECTIVES * CHUNK;
    int end = begin + CHUNK < count ? begin + CHUNK : count;
    if (neuron >= WIDTH) return;
    float sum = 0.0f;
    for (int position = begin; position < end; position++) sum += slopes[ROW(side * WIDTH + neuron)];
    atomicAdd(gradient + bias_of(side) + neuron, sum * ONE);
}}
"
            ),
            blocks: Blocks::Chunks((self.transformer.perspectives() * tiles) as u32),
            threads: THREADS as u32,
        };
        let psqt = self.transformer.psqt.as_ref().map(|psqt| {
            let ([sides, column], outputs) = (psqt_reads(psqt), psqt.outputs());
            let body = format!(
                "    for (int output = 0; output < {outputs}; output++) for (int side = 0; side < {sides}; side++) {{
        const int* active = ACTIVE(side);
        float of_first = of_psqt[position * {outputs} + output], slope = side == 0 ? of_first : -of_first;
        if (slope == 0.0f) continue;
        for (int i = 0; i < stride && active[i] >= 0; i++) atomicAdd(gradient + psqt_of(active[i], {column}), slope);
    }}
"
            );
            let comment = "The gradient of the PSQT weights of the active rows.\n";
            Kernel::of_positions(psqt_name("of_psqt_rows", psqt), comment, 1, &body)
        });
        [biases].into_iter().chain(psqt).collect()
    }

    /// Threads per pair: the most that divide its neurons into fours.
    pub(super) fn threads(&self) -> usize {
        let fours = self.transformer.width() / FOUR;
        (1..=THREADS.min(fours))
            .rev()
            .find(|threads| fours.is_multiple_of(*threads))
            .unwrap_or(1)
    }

    /// Pairs of position and perspective per block.
    pub(super) fn pairs(&self) -> usize {
        THREADS / self.threads()
    }
}

/// Rows that are loaded ahead of their additions. It divides the stride, a multiple of 8.
const fn ahead(slices: usize) -> usize {
    match slices {
        ..=2 => 4,
        3..=4 => 2,
        _ => 1,
    }
}

/// Number of perspectives that PSQT outputs sum, and the column of a row. Floats: only the first perspective,
/// and one column for each output.
const fn psqt_reads(psqt: &Psqt<f32>) -> [&'static str; 2] {
    if psqt.floats {
        ["1", "output"]
    } else {
        ["PERSPECTIVES", "stacks[position]"]
    }
}

fn psqt_name(name: &str, psqt: &Psqt<f32>) -> String {
    if psqt.floats {
        format!("{name}_of_floats")
    } else {
        name.into()
    }
}
