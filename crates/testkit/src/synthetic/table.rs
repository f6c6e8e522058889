//! The generations: shapes, file constants, weight ranges.

/// Range of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// smallest value
    pub lo: i32,
    /// greatest value
    pub hi: i32,
    /// factor of one value in 256
    pub mult: i32,
}

impl Range {
    /// Values from `lo` to `hi`; one in 256 is multiplied by `mult`.
    pub const fn new(lo: i32, hi: i32, mult: i32) -> Self {
        Self { lo, hi, mult }
    }

    /// Maps a random number to a value.
    pub const fn pick(self, random: u64) -> i32 {
        let span = (self.hi - self.lo + 1) as u64;
        let value = self.lo + (((random >> 32) * span) >> 32) as i32;
        if random & 0xFF == 0 {
            value * self.mult
        } else {
            value
        }
    }
}

/// A dense layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerShape {
    /// inputs, without padding
    pub inputs: usize,
    /// outputs, including the forward neuron
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
    /// its code in the random streams
    pub code: u64,
    /// first word of the file
    pub version: u32,
    /// initial value of the feature set's hash
    pub feature_hash: u32,
    /// rows of the feature transformer
    pub rows: usize,
    /// neurons per perspective
    pub width: usize,
    /// the three layers
    pub layers: [LayerShape; 3],
    /// number of layer stacks
    pub stacks: usize,
    /// range of the PSQT weights, if there are any
    pub psqt: Option<Range>,
    /// order and encoding of the transformer's tensors
    pub layout: Layout,
    /// range of the transformer's bias
    pub transformer_bias: Range,
    /// range of the transformer's weights
    pub transformer_weight: Range,
    /// rows of threat features, 0 for none
    pub threats: usize,
    /// rows of pawn pairs, 0 for none
    pub pawn_pairs: usize,
}

/// Order and encoding of the feature transformer's tensors. `leb(a b)` is one block of LEB128 numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// bias, weight, psqt as arrays
    Raw,
    /// `leb(bias) leb(weight) leb(psqt)`
    Leb128,
    /// `leb(bias) leb(threat weight, weight) leb(threat psqt, psqt)`
    Joint,
    /// `leb(bias)`, threat weight as bytes, `leb(weight) leb(threat psqt, psqt)`
    JointPsqt,
    /// `leb(bias)`, threat weight as bytes, `leb(threat psqt)`, the same for pawn pairs,
    /// `leb(weight) leb(psqt)`
    Separate,
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
    let fc1 = LayerShape {
        inputs: inputs[1],
        outputs: 32,
        bias: Range::new(-1500, 1500, 1),
        weight: Range::new(-32, 32, 1),
    };
    let fc2 = LayerShape {
        inputs: 32,
        outputs: 1,
        bias: Range::new(-3000, 3000, 1),
        weight: Range::new(-90, 90, 1),
    };
    [fc0, fc1, fc2]
}

/// Networks without pairwise products: the accumulators go through a clipped ReLU.
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
        layout: Layout::Raw,
        transformer_bias: Range::new(-150, 10, 2),
        transformer_weight: Range::new(-24, 24, 4),
        threats: 0,
        pawn_pairs: 0,
    }
}

/// Networks with the pairwise product and a forward neuron; `weight` bounds the weights of fc0.
const fn pairwise(
    name: &'static str,
    code: u64,
    width: usize,
    weight: i32,
    layout: Layout,
) -> Generation {
    Generation {
        transformer_bias: Range::new(-70, 50, 3),
        layout,
        ..plain(name, code, width, layers([width, 30], 16, weight))
    }
}

/// The published hash of the feature sets of SFNNv14 and v15, and of later files of SFNNv13.
const THREATS_AND_HALF_KA_HM: u32 = 0x6165_D5C9;
const THREATS: u32 = 0x8F23_4CB8;
const ALL_THREE: u32 = 0xCB68_5B13;

/// Range of the weights of threats and pawn pairs.
pub(super) const EXTRA_WEIGHT: Range = Range::new(-15, 15, 8);
/// Range of their PSQT weights.
pub(super) const EXTRA_PSQT: Range = Range::new(-300, 300, 40);

/// Networks with threats, scale 255 and 15 or 31 neurons besides the forward neuron.
const fn threats(
    name: &'static str,
    code: u64,
    rows: usize,
    outputs: usize,
    layout: Layout,
) -> Generation {
    let mut layers = layers([1024, 2 * outputs - 2], outputs, 16);
    if outputs == 32 {
        layers[1].weight = Range::new(-24, 24, 1);
    }
    Generation {
        feature_hash: THREATS,
        threats: rows,
        layers,
        layout,
        transformer_bias: Range::new(-120, 100, 3),
        transformer_weight: Range::new(-36, 36, 4),
        ..plain(name, code, 1024, layers)
    }
}

/// Networks whose first weights have scale 128; `columns` are the inputs of fc1 and fc2.
const fn finer(name: &'static str, code: u64, rows: usize, columns: [usize; 2]) -> Generation {
    let threats = threats(name, code, rows, 32, Layout::Separate);
    let mut layers = threats.layers;
    layers[0].bias = Range::new(-4000, 4000, 1);
    layers[0].weight = Range::new(-30, 30, 1);
    layers[1].inputs = columns[0];
    layers[2].inputs = columns[1];
    if columns[1] == 128 {
        layers[2].weight = Range::new(-60, 60, 1);
    }
    Generation {
        version: 0x6A44_8AFA,
        feature_hash: THREATS_AND_HALF_KA_HM,
        layers,
        ..threats
    }
}

/// The available generations.
pub const GENERATIONS: [Generation; 22] = [
    Generation {
        version: 0x7AF3_2F16,
        feature_hash: HALF_KP,
        rows: 41024,
        stacks: 1,
        psqt: None,
        ..plain("v1", 10, 256, layers([512, 32], 32, 22))
    },
    Generation {
        feature_hash: HALF_KA,
        rows: 45056,
        ..plain("v2", 20, 512, layers([1024, 16], 16, 16))
    },
    plain("v3", 30, 1024, layers([2048, 8], 8, 11)),
    Generation {
        layers: layers([1024, 15], 16, 14),
        ..pairwise("v4", 40, 1024, 14, Layout::Raw)
    },
    pairwise("v5", 50, 1024, 14, Layout::Raw),
    pairwise("v6", 60, 1536, 12, Layout::Raw),
    pairwise("v6leb", 60, 1536, 12, Layout::Leb128),
    pairwise("v7", 70, 2048, 10, Layout::Leb128),
    pairwise("v8", 80, 2560, 9, Layout::Leb128),
    pairwise("v9", 90, 3072, 8, Layout::Leb128),
    pairwise("v9s", 95, 128, 32, Layout::Leb128),
    Generation {
        transformer_bias: Range::new(-140, 100, 3),
        transformer_weight: Range::new(-48, 48, 4),
        ..pairwise("v14s", 145, 128, 32, Layout::Leb128)
    },
    threats("v10", 100, 79856, 16, Layout::Joint),
    threats("v10i8", 100, 79856, 16, Layout::JointPsqt),
    threats("v11", 110, 66864, 16, Layout::JointPsqt),
    threats("v12", 120, 60144, 16, Layout::JointPsqt),
    threats("v13", 130, 60144, 32, Layout::JointPsqt),
    Generation {
        feature_hash: THREATS_AND_HALF_KA_HM,
        ..threats("v13h", 130, 60144, 32, Layout::JointPsqt)
    },
    Generation {
        feature_hash: THREATS_AND_HALF_KA_HM,
        ..threats("v14", 140, 60720, 32, Layout::JointPsqt)
    },
    finer("v14.1", 141, 60720, [62, 32]),
    finer("v15", 150, 60720, [64, 128]),
    Generation {
        feature_hash: ALL_THREE,
        pawn_pairs: 4560,
        ..finer("v16", 160, 59808, [64, 128])
    },
];
