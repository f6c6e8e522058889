//! The syntax tree: what was written, word for word, with places. Nothing is resolved here.

use nnue_spec::model::SelectorSpec;
use proc_macro2::Span;

use super::list::{Table, Words};
use super::own::OwnPath;
use super::place::{At, Int, Place, Word, Wrong};

/// All declarations of one macro call, and the errors between them.
#[derive(Default)]
pub(crate) struct Input {
    /// the declarations in order
    pub declarations: Vec<Declaration>,
    /// errors that belong to no declaration
    pub wrongs: Vec<Wrong>,
}

/// `pub struct Name = ..;` or `pub struct Name { .. }`
pub(crate) struct Declaration {
    /// attributes that pass through to the generated type
    pub attributes: Vec<syn::Attribute>,
    /// `#[nnue(crate = path)]`
    pub crate_path: Option<syn::Path>,
    /// `pub`
    pub visibility: syn::Visibility,
    /// the name
    pub name: syn::Ident,
    /// the network; `None` if its chain could not be read
    pub body: Option<Body>,
    /// errors in it
    pub wrongs: Vec<Wrong>,
}

impl Declaration {
    /// The path of a feature set of the user's own.
    pub(crate) fn own_inputs(&self) -> Option<&syn::Path> {
        self.own_feature()?.own.as_ref().map(|own| &own.path)
    }

    /// Where the number of its rows stands.
    pub(crate) fn own_rows(&self) -> Option<Span> {
        self.own_feature()?.rows.map(|rows| rows.place.start)
    }

    fn own_feature(&self) -> Option<&Feature> {
        let features = match self.body.as_ref()? {
            Body::Chain(chain, _) => chain.inputs.as_slice(),
            Body::Graph(clauses) => clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Inputs(features) => Some(features.as_slice()),
                ClauseKind::Accumulator { inputs: AccumulatorInputs::Features(features), .. } => Some(features),
                _ => None,
            })?,
        };
        features.iter().find(|feature| feature.own.is_some())
    }

    /// The path of the function that chooses among the stacks.
    pub(crate) fn own_stack(&self) -> Option<&syn::Path> {
        let by = match self.body.as_ref()? {
            Body::Chain(chain, _) => chain.by.as_ref(),
            Body::Graph(clauses) => clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Stacks { by, .. } => by.as_ref(),
                _ => None,
            }),
        };
        by?.function.as_ref().map(|own| &own.path)
    }
}

/// The two forms.
#[derive(Debug)]
pub(crate) enum Body {
    /// `= F[..] -> 256x2 -> 32 -> 1 { .. };`: the chain, and the clauses about the file behind it
    Chain(Box<Chain>, Vec<Clause>),
    /// `{ .. }`
    Graph(Vec<Clause>),
}

/// `(A[..] -> 256)x2 -> (16 -> 32 -> 1)x8 by (piece_count - 1) / 4`
#[derive(Debug)]
pub(crate) struct Chain {
    /// the feature sets
    pub inputs: Vec<Feature>,
    /// the accumulator
    pub accumulator: Accumulated,
    /// the activation of the accumulator; clipped ReLU where it is not written
    pub activation: Option<Activated>,
    /// the layers, at least one
    pub layers: Vec<ChainLayer>,
    /// `x8`
    pub stacks: Option<Int>,
    /// `by ..`
    pub by: Option<Selector>,
}

/// `crelu`, `pairwise >> 9`, `self::my_activation max 100`
#[derive(Debug)]
pub(crate) struct Activated {
    /// the function
    pub function: Word,
    /// its path, if it is the user's own
    pub own: Option<OwnPath>,
    /// `max n`
    pub max: Option<Int>,
    /// `>> n`
    pub shift: Option<Int>,
}

/// `16: i8 @ 64 crelu`
#[derive(Debug)]
pub(crate) struct ChainLayer {
    /// outputs, element type and scale
    pub width: Width,
    /// what follows it; clipped ReLU where it is not written
    pub activation: Option<Activated>,
}

/// A width with its annotations: `16: i8 @ 64`.
#[derive(Debug)]
pub(crate) struct Width {
    /// the number
    pub value: Int,
    /// `: i8`
    pub element: Option<Word>,
    /// `@ 64`
    pub scale: Option<Int>,
    /// `sums 16`
    pub sums: Option<Int>,
}

/// `HalfKAv2_hm[..] as i16`
#[derive(Debug)]
pub(crate) struct Feature {
    /// the name; `None`: a bare number of rows stands there
    pub name: Option<Word>,
    /// `[22528]`, or the bare number
    pub rows: Option<Int>,
    /// `768x4`: the number behind `x`
    pub buckets: Option<Int>,
    /// `buckets: [..], mirrored`
    pub kings: Option<Kings>,
    /// the path of a set of the user's own, which then has the last name of it
    pub own: Option<OwnPath>,
    /// `active 49`: the most inputs of a set of the user's own that are active at once
    pub active: Option<Int>,
    /// `(P: NR, N: PNBRQ, pushes)`
    pub pairs: Option<WrittenPairs>,
    /// `as i16`
    pub element: Option<Word>,
    /// all of it
    pub place: Place,
}

/// `buckets: [0, 0, 1, 1, 2 x 28], mirrored`: how the own king's square chooses among copies of the rows.
#[derive(Debug)]
pub(crate) struct Kings {
    /// the table of 32 or 64 numbers
    pub table: Option<Table>,
    /// the word `mirrored`
    pub mirrored: Option<Place>,
    /// the word `rotated`
    pub rotated: Option<Place>,
    /// the first word of it
    pub place: Place,
}

/// `(P: NR, N: PNBRQ, pushes)`: what attacks what
#[derive(Debug)]
pub(crate) struct WrittenPairs {
    /// attackers and what they attack
    pub attacks: Vec<(Word, Word)>,
    /// `pushes`
    pub pushes: Option<Place>,
    /// the parentheses
    pub place: Place,
}

/// What `accumulate` says besides its inputs.
#[derive(Debug)]
pub(crate) struct Accumulated {
    /// neurons and scale
    pub width: Width,
    /// `x 2`
    pub perspectives: Option<Int>,
    /// `psqt 8`
    pub psqt: Option<Int>,
    /// `white_first`
    pub white_first: Option<Place>,
    /// `separate`
    pub separate: Option<Place>,
}

/// `(piece_count - minus) / divide`
#[derive(Debug)]
pub(crate) struct Selector {
    /// which rule
    pub value: SelectorSpec,
    /// the function of the user's own
    pub function: Option<OwnPath>,
    /// all of it
    pub place: Place,
}

/// A clause of the graph form, or of the braces behind a chain.
#[derive(Debug)]
pub(crate) struct Clause {
    /// the word that begins it
    pub keyword: Place,
    /// what it says
    pub kind: ClauseKind,
}

/// What a clause says.
#[derive(Debug)]
pub(crate) enum ClauseKind {
    /// `inputs = A[..] + B[..];`
    Inputs(Vec<Feature>),
    /// `acc = accumulate(inputs, 1024) x 2, psqt 8;`
    Accumulator {
        /// the name
        name: Word,
        /// `inputs`, or feature sets written in place
        inputs: AccumulatorInputs,
        /// the rest
        accumulated: Accumulated,
    },
    /// `let h1 = affine(x, 16);`
    Binding {
        /// the name
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
    /// `output ..;`
    Output(Sum),
    /// `format stockfish { .. }`
    Format(Format),
    /// `value ..;`
    Value(Value),
    /// `floats fused;`
    Floats(Word),
    /// `golden "FEN" = 60;`
    Golden {
        /// the position
        fen: Word,
        /// the value
        value: At<i64>,
    },
    /// `weights "path";`
    Weights(Word),
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
    /// a name
    Name(Word),
    /// `function(arguments) >> shift`, `self::my_activation(arguments) max 100`
    Call {
        /// the function
        function: Word,
        /// its path, if it is the user's own
        own: Option<OwnPath>,
        /// `max n`
        max: Option<Int>,
        /// its arguments
        arguments: Vec<Argument>,
        /// the parentheses
        parentheses: Place,
        /// `>> n`
        shift: Option<Int>,
    },
    /// `input[start..end]`
    Slice {
        /// what is cut
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
}

/// `affine(a, 1) + h1[15] * 9600 / 8128`
#[derive(Debug)]
pub(crate) struct Sum {
    /// the terms in order
    pub terms: Vec<Term>,
    /// factor of the whole sum
    pub ratio: Option<Ratio>,
}

/// One term of a sum.
#[derive(Debug)]
pub(crate) struct Term {
    /// subtracted
    pub negative: bool,
    /// the value
    pub value: Expr,
    /// its factor
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

/// `(psqt + positional) / 16`
#[derive(Debug)]
pub(crate) struct Value {
    /// which of the forms
    pub form: ValueForm,
    /// raw units per unit of value, or the value of an output of 1.0
    pub divide: Int,
}

/// The forms of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// `(psqt + positional) / n`
    Together,
    /// `psqt / n + positional / n`
    Separately,
    /// `positional / n`
    Positional,
    /// `output * n`
    Output,
    /// `sigmoid(output) * n`
    Sigmoid,
    /// `wdl * n`
    Wdl,
}

/// `stockfish { version: 0x7AF32F20, encoding: leb128 }`
#[derive(Debug)]
pub(crate) struct Format {
    /// the container
    pub name: Word,
    /// the fields in order
    pub fields: Vec<FormatField>,
}

/// A field of a format.
#[derive(Debug)]
pub(crate) struct FormatField {
    /// its name
    pub name: Word,
    /// its value
    pub value: FormatValue,
}

/// The value of a field of a format.
#[derive(Debug)]
pub(crate) enum FormatValue {
    /// a number
    Int(Int),
    /// a word
    Word(Word),
    /// lists in brackets, perhaps behind a word: `[ft_weight, ft_bias]`, `i16 [input][stack]`
    Lists {
        /// the word
        word: Option<Word>,
        /// the lists, at least one
        lists: Vec<Words>,
        /// all of the lists
        place: Place,
    },
}

impl FormatValue {
    /// Where it stands.
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Int(At { place, .. }) | Self::Word(At { place, .. }) | Self::Lists { place, .. } => *place,
        }
    }
}
