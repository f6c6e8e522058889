//! The syntax tree: the declaration as written, with the location of every part. Names are not resolved here.

use nnue_spec::model::{Arithmetic, ReachKind, SelectorSpec};
use proc_macro2::Span;

use super::custom::CustomPath;
use super::file::{Format, PathPart};
use super::golden::{Golden, GoldenPosition, GoldenSays};
use super::list::Table;
use super::listed::Listed;
use super::place::{At, Int, Place, Word, Wrong};
use super::value::Value;

/// All declarations of one macro call, and the errors outside of them.
#[derive(Default)]
pub(crate) struct Input {
    pub declarations: Vec<Declaration>,
    pub wrongs: Vec<Wrong>,
}

/// `pub struct Name = ..;` or `pub struct Name { .. }`
pub(crate) struct Declaration {
    /// attributes passed through to the generated type
    pub attributes: Vec<syn::Attribute>,
    /// `#[nnue(crate = path)]`
    pub crate_path: Option<syn::Path>,
    pub visibility: syn::Visibility,
    pub name: syn::Ident,
    /// the network; `None` if its chain could not be read
    pub body: Option<Body>,
    /// errors in the declaration
    pub wrongs: Vec<Wrong>,
}

impl Declaration {
    /// The path of a custom feature set.
    pub(crate) fn custom_inputs(&self) -> Option<&syn::Path> {
        self.custom_feature()?.own.as_ref().map(|own| &own.path)
    }

    /// The location of its number of rows.
    pub(crate) fn custom_rows(&self) -> Option<Span> {
        self.custom_feature()?.rows.map(|rows| rows.place.start)
    }

    fn custom_feature(&self) -> Option<&Feature> {
        let features = match self.body.as_ref()? {
            Body::Chain(chain, _) => chain.inputs.as_slice(),
            Body::Graph(clauses) => clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Inputs(features) => Some(features.as_slice()),
                ClauseKind::Accumulator {
                    inputs: AccumulatorInputs::Features(features),
                    ..
                } => Some(features),
                ClauseKind::Subnets {
                    subnets:
                        Subnets {
                            inputs: AccumulatorInputs::Features(features),
                            ..
                        },
                    ..
                } => Some(features),
                _ => None,
            })?,
        };
        features.iter().find(|feature| feature.own.is_some())
    }

    /// The path of the function that selects the stack.
    pub(crate) fn custom_stack(&self) -> Option<&syn::Path> {
        let by = match self.body.as_ref()? {
            Body::Chain(chain, _) => chain.by.as_ref(),
            Body::Graph(clauses) => clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Stacks { by, .. } => by.as_ref(),
                _ => None,
            }),
        };
        by?.function.as_ref().map(|own| &own.path)
    }

    /// Whether the network reads a dense input.
    pub(crate) fn is_dense(&self) -> bool {
        let is_source = |clause: &Clause| matches!(clause.kind, ClauseKind::Source { .. });
        matches!(&self.body, Some(Body::Graph(clauses)) if clauses.iter().any(is_source))
    }

    /// Whether the network is made of subnets.
    pub(crate) fn is_of_subnets(&self) -> bool {
        let is_group = |clause: &Clause| matches!(clause.kind, ClauseKind::Subnets { .. });
        matches!(&self.body, Some(Body::Graph(clauses)) if clauses.iter().any(is_group))
    }

    /// Its clauses; for a chain, those after it.
    pub(crate) fn clauses(&self) -> &[Clause] {
        match self.body.as_ref() {
            Some(Body::Chain(_, clauses) | Body::Graph(clauses)) => clauses,
            None => &[],
        }
    }

    /// The positions of golden values, in order.
    pub(crate) fn goldens(&self) -> impl Iterator<Item = &GoldenPosition> {
        self.clauses()
            .iter()
            .filter_map(|clause| match &clause.kind {
                ClauseKind::Golden(Golden {
                    position,
                    says: GoldenSays::Value(_),
                }) => Some(position),
                _ => None,
            })
    }
}

/// The two forms of a network.
#[derive(Debug)]
pub(crate) enum Body {
    /// `= F[..] -> 256x2 -> 32 -> 1 { .. };`: the chain and the clauses after it
    Chain(Box<Chain>, Vec<Clause>),
    /// `{ .. }`, or a chain over a dense input, expanded to clauses
    Graph(Vec<Clause>),
}

/// `(A[..] -> 256)x2 -> (16 -> 32 -> 1)x8 by (piece_count - 1) / 4`
#[derive(Debug)]
pub(crate) struct Chain {
    pub inputs: Vec<Feature>,
    pub accumulator: Accumulated,
    /// the activation of the accumulator; default clipped ReLU
    pub activation: Option<Activated>,
    /// the layers, at least one
    pub layers: Vec<ChainLayer>,
    /// `x8`
    pub stacks: Option<Int>,
    /// `by ..`
    pub by: Option<Selector>,
}

/// `crelu`, `pairwise >> 9`, `pairwise as i16`, `self::my_activation max 100`
#[derive(Debug)]
pub(crate) struct Activated {
    pub function: Word,
    /// path of a custom function
    pub own: Option<CustomPath>,
    /// `max n`
    pub max: Option<Int>,
    /// `>> n`
    pub shift: Option<Int>,
    /// `as i16`
    pub words: Option<Place>,
}

/// `16: i8 @ 64 crelu`
#[derive(Debug)]
pub(crate) struct ChainLayer {
    /// outputs, element type and scale
    pub width: Width,
    /// the activation after it; default clipped ReLU
    pub activation: Option<Activated>,
}

/// A width with its annotations: `16: i8 @ 64`.
#[derive(Debug)]
pub(crate) struct Width {
    pub value: Int,
    /// `: i8`
    pub element: Option<Word>,
    /// `@ 64`
    pub scale: Option<Int>,
    /// `sums 16`
    pub sums: Option<Int>,
    /// `bias i32`
    pub bias: Option<Box<Word>>,
    /// `unit 1/16256`
    pub unit: Option<Box<Quotient>>,
    /// `binary`
    pub binary: Option<Place>,
    /// `blocks 4 of 16`, `shards 2 of 64`
    pub reach: Option<Box<Reach>>,
}

impl Width {
    /// The places of annotations of integer sums: `bias i32`, `unit 1/16256`.
    pub(crate) fn of_sums(&self) -> impl Iterator<Item = Place> {
        let bias = self.bias.as_ref().map(|bias| bias.place);
        let unit = self.unit.as_ref().map(|unit| unit.num.place);
        bias.into_iter().chain(unit)
    }
}

/// `1/16256`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotient {
    pub num: Int,
    pub den: Int,
}

/// `blocks 4 of 16`, `shards 2 of 64`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// the word
    pub kind: ReachKind,
    /// the first number
    pub count: Int,
    /// the second
    pub size: Int,
    /// the whole clause
    pub place: Place,
}

/// `HalfKAv2_hm[..] as i16`
#[derive(Debug)]
pub(crate) struct Feature {
    /// the name; `None` for a bare number of rows
    pub name: Option<Word>,
    /// `[22528]`, or the bare number
    pub rows: Option<Int>,
    /// the number after `x` in `768x4`
    pub buckets: Option<Int>,
    /// `buckets: [..], mirrored`
    pub kings: Option<Kings>,
    /// the path of a custom set; `name` is then its last segment
    pub own: Option<CustomPath>,
    /// the content of the brackets after `rows`
    pub listed: Option<Listed>,
    /// `active 49`: upper bound of simultaneously active inputs of a custom set
    pub active: Option<Int>,
    /// `(P: NR, N: PNBRQ, pushes)`
    pub pairs: Option<WrittenPairs>,
    /// `as i16`
    pub element: Option<Word>,
    /// the whole feature set
    pub place: Place,
}

/// `buckets: [0, 0, 1, 1, 2 x 28], mirrored`: how the own king's square selects a copy of the rows.
#[derive(Debug)]
pub(crate) struct Kings {
    /// the table of 32 or 64 numbers
    pub table: Option<Table>,
    /// the word `mirrored`
    pub mirrored: Option<Place>,
    /// the word `rotated`
    pub rotated: Option<Place>,
    /// the word `attacks`
    pub attacks: Option<Place>,
    /// its first word
    pub place: Place,
}

/// `(P: NR, N: PNBRQ, pushes)`: which pieces attack which
#[derive(Debug)]
pub(crate) struct WrittenPairs {
    /// attackers, each with the attacked kinds
    pub attacks: Vec<(Word, Word)>,
    /// `pushes`
    pub pushes: Option<Place>,
    /// the parentheses
    pub place: Place,
}

/// The arguments and options of `accumulate` after its inputs.
#[derive(Debug)]
pub(crate) struct Accumulated {
    /// neurons and scale
    pub width: Width,
    /// `x 2`
    pub perspectives: Option<Int>,
    /// `psqt 8`
    pub psqt: Option<Int>,
    /// type of the PSQT outputs: `psqt 3: f32`
    pub psqt_element: Option<Word>,
    /// `white_first`
    pub white_first: Option<Place>,
    /// `separate`
    pub separate: Option<Place>,
    /// `nonzero 5%`
    pub nonzero: Option<Int>,
}

impl Accumulated {
    pub(crate) const fn new(width: Width, perspectives: Option<Int>) -> Self {
        Self {
            width,
            perspectives,
            psqt: None,
            psqt_element: None,
            white_first: None,
            separate: None,
            nonzero: None,
        }
    }
}

/// The rule after `by`.
#[derive(Debug)]
pub(crate) struct Selector {
    /// the rule
    pub value: SelectorSpec,
    /// the group of rows that it names
    pub group: Option<Word>,
    /// the custom function
    pub function: Option<CustomPath>,
    /// the whole selector
    pub place: Place,
}

/// A clause of the graph form, or in the braces after a chain.
#[derive(Debug)]
pub(crate) struct Clause {
    /// its first word
    pub keyword: Place,
    pub kind: ClauseKind,
}

/// The content of a clause.
#[derive(Debug)]
pub(crate) enum ClauseKind {
    /// `inputs = A[..] + B[..];`
    Inputs(Vec<Feature>),
    /// `acc = accumulate(inputs, 1024) x 2, psqt 8;`
    Accumulator {
        name: Word,
        /// `inputs`, or the feature sets themselves
        inputs: AccumulatorInputs,
        /// perspectives and options
        accumulated: Accumulated,
    },
    /// `x = input[1, 28, 28];`
    Source {
        name: Word,
        /// the input
        source: Source,
    },
    /// `from = subnets(inputs, 64 x 8: f32);`
    Subnets {
        name: Word,
        /// feature sets and sizes
        subnets: Subnets,
    },
    /// `let h1 = affine(x, 16);`
    Binding {
        name: Word,
        /// the value
        value: Expr,
    },
    /// `stacks 8 by .. { .. }`
    Stacks {
        /// how many
        count: Int,
        /// `by ..`
        by: Option<Selector>,
        /// bindings and the output
        clauses: Vec<Clause>,
    },
    /// `output ..;`, `output value = ..;`
    Output(Sum),
    /// `output wdl = wdl(affine(x, 3));`
    Head(Head),
    /// `output policy = dot(relu(from), relu(to)) + terms[6];`
    Logit(Logit),
    /// `format stockfish { .. }`
    Format(Format),
    /// `value ..;`
    Value(Value),
    /// `floats fused;`
    Floats(Word),
    /// `golden "FEN" = 60;`
    Golden(Golden),
    /// `weights "path";`, `weights env!("EVALFILE");`
    Weights(At<Vec<PathPart>>),
}

/// A dense input: `input[1, 28, 28]`, `planes[12, 8, 8]`.
#[derive(Debug)]
pub(crate) struct Source {
    /// `planes`
    pub bits: bool,
    /// the numbers in the brackets
    pub sizes: Vec<Int>,
    /// the word `input` or `planes`
    pub place: Place,
}

/// The first argument of `accumulate`.
#[derive(Debug)]
pub(crate) enum AccumulatorInputs {
    /// the name of the `inputs` clause
    Name(Word),
    /// feature sets
    Features(Vec<Feature>),
}

/// A value of the graph.
#[derive(Debug)]
pub(crate) enum Expr {
    Name(Word),
    /// `function(arguments) >> shift as i16`, `self::my_activation(arguments) max 100`
    Call {
        function: Word,
        /// path of a custom function
        own: Option<CustomPath>,
        /// `max n`
        max: Option<Int>,
        arguments: Vec<Argument>,
        /// the parentheses
        parentheses: Place,
        /// `>> n`
        shift: Option<Int>,
        /// `as i16`
        words: Option<Place>,
    },
    /// a constant integer
    Number(Int),
    /// a constant float
    Float(At<f32>),
    /// `a + b`, `-a`, `a as f32`
    Operator {
        operation: Arithmetic,
        /// the operator
        place: Place,
        operands: Vec<Expr>,
    },
    /// `input[start..end]`
    Slice {
        /// the sliced value
        input: Box<Expr>,
        /// first index
        start: Option<Int>,
        /// one past the last
        end: Option<Int>,
        /// the brackets
        brackets: Place,
    },
}

/// An argument of a function.
#[derive(Debug)]
pub(crate) enum Argument {
    /// a value of the graph
    Value(Expr),
    /// `16: i8 @ 64`
    Width(Width),
    /// `kernel 3`, of operations over a dense input
    Option {
        name: Word,
        /// its value
        value: Number,
    },
}

/// The value of an option.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// `3`
    Whole(Int),
    /// `1e-5`
    Decimal(At<f64>),
}

/// `affine(a, 1) + h1[15] * 9600 / 8128`
#[derive(Debug)]
pub(crate) struct Sum {
    pub terms: Vec<Term>,
    /// factor of the whole sum
    pub ratio: Option<Ratio>,
}

/// `moves_left = relu(affine(a, 1)) * 100`
#[derive(Debug)]
pub(crate) struct Head {
    pub name: Word,
    /// kind of its numbers
    pub form: HeadForm,
    /// the numbers; for rows, their input
    pub value: Expr,
    /// factor of the numbers
    pub ratio: Option<Ratio>,
}

/// `subnets(inputs, 64 x 8: i16 @ 256)`
#[derive(Debug)]
pub(crate) struct Subnets {
    /// the word `subnets`
    pub place: Place,
    /// `inputs`, or the feature sets themselves
    pub inputs: AccumulatorInputs,
    /// number of subnets
    pub count: Int,
    /// neurons of each
    pub width: Int,
    /// `: i16`
    pub element: Option<Word>,
    /// `@ 256`
    pub scale: Option<Int>,
}

/// `dot(relu(from), relu(to)) + terms[6]`
#[derive(Debug)]
pub(crate) struct Logit {
    /// the products in order
    pub products: Vec<Product>,
    /// the number after `terms`
    pub terms: Option<Int>,
}

/// `- dot(a, b)`
#[derive(Debug)]
pub(crate) struct Product {
    /// subtracted
    pub negative: bool,
    /// the values
    pub operands: [Expr; 2],
    /// the word `dot`
    pub word: Place,
}

/// Kind of the numbers of an output.
#[derive(Debug)]
pub(crate) enum HeadForm {
    /// plain numbers
    Numbers,
    /// `wdl(..)`, located at the word
    Wdl(Place),
    /// `rows(.., 1880)`
    Rows {
        /// the word `rows`
        word: Place,
        /// number of rows, with type and scale of the weights
        width: Width,
    },
}

/// One term of a sum.
#[derive(Debug)]
pub(crate) struct Term {
    /// whether the term is subtracted
    pub negative: bool,
    pub value: Expr,
    pub ratio: Option<Ratio>,
}

/// `as i64 * 9600 / 16384`
#[derive(Debug)]
pub(crate) struct Ratio {
    /// `as i64`
    pub wide: bool,
    /// numerator; 1 if only a division is written
    pub num: Int,
    /// denominator; 1 if only a product is written
    pub den: Int,
}
