//! What comes out of a network: terms, their factors, and the value that they give.

/// A rational factor: `trunc(x * num / den)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// numerator
    pub num: i64,
    /// denominator, greater than zero
    pub den: i64,
    /// true: the product is taken in 64 bits; false: in 32 bits, wrapping
    pub wide: bool,
}

/// One term of the output: a neuron, negated or scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputTerm {
    /// index of the layer
    pub layer: usize,
    /// index of the neuron among its outputs
    pub neuron: usize,
    /// subtract instead of add
    pub negative: bool,
    /// factor of this term
    pub ratio: Option<Ratio>,
}

/// The positional output: the terms added in i32 (wrapping), then scaled; or added in f32, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputDesc<'a> {
    /// the terms, the last layer first
    pub terms: &'a [OutputTerm],
    /// factor of the whole sum
    pub ratio: Option<Ratio>,
}

/// How the PSQT part and the positional part give the value. Divisions truncate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDesc {
    /// `(psqt + positional) / divide`
    Together {
        /// raw units per unit of value
        divide: i32,
    },
    /// `psqt / divide + positional / divide`
    Separately {
        /// raw units per unit of value
        divide: i32,
    },
    /// `clamp_i32(positional * num / den)`, the product in 64 bits; such networks have no PSQT part
    Scaled {
        /// numerator: the scale of values, 400 where the trainer's examples are followed
        num: i64,
        /// denominator: what 1.0 is in units of the output
        den: i64,
    },
    /// `trunc(output * scale as f32)`, held to the range of i32, of an output in 32-bit floats; it is the positional part as well
    Float {
        /// value of an output of 1.0
        scale: i32,
    },
    /// the same of `1 / (1 + exp(-output))`
    Sigmoid {
        /// value of certainty
        scale: i32,
    },
    /// the same of `win + draw / 2`, the softmax of three outputs: loss, draw, win
    Wdl {
        /// value of a certain win
        scale: i32,
    },
}

impl ValueDesc {
    /// Whether it is made of an output in 32-bit floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float { .. } | Self::Sigmoid { .. } | Self::Wdl { .. })
    }

    /// The value of a position for one side, from that for the other: its negative; of an expected score, what is left of a
    /// certain win.
    ///
    /// ```
    /// use nnue_spec::ValueDesc;
    /// assert_eq!(ValueDesc::Together { divide: 16 }.of_other_side(53), -53);
    /// assert_eq!(ValueDesc::Wdl { scale: 1000 }.of_other_side(600), 400);
    /// ```
    pub const fn of_other_side(self, value: i32) -> i32 {
        match self {
            Self::Sigmoid { scale } | Self::Wdl { scale } => scale.saturating_sub(value),
            Self::Together { .. } | Self::Separately { .. } | Self::Scaled { .. } | Self::Float { .. } => {
                value.saturating_neg()
            }
        }
    }
}
