//! The kernels of optimisers, averages and limits, which are the same for every network. A thread updates one
//! number.
//!
//! They compute the formulas of [`Update`] and have the parameters [`NUMBERS`]. States are passed as `first`,
//! `second` and `third`, in the order that the formula needs.

use std::fmt::Write;

use super::kernel::{Blocks, Kernel};
use crate::optimizer::{Quotient, Update};

pub(super) const THREADS: u32 = 256;

/// Blocks that sum the squared gradient.
const BLOCKS: u32 = 64;

/// Maximum number of constants.
pub(super) const CONSTANTS: usize = 10;

/// Parameters before the constants, in order: type and name.
const BUFFERS: [(&str, &str); 8] = [
    ("float*", "gradient"),
    ("float*", "weights"),
    ("float*", "first"),
    ("float*", "second"),
    ("float*", "third"),
    ("double*", "totals"),
    ("unsigned long long", "begin"),
    ("unsigned long long", "end"),
];

pub(super) const NUMBERS: [(&str, &str); BUFFERS.len() + CONSTANTS] = {
    let names = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"];
    let mut all = [("float", ""); BUFFERS.len() + CONSTANTS];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < BUFFERS.len() {
            BUFFERS[index]
        } else {
            ("float", names[index - BUFFERS.len()])
        };
        index += 1;
    }
    all
};

/// The sort key of [`Formula::Thin`]. Zeroing a block changes no result: enough other blocks stay greater
/// than it.
const SQUARE_OF: &str = "\
// The sum of the squares of an input's weights for a block of outputs.
__device__ inline float square_of(const float* block, size_t step, size_t columns) {
    float sum = 0.0f;
    for (size_t row = 0; row < step; row += columns) sum += block[row] * block[row];
    return sum;
}

";

/// A kernel, in the order of [`Formula::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    Momentum,
    Adam,
    PositiveNegative,
    SlowStart,
    Lookahead,
    Average,
    Hold,
    AddSquares,
    Shorten,
    Copy,
    Round,
    GiveWay,
    Thin,
}

impl Formula {
    pub(super) const ALL: [Self; 13] = [
        Self::Momentum,
        Self::Adam,
        Self::PositiveNegative,
        Self::SlowStart,
        Self::Lookahead,
        Self::Average,
        Self::Hold,
        Self::AddSquares,
        Self::Shorten,
        Self::Copy,
        Self::Round,
        Self::GiveWay,
        Self::Thin,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Momentum => "momentum",
            Self::Adam => "adam",
            Self::PositiveNegative => "positive_negative",
            Self::SlowStart => "slow_start",
            Self::Lookahead => "lookahead",
            Self::Average => "average_of_weights",
            Self::Hold => "hold",
            Self::AddSquares => "add_squares",
            Self::Shorten => "shorten",
            Self::Copy => "copy",
            Self::Round => "round_to_steps",
            Self::GiveWay => "give_way",
            Self::Thin => "thin",
        }
    }

    const fn body(self) -> &'static str {
        match self {
            Self::Momentum => "first[i] = k0 * first[i] + gradient[i];\n    weights[i] -= k1 * first[i];",
            Self::Adam => {
                "float g = gradient[i];
    first[i] = k0 * first[i] + k1 * g;
    second[i] = k2 * second[i] + k3 * g * g;
    weights[i] = weights[i] * k4 - k5 * first[i] / (k8 * (sqrtf(second[i]) * k6 + k7) + k9);"
            }
            Self::PositiveNegative => {
                "float g = gradient[i];
    first[i] = k0 * first[i] + k1 * g;
    third[i] = k2 * third[i] + k3 * g * g;
    float direction = 2.0f * first[i] - second[i];
    weights[i] = weights[i] * k4 - k5 * direction / (k8 * (sqrtf(third[i]) * k6 + k7) + k9);"
            }
            Self::SlowStart => "first[i] = k0 * weights[i];",
            Self::Lookahead => "first[i] += k0 * (weights[i] - first[i]);\n    weights[i] = first[i];",
            Self::Average => "first[i] += k0 * (weights[i] - first[i]);",
            // Few exceed the limit, and only these are written.
            Self::Hold => "if (fabsf(weights[i]) > k0) weights[i] = weights[i] > 0.0f ? k0 : -k0;",
            Self::Copy => "first[i] = weights[i];",
            // k0 + k1 is the scale.
            Self::Round => {
                "double one = (double)k0 + (double)k1;\n    first[i] = (float)(round((double)first[i] * one) / one);"
            }
            Self::GiveWay => "weights[i] += (first[i] > k0 ? k0 : first[i] < -k0 ? -k0 : first[i]) - first[i];",
            // k0 is the outputs of the layer, k1 its columns, k2 the blocks that an input reaches, k3 the
            // outputs of a block.
            Self::Thin => {
                "size_t outputs = (size_t)k0, columns = (size_t)k1, step = (size_t)k3 * columns, input = i - begin;
    float* column = weights + begin + input / columns * outputs * columns + input % columns;
    for (float* block = column; block < column + outputs * columns; block += step) {
        float size = square_of(block, step, columns);
        int greater = 0;
        for (float* other = column; other < column + outputs * columns; other += step) {
            float of_other = square_of(other, step, columns);
            greater += of_other > size || (of_other == size && other < block);
        }
        if (greater >= (int)k2) for (size_t row = 0; row < step; row += columns) block[row] = 0.0f;
    }"
            }
            Self::AddSquares => {
                "double sum = 0.0;
    for (; i < end; i += (size_t)BLOCKS * UPDATED) sum += (double)gradient[i] * gradient[i];
    add_of_warp(totals + 2, sum);"
            }
            Self::Shorten => "double norm = sqrt(totals[2]);\n    if (norm > k0) gradient[i] *= (float)(k0 / norm);",
        }
    }

    /// Whether it changes parameters or states. If the loss is not finite, it then does nothing, so that the
    /// cause can be inspected.
    const fn is_step(self) -> bool {
        !matches!(
            self,
            Self::AddSquares | Self::Shorten | Self::Copy | Self::Round
        )
    }

    fn kernel(self) -> Kernel {
        // All threads of a warp add. The difference is zero except for infinities and NaN.
        let condition = match self {
            Self::AddSquares => "",
            _ if self.is_step() => "    if (i >= end || !(totals[1] - totals[1] == 0.0)) return;\n",
            _ => "    if (i >= end) return;\n",
        };
        let text = format!(
            "{{
    size_t i = begin + (size_t)blockIdx.x * UPDATED + threadIdx.x;
{condition}    {}
}}
",
            self.body()
        );
        Kernel {
            name: self.name().into(),
            text,
            blocks: Blocks::Fixed(BLOCKS),
            threads: THREADS,
        }
    }

    pub(super) fn blocks(self, numbers: usize) -> u32 {
        let each = numbers.div_ceil(THREADS as usize) as u32;
        if self == Self::AddSquares {
            each.min(BLOCKS)
        } else {
            each
        }
    }
}

/// Writes all of these kernels.
pub(super) fn write(source: &mut String) -> Vec<Kernel> {
    let parameters: Vec<String> = NUMBERS
        .iter()
        .map(|(kind, name)| format!("{kind} {name}"))
        .collect();
    let _ = writeln!(
        source,
        "// Optimisers, averages and limits: one number for each thread.\n#define NUMBERS {}\n#define UPDATED {THREADS}\n\
         #define BLOCKS {BLOCKS}\n",
        parameters.join(", ")
    );
    *source += SQUARE_OF;
    let kernels = Formula::ALL.map(Formula::kernel);
    for kernel in &kernels {
        kernel.write("NUMBERS", source);
    }
    kernels.into()
}

/// The formula of an update, its constants, and the indices of the states `first`, `second` and `third`.
/// `remembered` is the number of states of the optimiser.
pub(super) fn formula(update: &Update, remembered: usize) -> (Formula, Vec<f32>, [usize; 3]) {
    let of_quotient = |of: &Quotient| {
        let Quotient {
            kept_mean,
            new_mean,
            kept_square,
            new_square,
            kept,
            rate,
            root,
            epsilon,
            trust,
            untrusted,
        } = *of;
        vec![
            kept_mean,
            new_mean,
            kept_square,
            new_square,
            kept,
            rate,
            root,
            epsilon,
            trust,
            untrusted,
        ]
    };
    let slow = [remembered.saturating_sub(1), 0, 0];
    match update {
        Update::Momentum { momentum, rate } => {
            (Formula::Momentum, vec![*momentum, *rate], [0, 0, 0])
        }
        Update::Adam(of) => (Formula::Adam, of_quotient(of), [0, 1, 1]),
        Update::PositiveNegative(of) => (Formula::PositiveNegative, of_quotient(of), [0, 1, 2]),
        Update::SlowStart { share } => (Formula::SlowStart, vec![*share], slow),
        Update::Lookahead { share } => (Formula::Lookahead, vec![*share], slow),
    }
}
