//! Errors of a declaration, as data.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::loc::Loc;

/// Defines the enum, the list of its values and their slugs.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $slug:literal,)*) => {
        /// The kind of an error; the slug is the name of its test in `tests/ui`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, for tests that need an example of each.
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
    // ---- syntax: reported by the parser ----
    /// more of something than a declaration may have
    Limit = "limit",
    /// the tokens do not form a declaration at all
    Syntax = "syntax",
    /// a declaration that does not begin with `struct Name`
    ExpectedDeclaration = "expected-declaration",
    /// `nnue! {}`
    EmptyInput = "empty-input",
    /// two networks with the same name
    DuplicateDeclaration = "duplicate-declaration",
    /// generic parameters on a network
    Generics = "generics",
    /// needs a feature of the crate that is off
    MissingFeature = "missing-feature",
    /// `#[nnue(..)]` that is not `#[nnue(crate = path)]`
    CrateAttribute = "crate-attribute",
    /// `=` or `{` missing after the name
    ExpectedBody = "expected-body",
    /// missing number
    ExpectedNumber = "expected-number",
    /// a malformed or out-of-range number
    BadNumber = "bad-number",
    /// missing name
    ExpectedName = "expected-name",
    /// missing arrow
    ExpectedArrow = "expected-arrow",
    /// `<` without its `>`
    UnclosedAngle = "unclosed-angle",
    /// malformed `[22528]` or `[..]`
    BadRows = "bad-rows",
    /// a feature set with a trainer's factoriser
    Factoriser = "factoriser",
    /// malformed, missing or superfluous pairs of a set of threats
    BadPairs = "bad-pairs",
    /// a chain that does not begin with a feature set
    ExpectedFeatureSet = "expected-feature-set",
    /// `x` without a number
    BadMultiplier = "bad-multiplier",
    /// the same annotation twice
    DuplicateAnnotation = "duplicate-annotation",
    /// an annotation where it has no meaning
    MisplacedAnnotation = "misplaced-annotation",
    /// `16 -> 32 -> 1x8`: stacks on some layers only
    PartialStacks = "partial-stacks",
    /// layers after the stacks
    LayersAfterStacks = "layers-after-stacks",
    /// a chain that ends with the accumulator
    NoLayers = "no-layers",
    /// an activation after the last layer
    OutputActivation = "output-activation",
    /// `by` without stacks
    SelectorWithoutStacks = "selector-without-stacks",
    /// `by` without a selector
    BadSelector = "bad-selector",
    /// an unknown first word of a clause
    UnknownClause = "unknown-clause",
    /// `;` missing
    MissingSemicolon = "missing-semicolon",
    /// a clause twice
    DuplicateClause = "duplicate-clause",
    /// a clause where it may not stand
    MisplacedClause = "misplaced-clause",
    /// no accumulator
    MissingAccumulator = "missing-accumulator",
    /// no output
    MissingOutput = "missing-output",
    /// unexpected tokens
    UnexpectedToken = "unexpected-token",
    /// a malformed slice: `h[1..2..3]`
    BadSlice = "bad-slice",
    /// an output that is not a sum of terms
    BadOutput = "bad-output",
    /// a value of an unknown form
    BadValue = "bad-value",
    /// `golden` without a position or a value
    BadGolden = "bad-golden",
    /// `weights` without a path
    BadWeights = "bad-weights",
    // ---- words: reported by lowering ----
    /// an unknown feature set
    UnknownFeatureSet = "unknown-feature-set",
    /// a letter that is not a piece
    UnknownPiece = "unknown-piece",
    /// the same attacker or attacked piece twice
    DuplicatePiece = "duplicate-piece",
    /// a set of threats without pairs
    EmptyThreats = "empty-threats",
    /// pushes in a set without attacks of pawns on pawns
    PushesWithoutPawns = "pushes-without-pawns",
    /// king buckets on plain planes
    KingBuckets = "king-buckets",
    /// an unknown function
    UnknownFunction = "unknown-function",
    /// a planned function that does not exist yet
    UnavailableFunction = "unavailable-function",
    /// a function with too many or too few arguments
    ArgumentCount = "argument-count",
    /// an argument of the wrong kind
    ArgumentKind = "argument-kind",
    /// an unknown element type
    UnknownType = "unknown-type",
    /// an unknown container
    UnknownFormat = "unknown-format",
    /// an unknown field of `format`
    UnknownFormatField = "unknown-format-field",
    /// an unknown encoding
    UnknownEncoding = "unknown-encoding",
    /// an unknown padding
    UnknownPadding = "unknown-padding",
    /// several feature sets
    SeveralFeatureSets = "several-feature-sets",
    /// several accumulators
    SeveralAccumulators = "several-accumulators",
    /// `accumulate` of something that is not `inputs`
    UnknownInputs = "unknown-inputs",
    // ---- embedded weights ----
    /// an environment variable in the path of the file is not set
    WeightsVariable = "weights-variable",
    /// the file does not exist
    WeightsNotFound = "weights-not-found",
    /// the file does not fit the network
    WeightsRejected = "weights-rejected",
    /// the weights can overflow
    WeightsOverflow = "weights-overflow",
    // ---- meaning: reported by the checker ----
    /// a name that is not bound, or not yet
    UnknownName = "unknown-name",
    /// a name bound twice
    DuplicateName = "duplicate-name",
    /// a value that is never read
    UnusedBinding = "unused-binding",
    /// the name of a generated field
    ReservedName = "reserved-name",
    /// the same pairs of pieces twice
    DuplicateFeatureSet = "duplicate-feature-set",
    /// a custom set without its number of inputs, or with an invalid one
    CustomRows = "own-rows",
    /// a custom set beside another set
    CustomSetBeside = "own-set-beside",
    /// a custom activation where it is not allowed, or with a maximum where none applies
    CustomActivation = "own-activation",
    /// pairs of pieces before the pieces
    FeatureSetOrder = "feature-set-order",
    /// `[22529]` for a set with 22528 rows
    WrongRows = "wrong-rows",
    /// feature weights of a type without kernels
    UnsupportedInputElement = "unsupported-input-element",
    /// a width that is not a multiple of 32
    AccumulatorWidth = "accumulator-width",
    /// an accumulator that is too wide
    AccumulatorTooWide = "accumulator-too-wide",
    /// not one or two perspectives
    Perspectives = "perspectives",
    /// an accumulator scale whose products do not fit the 16-bit multiplication
    AccumulatorScale = "accumulator-scale",
    /// the number of PSQT outputs differs from the number of stacks
    PsqtCount = "psqt-count",
    /// PSQT outputs with one perspective only
    PsqtPerspectives = "psqt-perspectives",
    /// float PSQT outputs that do not match the outputs
    PsqtFloats = "psqt-floats",
    /// separate weights with one perspective, or in a file or kernel without support
    SeparateWeights = "separate-weights",
    /// `nonzero 0%`
    Nonzero = "nonzero",
    /// no stacks, or more than piece counts
    StackCount = "stack-count",
    /// `(piece_count - 1) / 0`
    SelectorDivisor = "selector-divisor",
    /// stacks beside a custom feature set, without a selector function
    CustomStacks = "own-stacks",
    /// subtracts more than the two kings
    SelectorMinus = "selector-minus",
    /// a full board selects a stack that does not exist
    SelectorRange = "selector-range",
    /// a rule over rows for other inputs, or over a group that does not exist
    RowRule = "row-rule",
    /// stacks that no position selects
    UnusedStacks = "unused-stacks",
    /// a layer reads accumulators that are not activated
    AffineOfAccumulator = "affine-of-accumulator",
    /// a layer or pool reads sums, or a pool reads accumulators, that are not activated
    MissingActivation = "missing-activation",
    /// an activation of an activated value
    DoubleActivation = "double-activation",
    /// values that pools do not take: accumulators, or values of different units
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
    /// a slice of the accumulators
    UnsupportedSlice = "unsupported-slice",
    /// a layer without outputs, or with too many
    LayerWidth = "layer-width",
    /// layer weights of a type without kernels
    UnsupportedWeightElement = "unsupported-weight-element",
    /// a scale without a valid shift
    LayerScale = "layer-scale",
    /// a shift that leaves no bits
    ShiftRange = "shift-range",
    /// a shift without a product
    MisplacedShift = "misplaced-shift",
    /// activated accumulators that do not fit in u8
    ActivationRange = "activation-range",
    /// 16-bit values where they are not allowed, or out of range
    SixteenBits = "sixteen-bits",
    /// a layer that reads both accumulators and other values
    UnsupportedMixedInputs = "unsupported-mixed-inputs",
    /// inputs whose weighted sum can overflow i32
    SumOverflow = "sum-overflow",
    /// more parameters than a network may have
    NetworkTooLarge = "network-too-large",
    /// a term of the output that is not a neuron
    OutputTerm = "output-term",
    /// a term of the output that is more than one neuron
    OutputWidth = "output-width",
    /// a division by zero
    RatioDenominator = "ratio-denominator",
    /// a factor that is zero or overflows i32
    RatioRange = "ratio-range",
    /// a divisor of the value that is zero or overflows i32
    ValueDivisor = "value-divisor",
    /// a tensor that the network does not have
    UnknownTensor = "unknown-tensor",
    /// an order of tensors that does not list each exactly once
    TensorOrder = "tensor-order",
    /// axes of a tensor that do not list each exactly once
    TensorAxes = "tensor-axes",
    /// an element type that cannot be read for a tensor
    TensorElement = "tensor-element",
    /// too many skipped bytes before a raw file
    HeaderSize = "header-size",
    /// float layers that do not follow each other
    FloatLayers = "float-layers",
    /// a binary layer with an unsupported option or input
    BinaryLayer = "binary-layer",
    /// arithmetic of wrong values, or of wrong lengths
    Arithmetic = "arithmetic",
    /// arithmetic whose result may not fit in 32 bits
    ArithmeticRange = "arithmetic-range",
    /// a block-sparse layer with unsupported outputs, blocks or weights
    BlockSparse = "block-sparse",
    /// shards of a layer that do not fit its inputs or outputs
    Shards = "shards",
    /// invalid sizes of a dense input
    DenseInput = "dense-input",
    /// an operation on a value of the wrong shape
    DenseShape = "dense-shape",
    /// windows that do not fit, or other invalid numbers of dense operations
    DenseWindow = "dense-window",
    /// an operation that networks over a dense input do not support
    DenseOperation = "dense-operation",
    /// unsupported in subnets, or a logit that is not a sum of their products
    Subnets = "subnets",
    /// a golden value of an invalid position
    GoldenFen = "golden-fen",
    /// a golden position from a function, in a chess network
    CustomGolden = "own-golden",
    /// a golden value that overflows i32
    GoldenRange = "golden-range",
    /// golden numbers of an unknown output, or a wrong number of them
    GoldenOutput = "golden-output",
    /// a version that overflows 32 bits
    VersionRange = "version-range",
}

/// An error: the mistake, its location, the correction, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// kind of error
    pub code: Code,
    /// location of the smallest wrong token
    pub loc: Loc,
    /// lower case, no full stop, under 100 characters, user names in backticks, both numbers
    pub message: String,
    /// text to paste
    pub help: Option<String>,
    /// the reason, when it is not obvious
    pub note: Option<String>,
    /// other locations that take part in the error
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

    /// Adds another location.
    #[must_use]
    pub fn related(mut self, loc: Loc, what: impl Into<String>) -> Self {
        self.related.push((loc, what.into()));
        self
    }
}

/// Number of errors kept per declaration; further errors are only counted.
pub const MAX_ERRORS: usize = 100;

/// Collects errors. Dropping a sink without reading it panics, so that no error is lost.
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

    /// Records an error; beyond [`MAX_ERRORS`], counts it.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Counts an error without a message, for a sink that [is full](Self::is_full).
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Whether further errors are only counted, so that their messages need not be built.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_ERRORS
    }

    /// Whether an error was recorded.
    pub fn has_errors(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    /// The errors, in order of recording.
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
