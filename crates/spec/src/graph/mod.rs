//! A checked network as a graph of typed operations, the input of everything after the checks.
//!
//! Only [`check`](crate::check::check) makes a graph. It guarantees that every number is in range, every
//! operand exists, and every operation is defined for its operands.
//!
//! ```text
//!   Accumulator ──► Activate ──► Affine ──► Activate ──► Affine ──► terms of the output
//!       i16         u8, i16        i32         u8          i32
//!                   or exact                or f32       or f32      (ToFloats makes f32 of i32 in between)
//!                                           Pool: two of them each
//! ```
//!
//! Names, slices and concatenations are gone: a layer reads [`Run`]s of other nodes' values. An activation
//! applies to all sums of a layer even if only a slice is read, and the same activation of the same operand
//! is one node.

mod file;
mod raw;

use alloc::string::String;
use alloc::vec::Vec;

use crate::decimal::Decimal;
use crate::descriptor::*;
use crate::loc::Located;
use crate::model::WeightsPath;
pub(crate) use file::{container, tensors};
pub use raw::default_place;
pub(crate) use raw::{lower as lower_raw, sums_unit};

/// A checked network.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// name of the declared type
    pub name: String,
    /// the feature sets; all feed the same accumulators
    pub features: Vec<FeatureDesc>,
    /// the accumulators
    pub accumulator: AccumulatorDesc,
    /// the layer stacks
    pub stacks: StackDesc,
    /// the operations, each after its operands; the first is [`Op::Accumulator`]
    pub nodes: Vec<Node>,
    /// the terms of the output
    pub terms: Vec<Term>,
    /// factor of their sum
    pub ratio: Option<Ratio>,
    /// the named outputs
    pub heads: Vec<Head>,
    /// the value
    pub value: ValueDesc,
    /// the parameters in file order
    pub tensors: Vec<Tensor>,
    /// the Stockfish container
    pub container: ContainerDesc,
    /// a header-less file
    pub raw: Option<Raw>,
    /// values that every load checks
    pub goldens: Vec<Golden>,
    /// golden numbers of named outputs
    pub head_goldens: Vec<HeadGolden>,
    /// a file to read at compile time and to embed
    pub weights: Option<Located<WeightsPath>>,
    /// code of the program that the network uses
    pub custom: Custom,
}

/// Code of the program that the network uses, with owned names; see [`CustomDesc`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Custom {
    /// the feature set: the last segment of its path; empty if there is none
    pub set: String,
    /// the paths of the activations, indexed by [`Activation::Custom`]
    pub activations: Vec<String>,
    /// the named parts of listed rows: name and number of rows
    pub groups: Vec<(String, u32)>,
}

/// An operation and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// `fc0`, `fc1`, ... for layers; for activations and pools the declared or a generated name. Unique,
    /// except that [`Op::ToFloats`] has the name of its layer.
    pub name: String,
    /// the operation
    pub op: Op,
    /// number of values
    pub len: usize,
    /// type of a value
    pub element: Element,
    /// conversion of a value to a real number
    pub unit: Unit,
    /// least and greatest value; `None` for floats
    pub range: Option<(i64, i64)>,
}

/// Type of the values of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// bytes from 0 to 127
    U8,
    /// accumulators
    I16,
    /// sums of layers, and results of elementwise expressions
    I32,
    /// activated accumulators from 0 to 32767
    Words,
    /// activated accumulators as exact integers, which 16-bit layers read without a buffer
    Whole,
    /// 32-bit floats
    F32,
    /// 1 or -1, read by binary layers
    Sign,
}

/// An operation. Operands are indices into [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// the accumulators of all perspectives that layers read
    Accumulator,
    /// an activation of all values of a node
    Activate {
        /// the function
        function: Activation,
        /// right shift; 0 for none
        shift: u32,
        /// the accumulators, or a layer
        operand: usize,
    },
    /// the signs of all values of a node: 1 where `x > 0`, otherwise -1
    Sign {
        /// the accumulators, an integer layer, or an activation of one
        operand: usize,
    },
    /// a layer
    Affine(Affine),
    /// pairs of values: result j is made of value `start + stride * j` of each run
    Pool {
        /// the function
        pool: Pool,
        /// the first and the second operands, one of each per result
        operands: [Run; 2],
        /// distance between the operands of successive results
        stride: usize,
    },
    /// one value per run of `size` values of a layer
    Reduce {
        /// the reduction
        reduce: Reduce,
        /// the values
        operand: Run,
        /// values per run
        size: usize,
    },
    /// an elementwise expression
    Map(Map),
    /// the integer sums of a layer to floats: `f32(sum) * unit + bias`
    ToFloats {
        /// the layer
        operand: usize,
        /// product and addition are fused
        fused: bool,
    },
}

/// An elementwise expression; see [`MapDesc`]. Its operands are sums and values of layers, all of the length of
/// the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// the operands
    pub operands: Vec<Run>,
    /// the expression
    pub code: Vec<Scalar>,
    /// type of its values: `i32` or `f32`
    pub element: ElementType,
}

/// A layer: `y[o] = bias[o] + sum over k of weight[o][k] * x[k]`, x being the concatenated runs. In a binary
/// layer, the sum is multiplied by the output's scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// the runs it reads, in the order of the weight columns
    pub operands: Vec<Run>,
    /// type of its weights
    pub weights: ElementType,
    /// scale of the weights: the weight of 1.0
    pub scale: i32,
    /// inputs and weights are signs, and every output has a scale
    pub binary: bool,
    /// the outputs that its inputs reach
    pub reach: Reach,
    /// columns of a weight row in the file: the inputs, which the Stockfish container rounds up to a multiple
    /// of 32; for signs, bytes
    pub columns: usize,
    /// number of partial float sums, or 0
    pub partial: usize,
    /// float products and additions are fused
    pub fused: bool,
    /// outputs are computed on demand, as the caller lists them
    pub on_demand: bool,
    /// the bias is an integer, also where others are floats
    pub integer_bias: bool,
}

/// The outputs that the inputs of a layer reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// all
    All,
    /// those of at most as many blocks, which the weights choose: the layer is block-sparse
    Blocks(usize),
    /// inputs before the shards all, those of a shard the outputs of its group
    Shards(Shards),
}

impl Reach {
    /// Blocks of outputs that an input reaches, of a block-sparse layer.
    pub const fn blocks(self) -> Option<usize> {
        match self {
            Self::Blocks(reached) => Some(reached),
            _ => None,
        }
    }

    /// The shards, if there are any.
    pub const fn shards(self) -> Option<Shards> {
        match self {
            Self::Shards(shards) => Some(shards),
            _ => None,
        }
    }
}

/// A run of values of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// index into [`Graph::nodes`]
    pub node: usize,
    /// first value
    pub start: usize,
    /// number of values
    pub len: usize,
}

/// A term of the output: a neuron, negated or scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// the layer, as an index into [`Graph::nodes`]
    pub node: usize,
    /// index of the neuron among its outputs
    pub neuron: usize,
    /// subtract instead of add
    pub negative: bool,
    /// factor of this term
    pub ratio: Option<Ratio>,
}

/// A named output; see [`HeadDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// the name in the declaration
    pub name: String,
    /// kind of its numbers
    pub kind: HeadKind,
    /// its values: sums of a layer, or activated sums
    pub run: Run,
    /// conversion of the values to floats
    pub unit: Unit,
}

/// A position and the expected numbers of an output there, owned; see [`HeadGoldenDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadGolden {
    /// the position
    pub fen: String,
    /// the output, as an index into [`Graph::heads`]
    pub head: usize,
    /// the rows
    pub rows: Vec<usize>,
    /// the numbers
    pub numbers: Vec<Decimal>,
}

impl HeadGolden {
    /// The borrowed form.
    pub(crate) fn descriptor(&self) -> HeadGoldenDesc<'_> {
        HeadGoldenDesc {
            fen: &self.fen,
            head: self.head,
            rows: &self.rows,
            numbers: &self.numbers,
        }
    }
}

/// A position and its value, with an owned text; see [`GoldenDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    /// the position
    pub fen: String,
    /// the value
    pub value: i32,
}

/// A header-less file, with owned parts; see [`RawDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw {
    /// the parts of the file in order
    pub sections: Vec<Section<Vec<u8>>>,
    /// what may follow the last tensor
    pub padding: Padding,
    /// the axes of each tensor
    pub axes: Vec<Vec<Part>>,
    /// tensors with another element type or scale in the file
    pub stored: Vec<Stored>,
    /// the inputs of two perspectives alternate
    pub interleaved: bool,
    /// the rows of the enemy's pieces come first
    pub enemy_first: bool,
    /// numbers are LEB128
    pub leb128: bool,
}

/// A tensor, with an owned name; see [`TensorDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// `ft_bias`, ..., `fc0_bias`, `fc0_weight`, ...
    pub name: String,
    /// its role
    pub role: TensorRole,
    /// element type
    pub element: ElementType,
    /// rows
    pub rows: usize,
    /// columns as stored
    pub cols: usize,
    /// 1, or the number of stacks
    pub copies: usize,
}

impl Affine {
    /// Whether it reads 16-bit values.
    pub(crate) fn reads_words(&self, nodes: &[Node]) -> bool {
        self.operands
            .iter()
            .any(|run| nodes[run.node].element == Element::Words)
    }

    /// Whether it reads 32-bit integers, or has weights of 32 bits.
    pub(crate) fn is_integer(&self, nodes: &[Node]) -> bool {
        let reads_integers = |run: &Run| nodes[run.node].element == Element::I32;
        self.weights == ElementType::I32 || self.operands.iter().any(reads_integers)
    }

    /// Whether it reads the accumulators without a buffer, with 16-bit weights.
    pub(crate) fn is_direct(&self, nodes: &[Node]) -> bool {
        self.weights == ElementType::I16 && !self.reads_words(nodes) && !self.is_integer(nodes)
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.operands.iter().map(|run| run.len).sum()
    }
}

impl Node {
    /// The layer, if the node is one.
    pub fn layer(&self) -> Option<&Affine> {
        match &self.op {
            Op::Affine(layer) => Some(layer),
            Op::Accumulator
            | Op::Activate { .. }
            | Op::Pool { .. }
            | Op::Reduce { .. }
            | Op::Map(_)
            | Op::Sign { .. }
            | Op::ToFloats { .. } => None,
        }
    }
}

impl Graph {
    /// The layers in file order.
    pub fn layers(&self) -> impl Iterator<Item = (&Node, &Affine)> + Clone {
        layers(&self.nodes)
    }

    /// Whether a run consists of activated accumulators, of pools of them, or of expressions over them.
    pub fn reads_accumulator(&self, run: &Run) -> bool {
        match &self.nodes[run.node].op {
            Op::Activate { operand, .. } => *operand == 0,
            Op::Pool {
                operands: [run, _], ..
            }
            | Op::Reduce { operand: run, .. } => self.reads_accumulator(run),
            Op::Map(map) => map.operands.iter().any(|run| run.node == 0),
            Op::Accumulator | Op::Affine(_) | Op::Sign { .. } | Op::ToFloats { .. } => false,
        }
    }

    /// Whether a run consists of signs of accumulators.
    pub fn reads_signs_of_accumulator(&self, run: &Run) -> bool {
        matches!(self.nodes[run.node].op, Op::Sign { operand: 0 })
    }
}

pub(crate) fn layers(nodes: &[Node]) -> impl Iterator<Item = (&Node, &Affine)> + Clone {
    nodes.iter().filter_map(|node| Some((node, node.layer()?)))
}
