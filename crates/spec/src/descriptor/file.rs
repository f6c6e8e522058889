//! Tensors and containers: the contents of a file of the network.

use super::ElementType;

/// How the tensors of the feature transformer are encoded in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// little-endian array
    Raw,
    /// one block of signed LEB128 numbers after the magic `COMPRESSED_LEB128` per tensor; tensors of bytes
    /// are arrays
    Leb128,
    /// like [`Self::Leb128`], but the PSQT weights of all sets share a block (SFNNv10 of December 2025, v11
    /// to v14)
    Leb128JointPsqt,
    /// the weights of all sets, bytes included, in one block, and their PSQT weights in another (first
    /// SFNNv10)
    Leb128Joint,
}

impl Encoding {
    /// True if the weights of all sets precede the PSQT weights of all; otherwise each set's PSQT weights
    /// follow its weights.
    pub const fn is_joint(self) -> bool {
        matches!(self, Self::Leb128JointPsqt | Self::Leb128Joint)
    }
}

/// Constants of the Stockfish container; see `docs/files.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainerDesc {
    /// first word
    pub version: u32,
    /// hash of the feature transformer
    pub transformer_hash: u32,
    /// hash of a layer stack
    pub stack_hash: u32,
    /// the default encoding for writing; a reader accepts both
    pub encoding: Encoding,
}

impl ContainerDesc {
    /// The hash in the header.
    pub const fn network_hash(&self) -> u32 {
        self.transformer_hash ^ self.stack_hash
    }
}

/// The role of a tensor in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorRole {
    /// bias of the accumulator: `[width]`
    TransformerBias,
    /// weights of the first feature set: `[rows][width]`
    TransformerWeight,
    /// PSQT weights of the first feature set: `[rows][psqt]`, or as floats `[rows][psqt_floats]`
    TransformerPsqt,
    /// weights of feature set 1, 2, ...: `[rows][width]`
    ExtraWeight(usize),
    /// PSQT weights of feature set 1, 2, ...
    ExtraPsqt(usize),
    /// bias of the second perspective with separate weights: `[width]`
    SecondBias,
    /// weights of the first feature set for the second perspective: `[rows][width]`
    SecondWeight,
    /// weights of feature set 1, 2, ... for the second perspective: `[rows][width]`
    SecondExtraWeight(usize),
    /// bias of a layer, per stack: `[outputs]`
    LayerBias(usize),
    /// weights of a layer, per stack: `[outputs][file_inputs]`, padded from column `inputs` on; for a binary
    /// layer, eight signs per byte
    LayerWeight(usize),
    /// scales of the outputs of a binary layer, per stack: `[outputs]`
    LayerScale(usize),
}

/// A tensor. Each layer stack has one copy of a tensor with `copies > 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorDesc<'a> {
    /// `ft_bias`, `ft_weight`, `ft_psqt`, `fc0_bias`, `fc0_weight`, ...
    pub name: &'a str,
    /// its role
    pub role: TensorRole,
    /// element type
    pub element: ElementType,
    /// rows
    pub rows: usize,
    /// columns as stored, including padding
    pub cols: usize,
    /// number of layer stacks for a tensor of a layer, otherwise 1
    pub copies: usize,
}

impl TensorRole {
    /// The weights of feature set `index`.
    pub const fn weight_of(index: usize) -> Self {
        if index == 0 {
            Self::TransformerWeight
        } else {
            Self::ExtraWeight(index)
        }
    }

    /// The weights of feature set `index` for the second perspective, if it has weights of its own.
    pub const fn second_weight_of(index: usize) -> Self {
        if index == 0 {
            Self::SecondWeight
        } else {
            Self::SecondExtraWeight(index)
        }
    }

    /// The PSQT weights of feature set `index`.
    pub const fn psqt_of(index: usize) -> Self {
        if index == 0 {
            Self::TransformerPsqt
        } else {
            Self::ExtraPsqt(index)
        }
    }

    /// Whether the tensor belongs to the layer stacks.
    pub const fn is_of_layer(self) -> bool {
        matches!(
            self,
            Self::LayerBias(_) | Self::LayerWeight(_) | Self::LayerScale(_)
        )
    }
}

impl TensorDesc<'_> {
    /// Number of elements in all copies.
    pub const fn len(&self) -> usize {
        self.rows * self.cols * self.copies
    }

    /// Whether there are no elements (never, for a checked network).
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoldenDesc<'a> {
    /// the position as written: a FEN, or in other games its text or the path of the function that returns it
    pub fen: &'a str,
    /// the value of the network there
    pub value: i32,
}
