//! The costs of the parts of each form, level by level.
//!
//! Measured by `nnue bench --plans --shapes` on a core of a Zen 4 (EPYC, rustc 1.95), and fitted to
//! three runs so that the chosen forms take no longer than the best ones (`docs/measurements.md`).
//! Levels that this processor lacks have the constants of the most similar level.

use crate::simd::Level;

/// Thousandths of a nanosecond. Only their ratios matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// bytes of a vector
    pub(super) bytes: usize,
    /// from a list of blocks
    pub(super) listed: Blocks,
    pub(super) all: Blocks,
    /// whole vectors of inputs
    pub(super) whole: Whole,
    /// from a list of inputs, four at a time
    pub(super) inputs: Inputs,
    /// from a list of inputs, two at a time
    pub(super) pairs: Inputs,
}

/// By blocks of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// independent of the size: storing the activations, mispredicted loop ends
    pub(super) once: u64,
    /// to load and store a vector of sums
    pub(super) sums: u64,
    /// to list the blocks of a vector of inputs
    pub(super) list: u64,
    /// a block, in each pass over the outputs
    pub(super) block: u64,
    pub(super) product: u64,
    /// a line of weights that is not in the first-level cache
    pub(super) far: u64,
    /// extra for a line that is not in the second-level cache either
    pub(super) deep: u64,
}

/// By whole vectors of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// independent of the size
    pub(super) once: u64,
    /// per pass: the horizontal sums
    pub(super) pass: u64,
    /// a vector of inputs, in each pass
    pub(super) vector: u64,
    /// a dot product, one for each output
    pub(super) product: u64,
    /// a line of weights that is not in the first-level cache
    pub(super) far: u64,
    /// extra for a line that is not in the second-level cache either
    pub(super) deep: u64,
}

/// By single inputs, two or four at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    /// independent of the size
    pub(super) once: u64,
    /// to load and store a vector of sums
    pub(super) sums: u64,
    /// to list the blocks of a vector of inputs
    pub(super) list: u64,
    /// to list the inputs of a block
    pub(super) block: u64,
    /// a group of two or four inputs, with the outputs of as many vectors of sums
    pub(super) columns: u64,
    /// a line of weights that is not in the first-level cache
    pub(super) far: u64,
    /// extra for a line that is not in the second-level cache either
    pub(super) deep: u64,
}

/// Bytes of weights that stay in the first-level cache, beside accumulators and activations.
pub(super) const NEAR_BYTES: usize = 24 << 10;

/// Bytes of weights that stay in the second-level cache.
pub(super) const SECOND_BYTES: usize = 512 << 10;

impl Costs {
    pub(super) const fn of(level: Level) -> Self {
        match level {
            Level::Scalar => SCALAR,
            Level::Avx2 => AVX2,
            Level::AvxVnni => AVX_VNNI,
            Level::Avx512 => AVX512,
            Level::Avx512Vnni => AVX512_VNNI,
            Level::Sse41 | Level::Neon | Level::NeonDotprod | Level::NeonI8mm | Level::Simd128 => {
                NARROW
            }
        }
    }
}

/// Products dominate everything else.
const SCALAR: Costs = Costs {
    bytes: 16,
    listed: Blocks {
        once: 15000,
        sums: 0,
        list: 8000,
        block: 0,
        product: 12000,
        far: 0,
        deep: 0,
    },
    all: Blocks {
        once: 15000,
        sums: 0,
        list: 0,
        block: 0,
        product: 12000,
        far: 0,
        deep: 0,
    },
    whole: Whole {
        once: 15000,
        pass: 15000,
        vector: 0,
        product: 12000,
        far: 0,
        deep: 0,
    },
    inputs: Inputs {
        once: 15000,
        sums: 0,
        list: 8000,
        block: 4000,
        columns: 90000,
        far: 0,
        deep: 0,
    },
    pairs: Inputs {
        once: 15000,
        sums: 0,
        list: 8000,
        block: 4000,
        columns: 37500,
        far: 0,
        deep: 0,
    },
};

/// 128 bits, measured with SSE4.1.
const NARROW: Costs = Costs {
    bytes: 16,
    listed: Blocks {
        once: 8686,
        sums: 507,
        list: 610,
        block: 0,
        product: 475,
        far: 4,
        deep: 502,
    },
    all: Blocks {
        once: 5016,
        sums: 1278,
        list: 0,
        block: 2,
        product: 288,
        far: 0,
        deep: 331,
    },
    whole: Whole {
        once: 8410,
        pass: 2387,
        vector: 294,
        product: 177,
        far: 0,
        deep: 0,
    },
    inputs: Inputs {
        once: 23764,
        sums: 144,
        list: 732,
        block: 2024,
        columns: 3404,
        far: 0,
        deep: 68,
    },
    pairs: Inputs {
        once: 26266,
        sums: 161,
        list: 881,
        block: 3198,
        columns: 808,
        far: 0,
        deep: 727,
    },
};

const AVX2: Costs = Costs {
    bytes: 32,
    listed: Blocks {
        once: 11536,
        sums: 728,
        list: 678,
        block: 0,
        product: 420,
        far: 66,
        deep: 373,
    },
    all: Blocks {
        once: 13240,
        sums: 0,
        list: 0,
        block: 53,
        product: 286,
        far: 24,
        deep: 195,
    },
    whole: Whole {
        once: 11645,
        pass: 2603,
        vector: 146,
        product: 237,
        far: 50,
        deep: 203,
    },
    inputs: Inputs {
        once: 34776,
        sums: 193,
        list: 457,
        block: 2344,
        columns: 2136,
        far: 163,
        deep: 744,
    },
    pairs: Inputs {
        once: 27028,
        sums: 315,
        list: 689,
        block: 3360,
        columns: 734,
        far: 79,
        deep: 855,
    },
};

/// The constants of AVX2, with one-instruction products.
const AVX_VNNI: Costs = Costs {
    bytes: 32,
    listed: Blocks {
        once: 11536,
        sums: 728,
        list: 678,
        block: 0,
        product: 321,
        far: 66,
        deep: 373,
    },
    all: Blocks {
        once: 13240,
        sums: 0,
        list: 0,
        block: 53,
        product: 216,
        far: 24,
        deep: 195,
    },
    whole: Whole {
        once: 11645,
        pass: 2603,
        vector: 146,
        product: 175,
        far: 50,
        deep: 203,
    },
    inputs: Inputs {
        once: 34776,
        sums: 193,
        list: 457,
        block: 2344,
        columns: 1860,
        far: 163,
        deep: 744,
    },
    pairs: Inputs {
        once: 27028,
        sums: 315,
        list: 689,
        block: 3360,
        columns: 734,
        far: 79,
        deep: 855,
    },
};

const AVX512: Costs = Costs {
    bytes: 64,
    listed: Blocks {
        once: 13527,
        sums: 1391,
        list: 957,
        block: 201,
        product: 454,
        far: 165,
        deep: 105,
    },
    all: Blocks {
        once: 11210,
        sums: 0,
        list: 0,
        block: 113,
        product: 445,
        far: 190,
        deep: 28,
    },
    whole: Whole {
        once: 7760,
        pass: 5985,
        vector: 144,
        product: 414,
        far: 222,
        deep: 41,
    },
    inputs: Inputs {
        once: 24677,
        sums: 1326,
        list: 2044,
        block: 2448,
        columns: 3470,
        far: 87,
        deep: 219,
    },
    pairs: Inputs {
        once: 24761,
        sums: 1857,
        list: 597,
        block: 2556,
        columns: 1417,
        far: 16,
        deep: 296,
    },
};

const AVX512_VNNI: Costs = Costs {
    bytes: 64,
    listed: Blocks {
        once: 10572,
        sums: 509,
        list: 1457,
        block: 290,
        product: 440,
        far: 108,
        deep: 124,
    },
    all: Blocks {
        once: 16304,
        sums: 0,
        list: 0,
        block: 103,
        product: 375,
        far: 141,
        deep: 122,
    },
    whole: Whole {
        once: 7692,
        pass: 3800,
        vector: 719,
        product: 385,
        far: 97,
        deep: 157,
    },
    inputs: Inputs {
        once: 37247,
        sums: 326,
        list: 958,
        block: 3001,
        columns: 1455,
        far: 222,
        deep: 334,
    },
    pairs: Inputs {
        once: 28346,
        sums: 781,
        list: 1132,
        block: 2984,
        columns: 1008,
        far: 48,
        deep: 126,
    },
};
