//! What the parts of the forms take, level by level.
//!
//! Measured by `nnue bench --plans --shapes` on a core of a Zen 4 (EPYC, rustc 1.95) and fitted to all its shapes (`docs/measurements.md`).
//! Levels that it lacks have the constants of the level that is most like them.

use crate::simd::Level;

/// Thousandths of a nanosecond. Only their ratios matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// bytes of a vector
    pub(super) bytes: usize,
    /// from a list of blocks
    pub(super) listed: Blocks,
    /// all blocks
    pub(super) all: Blocks,
    /// whole vectors of inputs
    pub(super) whole: Whole,
    /// from a list of inputs
    pub(super) inputs: Inputs,
}

/// By blocks of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// whatever the size: storing the activations, mispredicted ends
    pub(super) once: u64,
    /// a vector of sums: to load and store them
    pub(super) sums: u64,
    /// to list the blocks of a vector of inputs
    pub(super) list: u64,
    /// a block, in each pass over the outputs
    pub(super) block: u64,
    /// a dot product
    pub(super) product: u64,
    /// a line of weights that is not in the first cache
    pub(super) far: u64,
    /// a line that is not in the second one either, on top of that
    pub(super) deep: u64,
}

/// By whole vectors of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// whatever the size
    pub(super) once: u64,
    /// a pass: its sums are added across
    pub(super) pass: u64,
    /// a vector of inputs, in each pass
    pub(super) vector: u64,
    /// a dot product, one for each output
    pub(super) product: u64,
    /// a line of weights that is not in the first cache
    pub(super) far: u64,
    /// a line that is not in the second one either, on top of that
    pub(super) deep: u64,
}

/// By single inputs, four at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    /// whatever the size
    pub(super) once: u64,
    /// a vector of sums: to load and store them
    pub(super) sums: u64,
    /// to list the blocks of a vector of inputs
    pub(super) list: u64,
    /// to list the inputs of a block
    pub(super) block: u64,
    /// four inputs and as many outputs as a vector has bytes
    pub(super) columns: u64,
    /// a line of weights that is not in the first cache
    pub(super) far: u64,
    /// a line that is not in the second one either, on top of that
    pub(super) deep: u64,
}

/// Bytes of weights that stay in the first cache, beside accumulators and activations.
pub(super) const NEAR_BYTES: usize = 24 << 10;

/// Bytes of weights that stay in the second one.
pub(super) const SECOND_BYTES: usize = 512 << 10;

impl Costs {
    /// The constants of a level.
    pub(super) const fn of(level: Level) -> Self {
        match level {
            Level::Scalar => SCALAR,
            Level::Avx2 => AVX2,
            Level::AvxVnni => AVX_VNNI,
            Level::Avx512 => AVX512,
            Level::Avx512Vnni => AVX512_VNNI,
            Level::Sse41 | Level::Neon | Level::NeonDotprod | Level::NeonI8mm | Level::Simd128 => NARROW,
        }
    }
}

/// Products take so long that nothing else counts.
const SCALAR: Costs = Costs {
    bytes: 16,
    listed: Blocks { once: 15000, sums: 0, list: 8000, block: 0, product: 12000, far: 0, deep: 0 },
    all: Blocks { once: 15000, sums: 0, list: 0, block: 0, product: 12000, far: 0, deep: 0 },
    whole: Whole { once: 15000, pass: 15000, vector: 0, product: 12000, far: 0, deep: 0 },
    inputs: Inputs { once: 15000, sums: 0, list: 8000, block: 4000, columns: 90000, far: 0, deep: 0 },
};

/// 128 bits, measured with SSE4.1.
const NARROW: Costs = Costs {
    bytes: 16,
    listed: Blocks { once: 15098, sums: 1589, list: 1006, block: 0, product: 548, far: 30, deep: 2183 },
    all: Blocks { once: 16444, sums: 1966, list: 0, block: 30, product: 325, far: 0, deep: 968 },
    whole: Whole { once: 20065, pass: 3865, vector: 361, product: 195, far: 0, deep: 233 },
    inputs: Inputs { once: 36069, sums: 398, list: 833, block: 3012, columns: 4269, far: 0, deep: 3977 },
};

const AVX2: Costs = Costs {
    bytes: 32,
    listed: Blocks { once: 12706, sums: 1037, list: 804, block: 0, product: 445, far: 298, deep: 884 },
    all: Blocks { once: 15170, sums: 0, list: 0, block: 115, product: 304, far: 147, deep: 472 },
    whole: Whole { once: 12746, pass: 2395, vector: 263, product: 250, far: 135, deep: 352 },
    inputs: Inputs { once: 27219, sums: 373, list: 1215, block: 3330, columns: 2124, far: 699, deep: 1910 },
};

/// Those of AVX2, with products that are one instruction.
const AVX_VNNI: Costs = Costs {
    bytes: 32,
    listed: Blocks { once: 12706, sums: 1037, list: 804, block: 0, product: 340, far: 298, deep: 884 },
    all: Blocks { once: 15170, sums: 0, list: 0, block: 115, product: 230, far: 147, deep: 472 },
    whole: Whole { once: 12746, pass: 2395, vector: 263, product: 185, far: 135, deep: 352 },
    inputs: Inputs { once: 27219, sums: 373, list: 1215, block: 3330, columns: 1850, far: 699, deep: 1910 },
};

const AVX512: Costs = Costs {
    bytes: 64,
    listed: Blocks { once: 14177, sums: 1391, list: 1032, block: 180, product: 466, far: 165, deep: 386 },
    all: Blocks { once: 12143, sums: 401, list: 0, block: 164, product: 446, far: 122, deep: 252 },
    whole: Whole { once: 7795, pass: 7931, vector: 670, product: 426, far: 136, deep: 220 },
    inputs: Inputs { once: 21815, sums: 1326, list: 2112, block: 2435, columns: 3470, far: 125, deep: 834 },
};

const AVX512_VNNI: Costs = Costs {
    bytes: 64,
    listed: Blocks { once: 10712, sums: 1183, list: 1896, block: 332, product: 441, far: 248, deep: 362 },
    all: Blocks { once: 17939, sums: 0, list: 0, block: 252, product: 383, far: 256, deep: 219 },
    whole: Whole { once: 8589, pass: 3964, vector: 922, product: 390, far: 227, deep: 205 },
    inputs: Inputs { once: 37616, sums: 1, list: 1578, block: 3196, columns: 2520, far: 543, deep: 2000 },
};
