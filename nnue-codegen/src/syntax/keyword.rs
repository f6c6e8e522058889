//! The words of the language.

/// Words that begin a clause, in the order in which diagnostics list them.
pub(crate) const CLAUSES: [&str; 9] =
    ["inputs", "let", "stacks", "output", "format", "value", "floats", "golden", "weights"];

/// Clauses that may stand behind a chain.
pub(crate) const CHAIN_CLAUSES: [&str; 5] = ["format", "value", "floats", "golden", "weights"];

/// Clauses that may stand inside `stacks`.
pub(crate) const STACK_CLAUSES: [&str; 2] = ["let", "output"];

/// Functions that can be called in a binding or the output.
pub(crate) const FUNCTIONS: [&str; 8] =
    ["affine", "concat", "crelu", "sqr_crelu", "screlu", "pairwise", "hard_swish", "gated"];

/// The function that makes the accumulator.
pub(crate) const ACCUMULATE: &str = "accumulate";

/// Words of the language that are planned: the name, and what can be written today.
pub(crate) const PLANNED: [(&str, &str); 7] = [
    ("relu", "`crelu` clips at one"),
    ("quantmoid4", "`crelu` clips at one"),
    ("sigmoid", "leave the output linear, and write `value sigmoid(output) * 1000` behind layers of floats"),
    ("select", "`stacks n by (piece_count - 1) / m` chooses a stack"),
    ("max_pool", "`pairwise` multiplies halves"),
    ("avg_pool", "`pairwise` multiplies halves"),
    ("mul", "`pairwise` multiplies halves"),
];
