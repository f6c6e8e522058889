//! The typed model of a declaration, as written; every part has its source location.
//!
//! The model does not depend on any back end: a chain and the graph that it abbreviates give the same model.
//! Numbers are `u64` as written; [`crate::check`] checks their ranges.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub use crate::arithmetic::Arithmetic;
use crate::decimal::Decimal;
use crate::descriptor::{
    Axis, ElementType, Encoding, FeatureSetId, HeadKind, Padding, Part, PerspectiveOrder, Unit,
};
use crate::diagnostic::Code;
use crate::loc::{Loc, Located};
pub use crate::op::{Activation, Pairs, Pool, Reduce};
use crate::rows::RowMeasure;

/// A declared network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetSpec {
    /// name of the declared type
    pub name: Located<String>,
    /// feature sets that feed the accumulator, at least one
    pub inputs: Vec<InputSpec>,
    /// the accumulator
    pub accumulator: AccumulatorSpec,
    /// the layer stacks
    pub stacks: StackSpec,
    /// named values in order, first those outside the stacks, then those inside
    pub bindings: Vec<Binding>,
    /// the positional output
    pub output: OutputSpec,
    /// the named outputs, in order
    pub heads: Vec<HeadSpec>,
    /// `floats fused`: float products and additions are fused (one rounding)
    pub fused: bool,
    /// how the value is computed; `None`: `(psqt + positional) / 16`
    pub value: Option<ValueSpec>,
    /// the file
    pub format: FormatSpec,
    /// `golden "FEN" = value`, `golden self::position = value`
    pub goldens: Vec<GoldenSpec>,
    /// `weights "path"`: a file to read at compile time and to embed
    pub weights: Option<Located<WeightsPath>>,
}

/// The path of embedded weights: its parts, concatenated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsPath(pub Vec<PathPart>);

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// `"nets/mine.nnue"`
    Text(String),
    /// `env!("EVALFILE")`: an environment variable at compile time
    Variable(Located<String>),
}

impl NetSpec {
    /// Whether an output is computed on demand, row by row. Such a network may have no value.
    pub fn has_rows(&self) -> bool {
        self.heads
            .iter()
            .any(|head| head.kind.value == HeadKind::Rows)
    }

    /// The scales of the accumulators and the layers, in declaration order, whether written or default.
    pub fn scales_mut(&mut self) -> Vec<&mut Located<u64>> {
        let mut scales = alloc::vec![&mut self.accumulator.one];
        let bound = self.bindings.iter_mut().map(|binding| &mut binding.value);
        let terms = self.output.terms.iter_mut().map(|term| &mut term.value);
        let heads = self.heads.iter_mut().map(|head| &mut head.value);
        bound
            .chain(terms)
            .chain(heads)
            .for_each(|value| value.collect_scales(&mut scales));
        scales
    }

    /// Whether a layer has float weights.
    pub fn has_floats(&self) -> bool {
        self.has_layers_of(ElementType::F32)
    }

    /// Whether a layer has weights of this type.
    pub fn has_layers_of(&self, element: ElementType) -> bool {
        let bound = self.bindings.iter().map(|binding| &binding.value);
        let terms = self.output.terms.iter().map(|term| &term.value);
        bound
            .chain(terms)
            .chain(self.heads.iter().map(|head| &head.value))
            .any(|value| value.has_layers_of(element))
    }
}

/// A feature set of the accumulator.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSpec {
    /// which set
    pub set: Located<FeatureSetId>,
    /// last path segment of a feature set of the program, or `rows`; `None` for sets of chess
    pub name: Option<String>,
    /// `features: 4096, history: 1024`: the named parts of listed rows
    pub groups: Vec<(String, u32)>,
    /// `[22528]`: the number of rows that the author asserts; `None` for `[..]`
    pub rows: Option<Located<u64>>,
    /// element type of the weights
    pub element: Located<ElementType>,
}

impl InputSpec {
    /// The name of the set as written.
    pub fn name(&self) -> &str {
        self.name
            .as_deref()
            .unwrap_or_else(|| self.set.value.name())
    }
}

/// `accumulate(inputs, 1024 @ 127) x 2, psqt 8`
#[derive(Clone, Debug, PartialEq)]
pub struct AccumulatorSpec {
    /// the name it is bound to (`acc` where a chain leaves it unnamed)
    pub name: Located<String>,
    /// neurons per perspective
    pub width: Located<u64>,
    /// 1 or 2
    pub perspectives: Located<u64>,
    /// scale: the accumulator value of 1.0
    pub one: Located<u64>,
    /// PSQT outputs
    pub psqt: Option<Located<u64>>,
    /// float PSQT outputs: `psqt 3: f32`
    pub psqt_floats: Option<Located<u64>>,
    /// `white_first`: order of the perspectives; `None`: side to move first
    pub order: Option<Located<PerspectiveOrder>>,
    /// `separate`: each perspective has its own weights
    pub separate: Option<Loc>,
    /// `nonzero 5%`
    pub nonzero: Option<Located<u64>>,
}

/// `stacks 8 by (piece_count - 1) / 4`
#[derive(Clone, Debug, PartialEq)]
pub struct StackSpec {
    /// how many
    pub count: Located<u64>,
    /// the selector; `None`: not written
    pub by: Option<Located<SelectorSpec>>,
    /// the group of rows that the selector names
    pub group: Option<Located<String>>,
}

/// The selection of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorSpec {
    /// `(piece_count - minus) / divide`
    PieceCount {
        /// subtracted first
        minus: u64,
        /// then divided by
        divide: u64,
    },
    /// `material_count`: bullet's rule, `(piece_count - 2) / ceil(32 / count)`, which may leave stacks unused
    MaterialCount,
    /// a table or another formula: the stack for 0 to 32 pieces, `None` where the formula has no valid result
    Table([Option<u16>; 33]),
    /// by the active rows of the group that [`StackSpec::group`] names, or of all
    Rows(RowMeasure),
    /// a function of the program
    Custom,
}

/// `let name = value;`
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// the name
    pub name: Located<String>,
    /// its value
    pub value: Expr,
}

/// An activation function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// an activation of the language
    Known(Activation),
    /// a function of the program
    Custom(CustomFunction),
}

/// `self::my_activation max 100`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomFunction {
    /// its path, as written
    pub path: String,
    /// the greatest value read from it; `None`: the greatest input of layers with 8-bit weights
    pub max: Option<Located<u64>>,
}

impl CustomFunction {
    /// The last segment of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }
}

impl Function {
    /// The pool it stands for, and how its operands pair up.
    pub fn pool(&self) -> Option<(Pool, Pairs)> {
        match self {
            Self::Known(activation) => activation.pool(),
            Self::Custom(_) => None,
        }
    }

    /// [`Activation::reads_activated`].
    pub fn reads_activated(&self) -> bool {
        matches!(self, Self::Known(activation) if activation.reads_activated())
    }

    /// Whether it multiplies one half of its operand by a function of the other half (a gate).
    pub fn is_gate(&self) -> bool {
        self.values(2) == 1 && self.pool().is_none()
    }

    /// Number of results for `n` operands.
    pub fn values(&self, n: u64) -> u64 {
        match self {
            Self::Known(activation) => activation.values(n as usize) as u64,
            Self::Custom(_) => n,
        }
    }

    /// The name, or the path, as written in a declaration.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(activation) => activation
                .operation()
                .map_or("", |operation| operation.name),
            Self::Custom(function) => &function.path,
        }
    }
}

/// Which outputs the inputs of a layer reach: `blocks 4 of 16`, `shards 2 of 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachSpec {
    /// what the numbers count
    pub kind: ReachKind,
    /// blocks that an input reaches; shards
    pub count: Located<u64>,
    /// outputs of a block; inputs of a shard
    pub size: Located<u64>,
    /// the whole clause
    pub loc: Loc,
}

/// What decides which outputs an input reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachKind {
    /// the weights: each input has weights for some blocks of outputs only
    Blocks,
    /// its place: the last inputs are [`Shards`](crate::Shards)
    Shards,
}

impl ReachKind {
    /// The word of the language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Shards => "shards",
        }
    }

    /// The code of its errors.
    pub const fn code(self) -> Code {
        match self {
            Self::Blocks => Code::BlockSparse,
            Self::Shards => Code::Shards,
        }
    }
}

/// A value of the graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// a name bound before (or the accumulator)
    Name(Located<String>),
    /// `affine(input, outputs)`
    Affine {
        /// its operand
        input: Box<Expr>,
        /// number of outputs
        outputs: Located<u64>,
        /// element type of the weights
        element: Located<ElementType>,
        /// scale of the weights: the weight of 1.0 (default 64)
        scale: Located<u64>,
        /// `sums 16`: partial sums of floats
        sums: Option<Located<u64>>,
        /// `bias i32`: an integer bias, for a layer of integers whose sums do not become floats by themselves
        bias: Option<Located<ElementType>>,
        /// `unit 1/16256`: the factor that makes floats of the sums; `None`: derived from the scales
        unit: Option<Located<Unit>>,
        /// the word `binary`: signs as inputs and weights
        binary: Option<Loc>,
        /// `blocks 4 of 16`: which outputs the inputs reach; `None`: all
        reach: Option<ReachSpec>,
        /// the word `affine`
        loc: Loc,
    },
    /// `crelu(input)`, `pairwise(acc) >> 9`
    Activate {
        /// the function
        function: Located<Function>,
        /// `as i16`: results are 16-bit
        input: Box<Expr>,
        /// an explicit shift; `None`: derived from the scales
        shift: Option<Located<u64>>,
        /// `as i16`: results are kept in 16 bits
        words: Option<Loc>,
    },
    /// `max(a, b)`: combines values of equal index
    Pool {
        /// the function
        pool: Located<Pool>,
        /// the values
        operands: Box<[Self; 2]>,
    },
    /// `mean(input)`, `max_neighbours(input, 4)`
    Reduce {
        /// the function
        reduce: Located<Reduce>,
        /// the values
        input: Box<Self>,
        /// values per result; `None`: all of them
        size: Option<Located<u64>>,
        /// a written shift, which is an error: it belongs to the activation
        shift: Option<Located<u64>>,
    },
    /// `concat(a, b)`
    Concat {
        /// the parts in order
        parts: Vec<Expr>,
        /// the word `concat`
        loc: Loc,
    },
    /// a constant integer in arithmetic
    Number(Located<i64>),
    /// a constant float in arithmetic
    Float(Located<f32>),
    /// `a + b`, `clamp(x, 0, 64)`: arithmetic, value by value
    Arithmetic {
        /// the operator or function
        operation: Located<Arithmetic>,
        /// its operands, as many as it takes
        operands: Vec<Expr>,
    },
    /// `h[start..end]`
    Slice {
        /// the sliced value
        input: Box<Expr>,
        /// first index; `None`: 0
        start: Option<Located<u64>>,
        /// one past the last; `None`: the length
        end: Option<Located<u64>>,
        /// the brackets
        loc: Loc,
    },
}

impl Expr {
    /// Appends the scales of the layers in the expression.
    fn collect_scales<'s>(&'s mut self, scales: &mut Vec<&'s mut Located<u64>>) {
        match self {
            Self::Name(_) => {}
            Self::Affine { input, scale, .. } => {
                input.collect_scales(scales);
                scales.push(scale);
            }
            Self::Activate { input, .. }
            | Self::Reduce { input, .. }
            | Self::Slice { input, .. } => {
                input.collect_scales(scales);
            }
            Self::Pool { operands, .. } => operands
                .iter_mut()
                .for_each(|operand| operand.collect_scales(scales)),
            Self::Number(_) | Self::Float(_) => {}
            Self::Concat { parts, .. }
            | Self::Arithmetic {
                operands: parts, ..
            } => parts
                .iter_mut()
                .for_each(|part| part.collect_scales(scales)),
        }
    }

    /// Whether a layer in the expression has weights of this type.
    pub fn has_layers_of(&self, wanted: ElementType) -> bool {
        match self {
            Self::Name(_) => false,
            Self::Affine { input, element, .. } => {
                element.value == wanted || input.has_layers_of(wanted)
            }
            Self::Activate { input, .. }
            | Self::Reduce { input, .. }
            | Self::Slice { input, .. } => input.has_layers_of(wanted),
            Self::Pool { operands, .. } => {
                operands.iter().any(|operand| operand.has_layers_of(wanted))
            }
            Self::Number(_) | Self::Float(_) => false,
            Self::Concat { parts, .. }
            | Self::Arithmetic {
                operands: parts, ..
            } => parts.iter().any(|part| part.has_layers_of(wanted)),
        }
    }

    /// The location to underline when the whole expression is wrong.
    pub fn loc(&self) -> Loc {
        match self {
            Self::Name(name) => name.loc,
            Self::Affine { loc, .. } | Self::Concat { loc, .. } => *loc,
            Self::Reduce { reduce, .. } => reduce.loc,
            Self::Slice { input, .. } => input.loc(),
            Self::Activate { function, .. } => function.loc,
            Self::Pool { pool, .. } => pool.loc,
            Self::Number(number) => number.loc,
            Self::Float(number) => number.loc,
            Self::Arithmetic { operation, .. } => operation.loc,
        }
    }
}

/// `affine(a, 1) + h1[15] * 9600 / 8128`, or `(affine(a, 1) + h1[30] - h1[31]) * 9600 / 16384`
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSpec {
    /// the terms in order
    pub terms: Vec<TermSpec>,
    /// factor of the whole sum
    pub ratio: Option<RatioSpec>,
    /// the word `output`, or the last width of a chain
    pub loc: Loc,
}

/// One term of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct TermSpec {
    /// subtracted
    pub negative: bool,
    /// a layer with one output, or a slice of length one
    pub value: Expr,
    /// factor of this term
    pub ratio: Option<RatioSpec>,
}

/// `output moves_left = relu(affine(a, 1)) * 100`, `output wdl = wdl(affine(a, 3))`
#[derive(Clone, Debug, PartialEq)]
pub struct HeadSpec {
    /// its name
    pub name: Located<String>,
    /// kind of its numbers, located at the word `wdl` or at the name
    pub kind: Located<HeadKind>,
    /// sums of a layer, or activated sums
    pub value: Expr,
    /// factor of the numbers
    pub ratio: Option<RatioSpec>,
}

/// `* 9600 / 8128`; with `as i64` before it the product is 64-bit, otherwise it wraps in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatioSpec {
    /// numerator
    pub num: Located<u64>,
    /// denominator
    pub den: Located<u64>,
    /// 64-bit product
    pub wide: bool,
}

/// `value (psqt + positional) / 16`, `value psqt / 16 + positional / 16` or `value output * 400`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSpec {
    /// which of them
    pub form: ValueForm,
    /// divisor of integer outputs, factor of float outputs; number of bits of [`ValueForm::Shifted`]
    pub number: Located<u64>,
    /// the denominator of `output * 192.5`, which is 385 / 2; 1 for whole numbers
    pub den: u64,
    /// the divisor of `output * 400 / 16777216`; `None`: derived from the scales
    pub over: Option<Located<u64>>,
}

/// The forms of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// `(psqt + positional) / n`
    Together,
    /// `psqt / n + positional / n`
    Separately,
    /// `output * n`
    Output,
    /// `output >> n`
    Shifted,
    /// `sigmoid(output) * n`
    Sigmoid,
    /// `wdl * n`
    Wdl,
}

/// `golden "FEN" = value`, `golden self::position = value`, `golden "FEN" wdl = [..]`,
/// `golden "FEN" policy[5, 7] = [..]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenSpec {
    /// how the position is written
    pub form: GoldenForm,
    /// the position: the text, or the path of the function
    pub fen: Located<String>,
    /// the expected value or numbers
    pub says: GoldenSays,
}

/// The expected result at a golden position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoldenSays {
    /// the value
    Value(Located<i64>),
    /// the numbers of a named output
    Output {
        /// the name
        name: Located<String>,
        /// the rows in brackets; empty without brackets
        rows: Vec<Located<u64>>,
        /// the numbers
        numbers: Located<Vec<Decimal>>,
    },
}

/// How a golden position is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenForm {
    /// as a text: a FEN in chess, otherwise the format that the game's position type parses
    Text,
    /// as the path of a function of the program
    Function,
}

/// `format raw { .. }`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSpec {
    /// bytes before the first tensor; `None`: none
    pub skip: Option<Located<u64>>,
    /// padding after the last tensor; `None`: [`Padding::Any`]
    pub padding: Option<Located<Padding>>,
    /// the parts of the file in order; `None`: the tensors, feature transformer first, then each layer, weights
    /// before biases
    pub order: Option<Located<Vec<Located<SectionSpec>>>>,
    /// whether the inputs of two perspectives alternate; `None`: they do not
    pub interleaved: Option<Located<bool>>,
    /// whether the rows of the enemy's pieces come before those of the own; `None`: they do not
    pub enemy_first: Option<Located<bool>>,
    /// whether numbers are LEB128; `None`: they are not
    pub leb128: Option<Located<bool>>,
    /// clauses about single tensors
    pub tensors: Vec<RawTensorSpec>,
}

impl RawSpec {
    /// Whether the numbers of a tensor are LEB128, with the whole file or in a block.
    pub fn is_leb128(&self, tensor: &str) -> bool {
        self.leb128.is_some_and(|leb128| leb128.value)
            || self.is_in(tensor, |group| matches!(group, SectionSpec::Block(_)))
    }

    /// Whether a tensor stands once for each stack.
    pub fn is_in_stacks(&self, tensor: &str) -> bool {
        self.is_in(tensor, |group| matches!(group, SectionSpec::Stacks(_)))
    }

    /// Whether a tensor stands in a group of this kind.
    fn is_in(&self, tensor: &str, kind: fn(&SectionSpec) -> bool) -> bool {
        let order = self.order.iter().flat_map(|order| &order.value);
        let mut inside = order
            .filter(|section| kind(&section.value))
            .flat_map(|group| group.value.inner());
        inside.any(|section| section.value.tensor() == Some(tensor))
    }

    /// What is said about a tensor.
    pub fn tensor(&self, name: &str) -> Option<&RawTensorSpec> {
        self.tensors.iter().find(|said| said.name.value == name)
    }
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionSpec {
    /// `ft_weight`
    Tensor(String),
    /// `ft_weight[6144..] as i8`
    Rows(RowsSpec),
    /// `text`
    Text,
    /// `skip 64`
    Skip(Located<u64>),
    /// `align 64`
    Align(Located<u64>),
    /// `"CBNF"`, `1u16`
    Constant(Vec<u8>),
    /// `stacks [fc0_weight, fc0_bias]`: once for each stack; not nested
    Stacks(Vec<Located<SectionSpec>>),
    /// `leb128 [ft_bias]`: a block of LEB128 numbers; not nested
    Block(Vec<Located<SectionSpec>>),
}

/// Some rows of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsSpec {
    /// the tensor
    pub tensor: String,
    /// the first row; `None`: that of the tensor
    pub from: Option<Located<u64>>,
    /// the row after the last; `None`: up to the end of the tensor
    pub to: Option<Located<u64>>,
    /// type of the numbers in the file; `None`: that of the tensor
    pub element: Option<Located<ElementType>>,
}

impl RowsSpec {
    /// The rows of a tensor of `rows` rows; those that it does not have are left out.
    pub fn range(&self, rows: usize) -> Range<usize> {
        let end = self.to.map_or(rows, |to| rows.min(to.value as usize));
        let start = self.from.map_or(0, |from| from.value as usize);
        start.min(end)..end
    }
}

impl SectionSpec {
    /// The sections of each stack, or of a block.
    pub fn inner(&self) -> &[Located<Self>] {
        match self {
            Self::Stacks(sections) | Self::Block(sections) => sections,
            _ => &[],
        }
    }

    /// All sections of an order, those of a group after it.
    pub fn flat(order: &[Located<Self>]) -> impl Iterator<Item = &Located<Self>> {
        order
            .iter()
            .flat_map(|section| core::iter::once(section).chain(section.value.inner()))
    }

    /// The tensor that stands here, whole or in part.
    pub fn tensor(&self) -> Option<&str> {
        match self {
            Self::Tensor(name) => Some(name),
            Self::Rows(rows) => Some(&rows.tensor),
            _ => None,
        }
    }
}

/// `fc0_weight: i16 [input][stack]`, `fc0_bias: i8 @ 128`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTensorSpec {
    /// its name
    pub name: Located<String>,
    /// the type of its elements in the file; `None`: that of the kernel
    pub element: Option<Located<ElementType>>,
    /// the scale of its numbers; `None`: derived from the scales of the network
    pub scale: Option<Located<u64>>,
    /// `<< 8`: its numbers are shifted left when they are read
    pub shift: Option<Located<u64>>,
    /// its axes, outermost first; `None`: the order in memory. Axes of length 1 may be missing.
    pub axes: Option<Located<Vec<Located<PartSpec>>>>,
    /// `* 127 / 255`: numbers of the file are multiplied and divided, toward zero
    pub ratio: Option<Located<[u64; 2]>>,
}

impl RawTensorSpec {
    /// `[input to 32]`: of what number each row of weights takes a multiple.
    pub fn padded(&self) -> Option<Located<u64>> {
        let axes = self.axes.as_ref()?;
        axes.value.iter().find_map(|part| part.value.to)
    }
}

/// An axis or a part of one: `input / 4`, `63 - input % 64`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSpec {
    /// the axis
    pub axis: Axis,
    /// `63 -`: the last element of the part comes first
    pub from: Option<Located<u64>>,
    /// `/ 4`
    pub over: Option<Located<u64>>,
    /// `% 64`
    pub modulo: Option<Located<u64>>,
    /// `to 32`: zeros follow up to a multiple of this
    pub to: Option<Located<u64>>,
}

impl PartSpec {
    /// A whole axis.
    pub const fn whole(axis: Axis) -> Self {
        Self {
            axis,
            from: None,
            over: None,
            modulo: None,
            to: None,
        }
    }

    /// The part; the check of the axes compares the number before `-` with its length.
    pub fn part(&self) -> Part {
        let number = |number: Option<Located<u64>>| {
            number.map(|number| usize::try_from(number.value).unwrap_or(usize::MAX))
        };
        Part {
            axis: self.axis,
            over: number(self.over).unwrap_or(1),
            modulo: number(self.modulo),
            reversed: self.from.is_some(),
        }
    }
}

/// `format stockfish { version: 0x7AF32F20, encoding: leb128 }` or `format raw { .. }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// a header-less file; `None`: the Stockfish container
    pub raw: Option<RawSpec>,
    /// first word of the file; `None`: 0x7AF32F20
    pub version: Option<Located<u64>>,
    /// the encoding for writing; `None`: raw
    pub encoding: Option<Located<Encoding>>,
    /// start constant of the hash of the feature transformer; `None`: derived from the feature sets
    pub features: Option<Located<u64>>,
}
