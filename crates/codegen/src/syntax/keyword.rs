//! The words of the language.

use nnue_spec::model::Arithmetic;
use nnue_spec::{Activation, Pool};

/// Words that begin a clause, in the order of diagnostics.
pub(crate) const CLAUSES: [&str; 9] = [
    "inputs", "let", "stacks", "output", "format", "value", "floats", "golden", "weights",
];

/// Clauses that are allowed after a chain.
pub(crate) const CHAIN_CLAUSES: [&str; 5] = ["format", "value", "floats", "golden", "weights"];

/// Clauses that are allowed inside `stacks`.
pub(crate) const STACK_CLAUSES: [&str; 2] = ["let", "output"];

/// Functions that can be called in a binding or the output.
pub(crate) const FUNCTIONS: [&str; FIRST_ACTIVATION + Activation::ALL.len()] = {
    let mut names = ["affine"; FIRST_ACTIVATION + Activation::ALL.len()];
    let mut index = 0;
    while index < FIRST_ACTIVATION {
        names[index] = OTHERS[index];
        index += 1;
    }
    index = 0;
    while index < Activation::ALL.len() {
        if let Some(operation) = Activation::ALL[index].operation() {
            names[FIRST_ACTIVATION + index] = operation.name;
        }
        index += 1;
    }
    names
};

/// Functions that are no activations.
pub(crate) const OTHERS: [&str; FIRST_ACTIVATION] = {
    let mut names = ["affine"; FIRST_ACTIVATION];
    names[1] = "concat";
    names[2] = "mean";
    let mut index = 0;
    while index < Pool::ALL.len() {
        names[3 + index] = Pool::ALL[index].definition().name;
        index += 1;
    }
    let mut arithmetic = 0;
    while arithmetic < ARITHMETIC.len() {
        names[3 + index + arithmetic] = ARITHMETIC[arithmetic].word();
        arithmetic += 1;
    }
    names
};

/// Functions of arithmetic but `max`, which is a pool too.
const ARITHMETIC: [Arithmetic; arithmetic_functions()] = {
    let mut functions = [Arithmetic::Minimum; arithmetic_functions()];
    let (mut index, mut found) = (0, 0);
    while index < Arithmetic::ALL.len() {
        if is_arithmetic_alone(Arithmetic::ALL[index]) {
            functions[found] = Arithmetic::ALL[index];
            found += 1;
        }
        index += 1;
    }
    functions
};

const fn is_arithmetic_alone(arithmetic: Arithmetic) -> bool {
    arithmetic.is_function() && !matches!(arithmetic, Arithmetic::Maximum)
}

const fn arithmetic_functions() -> usize {
    let (mut index, mut found) = (0, 0);
    while index < Arithmetic::ALL.len() {
        found += is_arithmetic_alone(Arithmetic::ALL[index]) as usize;
        index += 1;
    }
    found
}

/// Number of functions before the activations.
const FIRST_ACTIVATION: usize = 3 + Pool::ALL.len() + ARITHMETIC.len();

/// The function that makes the accumulator.
pub(crate) const ACCUMULATE: &str = "accumulate";

/// The function that makes subnets.
pub(crate) const SUBNETS: &str = "subnets";

/// The product of two subnets, which makes a logit.
pub(crate) const DOT: &str = "dot";

/// Dense inputs: of floats, of bits.
pub(crate) const SOURCES: [&str; 2] = ["input", "planes"];

/// Planned words, and what to write until then.
pub(crate) const PLANNED: [(&str, &str); 1] = [(
    "select",
    "layer stacks choose: `stacks 8 by (piece_count - 1) / 4 { .. }`",
)];

/// Names of trainers and engines for functions of the language, in lower case without underscores.
const ALIASES: [(&str, &str); 17] = [
    ("pw", "pairwise"),
    ("linear", "affine"),
    ("dense", "affine"),
    ("fc", "affine"),
    ("fullyconnected", "affine"),
    ("cat", "concat"),
    ("concatenate", "concat"),
    ("clippedrelu", "crelu"),
    ("sqrclippedrelu", "sqr_crelu"),
    ("pairwisemul", "pairwise"),
    ("mulhalves", "pairwise"),
    ("avgpool", "avg_halves"),
    ("averagepool", "avg_halves"),
    ("maxpool", "max_halves"),
    ("maxout", "max_halves"),
    ("leakyrelu", "leaky_relu"),
    ("hardswish", "hard_swish"),
];

/// Words that are not functions of the language, although some are similar, and what to write instead.
const INSTEAD: [(&str, &str); 27] = [
    ("conv2d", DENSE),
    ("max_pool2d", DENSE),
    ("avg_pool2d", DENSE),
    ("batch_norm", DENSE),
    ("flatten", DENSE),
    ("reshape", DENSE),
    ("i8", "write `: i8`"),
    ("i16", "write `: i16`"),
    ("f32", "write `: f32`"),
    (
        "binary",
        "write it after the number of a layer: `-> 256 binary`",
    ),
    (
        "sign",
        "leave it out: binary layers take the signs of what they read, `-> 256 binary`",
    ),
    (
        "interleave",
        "write `concat(a, b)`: the weights of a layer have an order of their own; pools of two values are `max(a, b)`",
    ),
    (
        "norm",
        "no layer has it; `batch_norm` stands in networks over a dense input",
    ),
    (
        "layer_norm",
        "no layer has it; `batch_norm` stands in networks over a dense input",
    ),
    ("dropout", "remove it: it is part of training"),
    (
        "softmax",
        "no layer has it; of three outputs, `value wdl * 1000` and `output wdl = wdl(x)` make probabilities",
    ),
    (
        "rows",
        "it is said of an output: `output policy = rows(x, 1880);`",
    ),
    (
        DOT,
        "it is said of the output of subnets: `output policy = dot(relu(from), relu(to));`",
    ),
    (
        "wdl",
        "it is said of an output: `output wdl = wdl(affine(x, 3));`",
    ),
    (
        "black_first",
        "leave it out: the side to move is first, or White with `white_first`",
    ),
    (
        "dual",
        "write both in the graph form: `concat(sqr_crelu(h1), crelu(h1))`",
    ),
    ("gelu", "write a function of your own: `self::gelu`"),
    ("elu", "write a function of your own: `self::elu`"),
    ("selu", "write a function of your own: `self::selu`"),
    ("mish", "write a function of your own: `self::mish`"),
    (
        "swish",
        "write `silu`, or `hard_swish` if the network has that",
    ),
    ("prelu", "write a function of your own: `self::prelu`"),
];

/// Help for operations over a dense input in other networks.
const DENSE: &str = "it is an operation over a dense input: begin with `x = input[1, 28, 28];`";

/// What to write instead of a type of one bit.
pub(crate) fn instead_of_bits(word: &str) -> Option<&'static str> {
    matches!(word, "binary" | "bool" | "bit" | "b1" | "i1" | "u1")
        .then_some("a layer of signs is written without a colon: `256 binary`")
}

/// The function of the language with the alias `word`.
pub(crate) fn alias(word: &str) -> Option<&'static str> {
    let plain = word.to_lowercase().replace('_', "");
    ALIASES
        .iter()
        .find(|(alias, _)| *alias == plain)
        .map(|(_, name)| *name)
}

/// The function of the language for a word in other letter case or spelling: `SCReLU`, `ClippedReLU`.
pub(crate) fn known_as(word: &str) -> Option<&'static str> {
    let plain = word.to_lowercase();
    alias(word).or_else(|| FUNCTIONS.into_iter().find(|name| *name == plain))
}

/// What to write instead of a word that is not a function of the language.
pub(crate) fn instead(word: &str) -> Option<&'static str> {
    INSTEAD
        .iter()
        .find(|(known, _)| *known == word.to_lowercase())
        .map(|(_, instead)| *instead)
}
