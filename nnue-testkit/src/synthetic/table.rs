//! The generations: shapes, file constants, ranges of the weights.

/// Range of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// smallest value
    pub lo: i32,
    /// greatest value
    pub hi: i32,
    /// one value in 256 is multiplied by this
    pub mult: i32,
}

impl Range {
    /// Values from `lo` to `hi`, one in 256 times `mult`.
    pub const fn new(lo: i32, hi: i32, mult: i32) -> Self {
        Self { lo, hi, mult }
    }

    /// The value that a random number stands for.
    pub const fn pick(self, random: u64) -> i32 {
        let span = (self.hi - self.lo + 1) as u64;
        let value = self.lo + (((random >> 32) * span) >> 32) as i32;
        if random & 0xFF == 0 { value * self.mult } else { value }
    }
}

/// A dense layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerShape {
    /// inputs, without padding
    pub inputs: usize,
    /// outputs, the forward neuron included
    pub outputs: usize,
    /// range of the bias
    pub bias: Range,
    /// range of the weights
    pub weight: Range,
}

/// A generation of networks.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// `v1`, ..., `v9s`
    pub name: &'static str,
    /// its number in the streams
    pub code: u64,
    /// first word of the file
    pub version: u32,
    /// start constant of the hash of its feature set
    pub feature_hash: u32,
    /// rows of the feature transformer
    pub rows: usize,
    /// neurons per perspective
    pub width: usize,
    /// the three layers
    pub layers: [LayerShape; 3],
    /// layer stacks
    pub stacks: usize,
    /// range of the PSQT weights, if there are any
    pub psqt: Option<Range>,
    /// the transformer's tensors are LEB128 blocks
    pub leb128: bool,
    /// range of the transformer's bias
    pub transformer_bias: Range,
    /// range of the transformer's weights
    pub transformer_weight: Range,
}

const HALF_KP: u32 = 0x5D69_D5B8;
const HALF_KA: u32 = 0x5F23_4CB8;
const HALF_KA_HM: u32 = 0x7F23_4CB8;
const PSQT: Option<Range> = Some(Range::new(-2000, 2000, 20));

const fn layers(inputs: [usize; 2], outputs: usize, weight: i32) -> [LayerShape; 3] {
    let fc0 = LayerShape {
        inputs: inputs[0],
        outputs,
        bias: Range::new(-2000, 2000, 1),
        weight: Range::new(-weight, weight, 1),
    };
    let fc1 =
        LayerShape { inputs: inputs[1], outputs: 32, bias: Range::new(-1500, 1500, 1), weight: Range::new(-32, 32, 1) };
    let fc2 = LayerShape { inputs: 32, outputs: 1, bias: Range::new(-3000, 3000, 1), weight: Range::new(-90, 90, 1) };
    [fc0, fc1, fc2]
}

/// Networks without a product: both halves of the pair go through a clipped ReLU.
const fn plain(name: &'static str, code: u64, width: usize, layers: [LayerShape; 3]) -> Generation {
    Generation {
        name,
        code,
        version: 0x7AF3_2F20,
        feature_hash: HALF_KA_HM,
        rows: 22528,
        width,
        layers,
        stacks: 8,
        psqt: PSQT,
        leb128: false,
        transformer_bias: Range::new(-150, 10, 2),
        transformer_weight: Range::new(-24, 24, 4),
    }
}

/// Networks with the pairwise product and a forward neuron; `weight` bounds the weights of fc0.
const fn pairwise(name: &'static str, code: u64, width: usize, weight: i32, leb128: bool) -> Generation {
    Generation {
        transformer_bias: Range::new(-70, 50, 3),
        leb128,
        ..plain(name, code, width, layers([width, 30], 16, weight))
    }
}

/// The generations whose networks can be made here.
pub const GENERATIONS: [Generation; 12] = [
    Generation {
        version: 0x7AF3_2F16,
        feature_hash: HALF_KP,
        rows: 41024,
        stacks: 1,
        psqt: None,
        ..plain("v1", 10, 256, layers([512, 32], 32, 22))
    },
    Generation { feature_hash: HALF_KA, rows: 45056, ..plain("v2", 20, 512, layers([1024, 16], 16, 16)) },
    plain("v3", 30, 1024, layers([2048, 8], 8, 11)),
    Generation { layers: layers([1024, 15], 16, 14), ..pairwise("v4", 40, 1024, 14, false) },
    pairwise("v5", 50, 1024, 14, false),
    pairwise("v6", 60, 1536, 12, false),
    pairwise("v6leb", 60, 1536, 12, true),
    pairwise("v7", 70, 2048, 10, true),
    pairwise("v8", 80, 2560, 9, true),
    pairwise("v9", 90, 3072, 8, true),
    pairwise("v9s", 95, 128, 32, true),
    Generation {
        transformer_bias: Range::new(-140, 100, 3),
        transformer_weight: Range::new(-48, 48, 4),
        ..pairwise("v14s", 145, 128, 32, true)
    },
];
