//! Makes a graph of a model, or says what is wrong, where, and what to write instead.
//!
//! Independent errors are all reported; those that follow from an earlier one are not. A model is interpreted once, here: the walk
//! over its expressions reports what is wrong with them and makes the [`Graph`] that everything else works from.

mod accumulator;
mod bucket;
mod build;
mod custom;
mod facts;
mod float;
mod golden;
pub(crate) mod input;
mod name;
mod nodes;
mod output;
mod quant;
mod raw;
mod size;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use crate::diagnostic::Sink;
use crate::graph::Graph;
use crate::model::NetSpec;

/// Most sets of pairs of pieces (threats, pawn pairs) that feed the accumulator, beside one set of single pieces.
pub const MAX_PAIR_SETS: usize = 3;
/// Greatest accumulator, in neurons per perspective.
pub const MAX_WIDTH: u64 = 16_384;
/// Greatest scale of accumulators: a product of two values up to it, shifted right by at most 16, is at most 127.
pub const MAX_ONE: u64 = 2895;
/// Greatest number of outputs of a layer.
pub const MAX_OUTPUTS: u64 = 16_384;
/// Items that are made of the name of every network: no output may be called so.
pub const GENERATED_ITEMS: [&str; 4] = ["Params", "Network", "Accumulator", "Outputs"];
/// Most outputs with names of their own.
pub const MAX_HEADS: usize = 16;
/// Most numbers of such an output.
pub const MAX_NUMBERS: u64 = 256;
/// Most rows of a layer whose outputs are computed on demand.
pub const MAX_ROWS: u64 = 1 << 16;
/// Greatest number of values that are joined: far beyond what a layer can read, and few enough to be written down.
pub const MAX_CONCAT: u64 = 1 << 20;
/// Most operations of a network: activations, layers, pools, signs, conversions to floats.
pub const MAX_OPERATIONS: usize = 1024;
/// Most numbers that all operations of a network make together.
pub const MAX_VALUES: usize = 1 << 22;
/// Most parts of which a value is joined.
pub const MAX_PARTS: usize = 1024;
/// Greatest number of bytes of all parameters.
pub const MAX_BYTES: u64 = 1 << 30;

/// The graph of a model, or nothing and every error of it in `sink`.
pub fn check(spec: &NetSpec, sink: &mut Sink) -> Option<Graph> {
    // At least one feature set feeds the accumulator, and not more of a kind than are supported.
    input::check_count(spec, sink);
    // The same pairs twice are the same rows twice.
    input::check_duplicates(spec, sink);
    // A set of the user's own is everything that the accumulator is made of.
    input::check_custom(&spec.inputs, sink);
    // Accumulators are made of pieces, and pairs are added to them.
    input::check_order(spec, sink);
    // `[22528]` is an assertion: it must be the number of rows of the set.
    input::check_rows(&spec.inputs, sink);
    // Accumulators are updated with weights of some types only.
    input::check_elements(spec, sink);

    // Kernels read accumulators in whole blocks of 32 values, and keep them on the stack.
    accumulator::check_width(spec, sink);
    // There are two sides, so there are one or two perspectives.
    accumulator::check_perspectives(spec, sink);
    // Products of two values up to the scale must fit the 16-bit multiplication of the kernels.
    accumulator::check_scale(spec, sink);
    // The PSQT output is chosen like the stack, and is a difference between both sides.
    accumulator::check_psqt(spec, sink);
    // Floats of features stand in a file that has them.
    accumulator::check_psqt_floats(spec, sink);
    // Separate weights are those of two perspectives, in a file that has them.
    accumulator::check_separate(spec, sink);
    // Of 100 values, at most 100 are not zero.
    accumulator::check_nonzero(spec, sink);

    // There are at most as many stacks as piece counts.
    bucket::check_count(spec, sink);
    // A selector divides by something, and the smallest piece count does not go below zero.
    bucket::check_selector(spec, sink);
    // Only chess counts pieces.
    bucket::check_custom(spec, sink);
    // Every piece count chooses a stack that exists, and every stack is chosen by some piece count.
    bucket::check_range(spec, sink);

    // Names are bound once, before they are read, and are read.
    let unique = name::check_names(spec, sink);
    // Every operation gets operands that it is defined for. What a name that is bound twice stands for is not judged.
    let accumulator = build::accumulator(spec);
    let mut unheard = Sink::new();
    let walked = walk::walk(
        spec,
        &accumulator,
        if unique { &mut *sink } else { &mut unheard },
    );
    drop(unheard.into_diagnostics());

    // Outputs have names of their own, of which generated items are made.
    output::check_heads(spec, sink);
    // Factors of the output are fractions of 32-bit numbers.
    output::check_ratios(spec, sink);
    // The value is divided by something.
    output::check_value(spec, sink);
    // Golden values are numbers of 32 bits in positions that exist.
    golden::check_positions(spec, sink);
    // The version is one word of the file, and so is the start of its hash.
    output::check_words(spec, sink);

    if sink.has_errors() {
        return None;
    }
    let layers = walked.layers.clone();
    let graph = build::graph(spec, accumulator, walked);
    // Sums of products of the declared ranges stay within i32.
    size::check_sums(&graph, &layers, sink);
    // Floats follow each other, after one layer of whole numbers at most.
    float::check_graph(spec, &graph, &layers, sink);
    // The container has no layers of 16-bit values.
    words::check_file(spec, &graph, &layers, sink);
    // A layer that reads the accumulators is the whole output, and nothing of it is left out.
    output::check_direct(spec, &graph, sink);
    output::check_parts(spec, &graph, sink);
    // Floats of features are added to an output of as many floats.
    output::check_psqt_floats(spec, &graph, sink);
    // A raw file has every tensor once, in types and with axes that can be read.
    raw::check_raw(spec, &graph, sink);
    // Golden numbers are those of outputs that exist.
    golden::check_heads(spec, &graph, sink);
    // The parameters fit in memory, with room for their prepared copies.
    size::check_bytes(&graph, spec, sink);
    (!sink.has_errors()).then_some(graph)
}
