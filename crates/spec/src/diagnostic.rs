//! Errors of a declaration, as data.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::loc::Loc;

/// Writes the enum once and derives the list and the slugs from it.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $slug:literal,)*) => {
        /// What kind of error; the slug names its test in `tests/ui`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, for tests that want one example of each.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name in lower case with hyphens.
            pub const fn slug(self) -> &'static str {
                match self {
                    $(Self::$name => $slug,)*
                }
            }
        }
    };
}

codes! {
    // ---- syntax: what the parser says ----
    /// more of something than a declaration may have
    Limit = "limit",
    /// the tokens do not form a declaration at all
    Syntax = "syntax",
    /// something other than `struct Name` where a declaration begins
    ExpectedDeclaration = "expected-declaration",
    /// `nnue! {}`
    EmptyInput = "empty-input",
    /// two networks of one name
    DuplicateDeclaration = "duplicate-declaration",
    /// generic parameters on a network
    Generics = "generics",
    /// what needs a feature of the crate that is off
    MissingFeature = "missing-feature",
    /// `#[nnue(..)]` that is not `#[nnue(crate = path)]`
    CrateAttribute = "crate-attribute",
    /// `=` or `{` missing after the name
    ExpectedBody = "expected-body",
    /// a number was expected
    ExpectedNumber = "expected-number",
    /// a number that is malformed or does not fit
    BadNumber = "bad-number",
    /// a name was expected
    ExpectedName = "expected-name",
    /// an arrow was expected
    ExpectedArrow = "expected-arrow",
    /// `<` without its `>`
    UnclosedAngle = "unclosed-angle",
    /// `[22528]` or `[..]` malformed
    BadRows = "bad-rows",
    /// a feature set with the factoriser of a trainer
    Factoriser = "factoriser",
    /// pairs of a set of threats that are malformed, missing or superfluous
    BadPairs = "bad-pairs",
    /// a chain that does not begin with a feature set
    ExpectedFeatureSet = "expected-feature-set",
    /// `x` without a number
    BadMultiplier = "bad-multiplier",
    /// the same annotation twice
    DuplicateAnnotation = "duplicate-annotation",
    /// an annotation where it has no meaning
    MisplacedAnnotation = "misplaced-annotation",
    /// `16 -> 32 -> 1x8`
    PartialStacks = "partial-stacks",
    /// layers after the stacks
    LayersAfterStacks = "layers-after-stacks",
    /// a chain that ends with the accumulator
    NoLayers = "no-layers",
    /// an activation after the last layer
    OutputActivation = "output-activation",
    /// `by` without stacks
    SelectorWithoutStacks = "selector-without-stacks",
    /// `by` followed by something that is not a selector
    BadSelector = "bad-selector",
    /// an unknown first word of a clause
    UnknownClause = "unknown-clause",
    /// `;` missing
    MissingSemicolon = "missing-semicolon",
    /// a clause twice
    DuplicateClause = "duplicate-clause",
    /// a clause where it may not stand
    MisplacedClause = "misplaced-clause",
    /// no `accumulate`
    MissingAccumulator = "missing-accumulator",
    /// no `output`
    MissingOutput = "missing-output",
    /// tokens after the end of something
    UnexpectedToken = "unexpected-token",
    /// `h[1..2..3]`
    BadSlice = "bad-slice",
    /// an output that is not a sum of terms
    BadOutput = "bad-output",
    /// a value that is not one of the two forms
    BadValue = "bad-value",
    /// `golden` without a position or a value
    BadGolden = "bad-golden",
    /// `weights` without a path
    BadWeights = "bad-weights",
    // ---- words: what lowering says ----
    /// a feature set that nobody knows
    UnknownFeatureSet = "unknown-feature-set",
    /// a letter that is no piece
    UnknownPiece = "unknown-piece",
    /// an attacker or an attacked piece twice
    DuplicatePiece = "duplicate-piece",
    /// a set of threats without pairs
    EmptyThreats = "empty-threats",
    /// pawns in front of pawns where pawns do not attack pawns
    PushesWithoutPawns = "pushes-without-pawns",
    /// king buckets on plain planes
    KingBuckets = "king-buckets",
    /// a function that nobody knows
    UnknownFunction = "unknown-function",
    /// a function that is planned, not there
    UnavailableFunction = "unavailable-function",
    /// a function with too many or too few arguments
    ArgumentCount = "argument-count",
    /// an argument of the wrong kind
    ArgumentKind = "argument-kind",
    /// an element type that nobody knows
    UnknownType = "unknown-type",
    /// a container that nobody knows
    UnknownFormat = "unknown-format",
    /// a field of `format` that nobody knows
    UnknownFormatField = "unknown-format-field",
    /// an encoding that nobody knows
    UnknownEncoding = "unknown-encoding",
    /// a padding that nobody knows
    UnknownPadding = "unknown-padding",
    /// several feature sets
    SeveralFeatureSets = "several-feature-sets",
    /// several accumulators
    SeveralAccumulators = "several-accumulators",
    /// `accumulate` of something that is not `inputs`
    UnknownInputs = "unknown-inputs",
    // ---- embedded weights ----
    /// a variable in the path of the file is not set
    WeightsVariable = "weights-variable",
    /// the file is not there
    WeightsNotFound = "weights-not-found",
    /// the file is not this network
    WeightsRejected = "weights-rejected",
    /// the weights can overflow
    WeightsOverflow = "weights-overflow",
    // ---- meaning: what the checker says ----
    /// a name that is not bound, or not yet
    UnknownName = "unknown-name",
    /// a name bound twice
    DuplicateName = "duplicate-name",
    /// a value that nothing reads
    UnusedBinding = "unused-binding",
    /// the name of a generated field, for something else
    ReservedName = "reserved-name",
    /// the same pairs of pieces twice
    DuplicateFeatureSet = "duplicate-feature-set",
    /// a set of one's own without its number of inputs, or with one that cannot be
    CustomRows = "own-rows",
    /// a set of one's own beside another
    CustomSetBeside = "own-set-beside",
    /// an activation of one's own where none can be, or with a maximum where there is none
    CustomActivation = "own-activation",
    /// pairs of pieces before the pieces
    FeatureSetOrder = "feature-set-order",
    /// `[22529]` for a set with 22528 rows
    WrongRows = "wrong-rows",
    /// feature weights of a type that no kernel takes
    UnsupportedInputElement = "unsupported-input-element",
    /// a width that is not a multiple of 32
    AccumulatorWidth = "accumulator-width",
    /// a width beyond the limit
    AccumulatorTooWide = "accumulator-too-wide",
    /// not one or two
    Perspectives = "perspectives",
    /// a scale that products of i16 cannot hold
    AccumulatorScale = "accumulator-scale",
    /// not one PSQT output per stack
    PsqtCount = "psqt-count",
    /// PSQT outputs without the other side's accumulator
    PsqtPerspectives = "psqt-perspectives",
    /// PSQT outputs in floats that are not those of the output
    PsqtFloats = "psqt-floats",
    /// separate weights of one perspective, or where no file or no kernel has them
    SeparateWeights = "separate-weights",
    /// `nonzero 0%`
    Nonzero = "nonzero",
    /// none, or more than there are piece counts
    StackCount = "stack-count",
    /// `(piece_count - 1) / 0`
    SelectorDivisor = "selector-divisor",
    /// layer stacks beside a feature set of the program, without a function that chooses
    CustomStacks = "own-stacks",
    /// more is subtracted than the kings
    SelectorMinus = "selector-minus",
    /// a full board chooses a stack that is not there
    SelectorRange = "selector-range",
    /// stacks that no position chooses
    UnusedStacks = "unused-stacks",
    /// a layer reads accumulators as they are
    AffineOfAccumulator = "affine-of-accumulator",
    /// a layer or a pool reads sums, or a pool accumulators, as they are
    MissingActivation = "missing-activation",
    /// an activation of an activated value
    DoubleActivation = "double-activation",
    /// values that no pool takes: those of accumulators, or of different units
    PoolOperands = "pool-operands",
    /// an odd number of values, or two values of different lengths
    PoolLength = "pool-length",
    /// `concat` of values that are not activated
    ConcatUnactivated = "concat-unactivated",
    /// `concat` of nothing or of one value
    ConcatCount = "concat-count",
    /// a slice or an index beyond the end
    SliceRange = "slice-range",
    /// a slice of no values
    SliceEmpty = "slice-empty",
    /// a slice that ends before it starts
    SliceInverted = "slice-inverted",
    /// a part of the accumulators
    UnsupportedSlice = "unsupported-slice",
    /// a layer without outputs, or with too many
    LayerWidth = "layer-width",
    /// layer weights of a type that no kernel takes
    UnsupportedWeightElement = "unsupported-weight-element",
    /// a scale from which no shift follows
    LayerScale = "layer-scale",
    /// a shift that leaves nothing
    ShiftRange = "shift-range",
    /// a shift where there is no product
    MisplacedShift = "misplaced-shift",
    /// activated accumulators that do not fit in u8 inputs
    ActivationRange = "activation-range",
    /// values of 16 bits where none can be, or beyond them
    SixteenBits = "sixteen-bits",
    /// accumulators and other values read by one layer
    UnsupportedMixedInputs = "unsupported-mixed-inputs",
    /// inputs whose weighted sum can leave i32
    SumOverflow = "sum-overflow",
    /// more parameters than a network may have
    NetworkTooLarge = "network-too-large",
    /// a term of the output that is not a neuron
    OutputTerm = "output-term",
    /// a term of the output that is more than one neuron
    OutputWidth = "output-width",
    /// a division by zero
    RatioDenominator = "ratio-denominator",
    /// a factor that is zero or leaves i32
    RatioRange = "ratio-range",
    /// a value divided by zero or by more than i32 holds
    ValueDivisor = "value-divisor",
    /// a tensor that the network does not have
    UnknownTensor = "unknown-tensor",
    /// an order of tensors that is not all of them, each once
    TensorOrder = "tensor-order",
    /// axes of a tensor that are not all of them, each once
    TensorAxes = "tensor-axes",
    /// a type of a tensor that is not read
    TensorElement = "tensor-element",
    /// more bytes before a raw file than are skipped
    HeaderSize = "header-size",
    /// layers of floats that do not follow each other
    FloatLayers = "float-layers",
    /// a binary layer that has what it cannot have, or reads what has no signs of its own
    BinaryLayer = "binary-layer",
    /// a layer whose inputs reach blocks of outputs has other outputs, blocks or weights than that allows
    BlockSparse = "block-sparse",
    /// sizes of a dense input that are none
    DenseInput = "dense-input",
    /// an operation of values of another shape than it reads
    DenseShape = "dense-shape",
    /// windows that do not fit, and other numbers of operations over a dense input
    DenseWindow = "dense-window",
    /// what networks over a dense input do not have
    DenseOperation = "dense-operation",
    /// what subnets do not have, or a logit that is not made of their products
    Subnets = "subnets",
    /// a golden value of something that is no position
    GoldenFen = "golden-fen",
    /// a golden position from a function of the program, in a network of chess
    CustomGolden = "own-golden",
    /// a golden value that no i32 holds
    GoldenRange = "golden-range",
    /// golden numbers of an output that the network does not have, or not so many
    GoldenOutput = "golden-output",
    /// a version of more than 32 bits
    VersionRange = "version-range",
}

/// One error: what is wrong, where, what to write instead, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// which error
    pub code: Code,
    /// the smallest wrong token
    pub loc: Loc,
    /// lower case, no full stop, under 100 characters, user names in backticks, both numbers
    pub message: String,
    /// text to paste
    pub help: Option<String>,
    /// the reason, when it is not obvious
    pub note: Option<String>,
    /// other places that take part in the error
    pub related: Vec<(Loc, String)>,
}

impl Diagnostic {
    /// An error without help or note.
    pub fn new(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self {
            code,
            loc,
            message: message.into(),
            help: None,
            note: None,
            related: Vec::new(),
        }
    }

    /// Adds the text to paste.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the reason.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, loc: Loc, what: impl Into<String>) -> Self {
        self.related.push((loc, what.into()));
        self
    }
}

/// Errors of one declaration that are kept; those that follow are only counted.
pub const MAX_ERRORS: usize = 100;

/// Collects errors. A sink that is dropped unread panics, so that no error is lost.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    left_out: usize,
    read: bool,
}

impl Sink {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records an error; of those behind the first [`MAX_ERRORS`] their number.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Counts an error of which nothing is to be said, as [`is_full`](Self::is_full).
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// True if further errors are only counted, so that what they would say need not be found.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_ERRORS
    }

    /// True if an error was recorded.
    pub fn has_errors(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    /// The errors, in the order in which they were recorded.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.read = true;
        let mut all = core::mem::take(&mut self.diagnostics);
        if let Some(last) = all.last().filter(|_| self.left_out > 0) {
            let message = format!(
                "{} more errors of this declaration are not shown",
                self.left_out
            );
            let help = "mend those above first";
            all.push(Diagnostic::new(Code::Limit, last.loc, message).help(help));
        }
        all
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        debug_assert!(
            self.read || self.diagnostics.is_empty(),
            "errors were recorded and never reported"
        );
    }
}
