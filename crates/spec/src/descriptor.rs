//! The descriptor of a network: `const`, borrowed, without dependencies.
//!
//! A descriptor has everything about a declared network except the weights: features, accumulator, layers,
//! the steps of the forward pass, the tensors in file order and the constants of the file. Loaders, writers,
//! proofs, tools and the reference interpreter work from it; the macro emits it as `MyNet::SPEC`.
//!
//! ```text
//!   features ──► accumulator (one or two perspectives) ──► steps over u8 buffers and i32 sums ──► output terms
//!
//!   StepDesc::ActivateAccumulator   accumulators ──► buffer     (u8, side to move first)
//!   StepDesc::Affine                segments of buffers ──► sums of a layer (i32)
//!   StepDesc::ActivateSums          sums of a layer ──► buffer  (u8)
//!   StepDesc::Pool, ::Reduce        values of buffers ──► buffer
//!   StepDesc::Map                   sums and values of buffers ──► buffer    (i32 or f32, by an expression)
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

mod accumulator;
mod feature;
mod file;
mod float;
mod head;
mod output;
mod shards;
mod step;
mod value;

pub use accumulator::{AccumulatorDesc, DEFAULT_NONZERO, PerspectiveOrder};
pub use feature::{FeatureDesc, FeatureSetId};
pub use file::{ContainerDesc, Encoding, GoldenDesc, TensorDesc, TensorRole};
pub use float::Unit;
pub use head::{HeadDesc, HeadGoldenDesc, HeadKind, HeadSource};
pub use output::{OutputDesc, OutputTerm, Ratio};
pub use shards::Shards;
pub use step::StepDesc;
pub use value::{RawOutput, ValueDesc, psqt_difference};

pub use crate::custom_set::CustomSet;
pub use crate::elementwise::{MapDesc, MapOperand, MapSource, Scalar};
pub use crate::file::{
    Axes, Axis, BLOCK_HEAD, BLOCK_MAGIC, FileOrder, HELD, Padding, Part, Placed, RawDesc, RowRange,
    Section, Sizes, Span, Stored,
};
pub use crate::king_buckets::KingBuckets;
pub use crate::op::{Activation, Pool, Reduce};
pub use crate::piece_planes::{Half, KINDS, PiecePlanes, PlaneSquare};
use crate::rows::{RowGroup, RowRule, RowsShape};
pub use crate::threats::ThreatPairs;

/// Element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// 8-bit signed
    I8,
    /// 16-bit signed
    I16,
    /// 32-bit signed
    I32,
    /// 32-bit binary floating point
    F32,
}

impl ElementType {
    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
        }
    }

    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::F32 => "f32",
        }
    }

    /// Smallest and greatest value; for floats, the range of `i64`.
    pub const fn range(self) -> (i64, i64) {
        match self {
            Self::I8 => (i8::MIN as i64, i8::MAX as i64),
            Self::I16 => (i16::MIN as i64, i16::MAX as i64),
            Self::I32 => (i32::MIN as i64, i32::MAX as i64),
            Self::F32 => (i64::MIN, i64::MAX),
        }
    }
}

/// The rule that selects the layer stack and the PSQT output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// there is only one
    Single,
    /// `(piece_count - minus) / divide`
    PieceCount {
        /// subtracted first
        minus: usize,
        /// then divided by this, rounding down
        divide: usize,
    },
    /// by the number of pieces, kings included
    Table([u8; 33]),
    /// by the active rows of a network over `rows`
    Rows(RowRule),
    /// a function of the program chooses
    Custom,
}

/// The layer stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackDesc {
    /// how many
    pub count: usize,
    /// which one is used
    pub selector: Selector,
}

impl StackDesc {
    /// The stack for a position with `pieces` pieces, kings included. Always below `count`; 0 for rules that
    /// do not count pieces.
    pub const fn select(&self, pieces: usize) -> usize {
        let raw = match self.selector {
            Selector::Single | Selector::Rows(_) | Selector::Custom => 0,
            Selector::PieceCount { minus, divide } => pieces.saturating_sub(minus) / divide,
            Selector::Table(table) => table[if pieces < 32 { pieces } else { 32 }] as usize,
        };
        self.existing(raw)
    }

    /// The stack for a position whose side to move has these active rows. Always below `count`; 0 for rules that
    /// do not depend on rows.
    #[inline]
    pub fn select_by_rows(&self, active: &[u32]) -> usize {
        match self.selector {
            Selector::Rows(rule) => self.existing(rule.select(active)),
            _ => 0,
        }
    }

    const fn existing(&self, stack: usize) -> usize {
        if stack < self.count {
            stack
        } else {
            self.count - 1
        }
    }
}

impl Selector {
    /// Whether the number of pieces alone chooses the stack.
    pub const fn is_by_pieces(self) -> bool {
        match self {
            Self::Single | Self::PieceCount { .. } | Self::Table(_) => true,
            Self::Rows(_) | Self::Custom => false,
        }
    }
}

/// Source of the values in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// the accumulators of one or both perspectives, in their [`PerspectiveOrder`]
    Accumulator,
    /// the sums of the layer with this index
    Layer(usize),
    /// the sums of the layer with this index, as 32-bit floats
    Float(usize),
    /// the accumulators, as 16-bit values
    Words,
    /// the accumulators, as 32-bit floats
    FloatAccumulator,
    /// values of other buffers, as bytes
    Pool,
    /// values of other buffers, or the results of an elementwise expression, as 32-bit floats
    FloatPool,
    /// signs, as bits
    Signs(SignOf),
    /// the results of an elementwise expression, as 32-bit integers
    Integers,
}

/// The operand of a sign: `x > 0` gives 1, everything else -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOf {
    /// the accumulators, in their [`PerspectiveOrder`]
    Accumulator,
    /// the sums of the layer with this index
    Layer(usize),
    /// the bytes of the buffer with this index
    Buffer(usize),
}

impl Source {
    /// Whether the buffer holds values of accumulators, not only their signs.
    pub const fn is_accumulator(self) -> bool {
        matches!(
            self,
            Self::Accumulator | Self::Words | Self::FloatAccumulator
        )
    }

    /// Whether the buffer holds floats.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Float(_) | Self::FloatAccumulator | Self::FloatPool
        )
    }
}

/// A buffer of activations: u8, or i16, f32 or bits, depending on its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferDesc<'a> {
    /// the name in the declaration, or a synthesised one
    pub name: &'a str,
    /// values
    pub len: usize,
    /// greatest possible value; 1 for floats and signs
    pub max: i32,
    /// source of the values
    pub source: Source,
}

/// A run of values of a buffer that a layer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// index into [`NetDesc::buffers`]
    pub buffer: usize,
    /// first value
    pub start: usize,
    /// number of values
    pub len: usize,
}

/// The kernel that computes a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerKind {
    /// reads activated accumulators and skips blocks of four zero inputs among them; reads other buffers in
    /// full
    Sparse,
    /// reads small buffers, all blocks
    Dense,
    /// reads buffers input by input, skips zeros, and adds to at most `reached` blocks of 16 outputs per
    /// input; all other weights of an input are zero, which is checked on loading
    BlockSparse {
        /// greatest number of blocks per input
        reached: usize,
    },
    /// one output: a dot product per segment
    Row,
    /// outputs on demand: a dot product for each row that the caller lists; reads 16-bit values as
    /// [`Self::Words`] does
    Rows,
    /// reads one whole buffer of 16-bit values, weights of 8 or 16 bits: `clamp_i32(sum + bias)`, the sum
    /// exact
    Words,
    /// one output that reads the accumulators without a buffer, 16-bit weights: `clamp_i32(sum / d + bias)`;
    /// the sum is 64-bit, the division truncates, `d` is the accumulator's scale for products of
    /// accumulators, else 1
    Direct,
    /// inputs and weights are 1 or -1: `y[o] = bias[o] + scale[o] * sum over k of weight[o][k] * x[k]`. In
    /// the file, weight k is bit `k % 8` of byte `k / 8` of the row, set for 1; bits after the last input are
    /// ignored.
    Binary,
    /// reads 32-bit integers, or bytes of layers; weights of 8, 16 or 32 bits: `bias + sum of products` modulo
    /// 2^32
    Integer,
    /// f32 weights, inputs and sums. Products are rounded before the addition, or `fused` into one rounding.
    /// Without partial sums, additions go from the bias through the inputs in order. With `partial` sums (a
    /// power of two), input k is added to sum `k % partial`, each starting at zero; then the upper half is
    /// added to the lower half until one is left, and the bias is added last.
    Float {
        /// partial sums, or 0
        partial: usize,
        /// products and additions are fused
        fused: bool,
    },
}

/// A dense layer: `y[o] = bias[o] + sum over k of weight[o][k] * x[k]`, x being the concatenated segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerDesc<'a> {
    /// `fc0`, `fc1`, ... in file order
    pub name: &'a str,
    /// the segments it reads, in the order of the weight columns; empty if it reads the accumulators
    pub segments: &'a [Segment],
    /// number of inputs: the sum of the segment lengths, or the accumulator values of all perspectives
    pub inputs: usize,
    /// columns of a weight row in the file: `inputs`, which the Stockfish container rounds up to a multiple
    /// of 32; for a binary layer, bytes
    pub file_inputs: usize,
    /// rows
    pub outputs: usize,
    /// the kernel
    pub kind: LayerKind,
    /// scale: the weight of 1.0 (64: activations of its sums shift by 6)
    pub scale: i32,
    /// which inputs reach which outputs; `None`: all of them, or what [`kind`](Self::kind) says
    pub shards: Option<Shards>,
}

impl LayerDesc<'_> {
    /// The columns of output `output` whose weights are not used, because it does not read these inputs.
    pub fn unread(&self, output: usize) -> impl Iterator<Item = usize> + use<> {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let unread = move |shards: Shards| shards.unread(inputs, outputs, output);
        self.shards.into_iter().flat_map(unread).flatten()
    }
}

/// Everything about a network except its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetDesc<'a> {
    /// name of the declared type
    pub name: &'a str,
    /// the network as a chain in the usual notation, for display
    pub notation: &'a str,
    /// the feature sets; all feed the same accumulators
    pub features: &'a [FeatureDesc],
    /// the accumulators
    pub accumulator: AccumulatorDesc,
    /// the layer stacks
    pub stacks: StackDesc,
    /// the buffers of activations
    pub buffers: &'a [BufferDesc<'a>],
    /// the layers in file order
    pub layers: &'a [LayerDesc<'a>],
    /// the elementwise expressions
    pub maps: &'a [MapDesc<'a>],
    /// the forward pass
    pub steps: &'a [StepDesc],
    /// the positional output
    pub output: OutputDesc<'a>,
    /// the named outputs
    pub heads: &'a [HeadDesc<'a>],
    /// the value
    pub value: ValueDesc,
    /// the tensors in file order; for layers, those of one stack
    pub tensors: &'a [TensorDesc<'a>],
    /// constants of the Stockfish container; their hashes also identify the shapes of networks in other
    /// formats
    pub container: ContainerDesc,
    /// a header-less file; `None`: the Stockfish container
    pub raw: Option<RawDesc<'a>>,
    /// values that every load checks
    pub goldens: &'a [GoldenDesc<'a>],
    /// golden numbers of named outputs, which every load checks
    pub head_goldens: &'a [HeadGoldenDesc<'a>],
    /// code of the program that the network uses
    pub custom: CustomDesc<'a>,
}

/// Code of the program that a network uses, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomDesc<'a> {
    /// the feature set: the last segment of its path; empty if there is none
    pub set: &'a str,
    /// the paths of the activations, indexed by [`Activation::Custom`]
    pub activations: &'a [&'a str],
    /// the named parts of [listed](CustomSet::listed) rows; empty if they have no names
    pub groups: &'a [RowGroup<'a>],
}

impl CustomDesc<'_> {
    /// No code of the program.
    pub const NONE: Self = Self {
        set: "",
        activations: &[],
        groups: &[],
    };
}

impl<'a> NetDesc<'a> {
    /// The name of an activation as written in a declaration, or the path of a function of the program.
    pub const fn activation_name(&self, activation: Activation) -> &'a str {
        match (activation.operation(), activation) {
            (Some(operation), _) => operation.name,
            (None, Activation::Custom(index)) if index < self.custom.activations.len() => {
                self.custom.activations[index]
            }
            (None, _) => "",
        }
    }

    /// An activation of the accumulators in the graph form: `pairwise(acc)`, `max_halves(crelu(acc))`.
    pub fn activated_accumulator(&self, activation: Activation) -> String {
        let name = self.activation_name(activation);
        if activation.reads_activated() {
            format!("{name}(crelu(acc))")
        } else {
            format!("{name}(acc)")
        }
    }

    /// The name of a feature set as written in a declaration.
    pub const fn set_name(&self, set: FeatureSetId) -> &'a str {
        if set.is_custom() {
            self.custom.set
        } else {
            set.name()
        }
    }

    /// The divisor (truncating) that brings a sum of weighted [whole](crate::op::Operation::whole) values to
    /// the accumulator's scale: products of two accumulators carry that scale twice.
    ///
    /// # Panics
    ///
    /// If the activation is not defined for 16-bit weights.
    pub fn surplus_scale(&self, activation: Activation) -> i64 {
        let whole = activation.operation().and_then(|operation| operation.whole);
        let whole = whole.unwrap_or_else(|| {
            panic!(
                "no 16-bit weights read `{}`",
                self.activation_name(activation)
            )
        });
        (whole.unit)(self.accumulator.one as u64, 0).den as i64 / i64::from(self.accumulator.one)
    }

    /// The activation and shift that make a u8 or i16 buffer, if a step does.
    pub fn activation_of(&self, buffer: usize) -> Option<(Activation, u32)> {
        self.steps.iter().find_map(|step| match *step {
            StepDesc::ActivateAccumulator {
                activation,
                shift,
                buffer: made,
            }
            | StepDesc::ActivateSums {
                activation,
                shift,
                buffer: made,
                ..
            } if made == buffer => Some((activation, shift)),
            _ => None,
        })
    }

    /// The pool that makes a buffer, and its operands, if there is one.
    pub fn pool_of(&self, buffer: usize) -> Option<(Pool, [Segment; 2])> {
        self.steps.iter().find_map(|step| match *step {
            StepDesc::Pool {
                pool,
                operands,
                buffer: made,
                ..
            } if made == buffer => Some((pool, operands)),
            _ => None,
        })
    }

    /// The operand of the reduction that makes a buffer, if there is one.
    pub fn reduced(&self, buffer: usize) -> Option<Segment> {
        self.steps.iter().find_map(|step| match *step {
            StepDesc::Reduce {
                operand,
                buffer: made,
                ..
            } if made == buffer => Some(operand),
            _ => None,
        })
    }

    /// The source of a buffer, followed through pools and reductions (first operand).
    ///
    /// # Panics
    ///
    /// If there is no such buffer.
    pub fn origin(&self, buffer: usize) -> Source {
        let read = self
            .pool_of(buffer)
            .map(|(_, [first, _])| first)
            .or_else(|| self.reduced(buffer));
        read.map_or(self.buffers[buffer].source, |read| self.origin(read.buffer))
    }

    /// [`origin`](Self::origin) of all buffers, in one pass.
    ///
    /// # Panics
    ///
    /// If a step refers to a buffer that does not exist.
    pub fn origins(&self) -> Vec<Source> {
        let mut origins: Vec<Source> = self.buffers.iter().map(|buffer| buffer.source).collect();
        for step in self.steps {
            if let StepDesc::Pool {
                operands: [read, _],
                buffer,
                ..
            }
            | StepDesc::Reduce {
                operand: read,
                buffer,
                ..
            } = *step
            {
                origins[buffer] = origins[read.buffer];
            }
        }
        origins
    }

    /// The unit of the values in a u8 or i16 buffer; 1/127 if a function of the program makes them.
    ///
    /// # Panics
    ///
    /// If the activation that makes the buffer is not defined for its operand.
    pub fn unit_of(&self, buffer: usize) -> Unit {
        let bytes = Unit {
            num: 1,
            den: crate::op::BUFFER_MAX,
        };
        if let Some((pool, [first, _])) = self.pool_of(buffer) {
            return (pool.definition().unit)(self.unit_of(first.buffer));
        }
        if let Some(read) = self.reduced(buffer) {
            return self.unit_of(read.buffer);
        }
        if let Some(map) = self.map_of(buffer) {
            return map.unit;
        }
        let Some((activation, shift)) = self.activation_of(buffer) else {
            return bytes;
        };
        let Some(operation) = activation.operation() else {
            return bytes;
        };
        let formula = match self.buffers[buffer].source {
            Source::Words => operation.words(),
            source if source.is_accumulator() => operation.accumulators,
            _ => operation.sums,
        };
        let formula =
            formula.unwrap_or_else(|| panic!("`{}` does not make buffer {buffer}", operation.name));
        (formula.unit)(self.accumulator.one as u64, shift)
    }

    /// Least and greatest value of an integer buffer.
    ///
    /// # Panics
    ///
    /// If there is no such buffer.
    pub fn range_of(&self, buffer: usize) -> (i32, i32) {
        let map = self.map_of(buffer);
        map.map_or((0, self.buffers[buffer].max), |map| map.range)
    }

    /// The expression that makes a buffer, if one does.
    pub fn map_of(&self, buffer: usize) -> Option<&MapDesc<'a>> {
        self.steps.iter().find_map(|step| match *step {
            StepDesc::Map { map, buffer: made } if made == buffer => Some(&self.maps[map]),
            _ => None,
        })
    }

    /// Whether an operand of an expression has floats; otherwise it has integers.
    ///
    /// # Panics
    ///
    /// If there is no such layer or buffer.
    pub fn reads_floats(&self, source: MapSource) -> bool {
        match source {
            MapSource::Accumulator => false,
            MapSource::Layer(layer) => self.has_float_sums(layer),
            MapSource::Buffer(buffer) => self.buffers[buffer].source.is_float(),
        }
    }

    /// Whether the sums of layer `layer` are floats, or become floats with their bias.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn has_float_sums(&self, layer: usize) -> bool {
        let becomes_floats =
            |step: &StepDesc| matches!(*step, StepDesc::FloatSums { layer: of, .. } if of == layer);
        matches!(self.layers[layer].kind, LayerKind::Float { .. })
            || self.steps.iter().any(becomes_floats)
    }

    /// Whether layer `layer` reads 16-bit values.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn reads_words(&self, layer: usize) -> bool {
        self.layers[layer]
            .segments
            .iter()
            .any(|segment| self.buffers[segment.buffer].source == Source::Words)
    }

    /// The type of the weights of layer `layer`; for a binary layer, of the bytes that hold them.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn weights_of(&self, layer: usize) -> ElementType {
        let weight = self
            .tensors
            .iter()
            .find(|tensor| tensor.role == TensorRole::LayerWeight(layer));
        weight.map_or(ElementType::I8, |weight| weight.element)
    }

    /// The path of the first activation that is a function of the program. Only the program can evaluate such
    /// a network.
    pub const fn custom_activation(&self) -> Option<&'a str> {
        self.custom.activations.first().copied()
    }

    /// Whether the network uses functions of the program, as an activation or as the stack selector.
    pub const fn has_custom_functions(&self) -> bool {
        matches!(self.stacks.selector, Selector::Custom) || self.custom_activation().is_some()
    }

    /// Whether the feature set belongs to the program, with its own position type.
    pub fn has_custom_set(&self) -> bool {
        let custom = self.features.iter().any(|feature| feature.set.is_custom());
        custom && !self.has_listed_rows()
    }

    /// Whether positions are lists of rows that the caller gives.
    pub fn has_listed_rows(&self) -> bool {
        self.features.iter().any(|feature| feature.set.is_listed())
    }

    /// The sizes of the network's positions if the caller lists their rows: `rows[4096, active 64]`.
    pub fn rows_shape(&self) -> Option<RowsShape<'a>> {
        let set = match self.features.first()?.set {
            FeatureSetId::Custom(set) if set.is_listed() => set,
            _ => return None,
        };
        let accumulator = self.accumulator;
        let reads_both = accumulator.perspectives == 2 || accumulator.psqt > 0;
        Some(RowsShape {
            rows: set.rows,
            most_active: set.most_active,
            lists: if reads_both { 2 } else { 1 },
            groups: self.custom.groups,
        })
    }

    /// Whether positions are boards of chess.
    pub fn is_of_chess(&self) -> bool {
        !self.features.iter().any(|feature| feature.set.is_custom())
    }

    /// Whether the declaration has golden values or golden numbers of outputs.
    pub const fn has_goldens(&self) -> bool {
        !self.goldens.is_empty() || !self.head_goldens.is_empty()
    }

    /// Whether the network uses a feature set or functions of the program. Only the program evaluates it
    /// then, so only the program compares its golden values.
    pub fn has_custom_code(&self) -> bool {
        self.has_custom_set() || self.has_custom_functions()
    }
}
