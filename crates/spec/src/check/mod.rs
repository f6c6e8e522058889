//! Checks a model and makes its graph, or reports what is wrong, where, and what to write instead.
//!
//! All independent errors are reported; consequences of an earlier error are not. A model is interpreted only
//! here: the walk over its expressions reports their errors and makes the [`Graph`] that everything else
//! works from.

mod accumulator;
mod axes;
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
mod row_rule;
mod sections;
mod size;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use crate::diagnostic::Sink;
use crate::graph::Graph;
use crate::model::NetSpec;

/// Greatest number of sets of pairs (threats, pawn pairs) that feed the accumulator, beside one set of single
/// pieces.
pub const MAX_PAIR_SETS: usize = 3;
/// Greatest width of the accumulator, in neurons per perspective.
pub const MAX_WIDTH: u64 = 16_384;
/// Greatest scale of accumulators: a product of two values up to it, shifted right by 16 at most, is at most
/// 127.
pub const MAX_ONE: u64 = 32767;

/// Greatest scale of accumulators that are multiplied: products of greater ones do not fit the 16-bit
/// multiplication of the kernels, nor a float exactly.
pub const MAX_FACTOR: u64 = 2895;
/// Greatest number of outputs of a layer.
pub const MAX_OUTPUTS: u64 = 16_384;
/// Suffixes of the items generated for every network: outputs must not have these names.
pub const GENERATED_ITEMS: [&str; 4] = ["Params", "Network", "Accumulator", "Outputs"];
/// Greatest number of named outputs.
pub const MAX_HEADS: usize = 16;
/// Greatest number of values of a named output.
pub const MAX_NUMBERS: u64 = 256;
/// Greatest number of rows of a layer on demand.
pub const MAX_ROWS: u64 = 1 << 16;
/// Greatest number of joined values: far beyond what a layer can read, and few enough to be written down.
pub const MAX_CONCAT: u64 = 1 << 20;
/// Greatest number of operations of a network: activations, layers, pools, signs, conversions to floats.
pub const MAX_OPERATIONS: usize = 1024;
/// Greatest number of values computed by all operations of a network.
pub const MAX_VALUES: usize = 1 << 22;
/// Greatest number of parts of a joined value.
pub const MAX_PARTS: usize = 1024;
/// Greatest size of all parameters, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// The graph of a model; `None` if there are errors, which are in `sink`.
pub fn check(spec: &NetSpec, sink: &mut Sink) -> Option<Graph> {
    // One or more feature sets, within the supported number of each kind.
    input::check_count(spec, sink);
    // No set twice.
    input::check_duplicates(spec, sink);
    // A custom set is the only set.
    input::check_custom(&spec.inputs, sink);
    // A set of single pieces comes first, then sets of pairs.
    input::check_order(spec, sink);
    // `[22528]` asserts the number of rows of the set.
    input::check_rows(&spec.inputs, sink);
    // Only some weight types have update kernels.
    input::check_elements(spec, sink);

    // Kernels read accumulators in blocks of 32 values and keep them on the stack.
    accumulator::check_width(spec, sink);
    // One or two perspectives.
    accumulator::check_perspectives(spec, sink);
    // Products of two values up to the scale must fit the 16-bit multiplication of the kernels.
    accumulator::check_scale(spec, sink);
    // PSQT outputs are selected like stacks, and need both perspectives.
    accumulator::check_psqt(spec, sink);
    // Float PSQT outputs need a file format that has them.
    accumulator::check_psqt_floats(spec, sink);
    // Separate weights need two perspectives and a file format that has them.
    accumulator::check_separate(spec, sink);
    // A percentage.
    accumulator::check_nonzero(spec, sink);

    // At most one stack per piece count.
    bucket::check_count(spec, sink);
    // The divisor is not zero, and the smallest piece count does not go below zero.
    bucket::check_selector(spec, sink);
    // Only chess counts pieces.
    bucket::check_custom(spec, sink);
    // Every piece count selects an existing stack, and every stack is selected.
    bucket::check_range(spec, sink);

    // Every name is bound once, before its first use, and is used.
    let unique = name::check_names(spec, sink);
    // Operations are defined for their operands. If a name is bound twice, these errors are dropped.
    let accumulator = build::accumulator(spec);
    let mut unheard = Sink::new();
    let walked = walk::walk(
        spec,
        &accumulator,
        if unique { &mut *sink } else { &mut unheard },
    );
    drop(unheard.into_diagnostics());

    // Names of outputs are unique and make valid item names.
    output::check_heads(spec, sink);
    // Factors of the output are fractions of 32-bit numbers.
    output::check_ratios(spec, sink);
    // The divisor of the value.
    output::check_value(spec, sink);
    // Golden values fit in 32 bits and have valid positions.
    golden::check_positions(spec, sink);
    // The version and the start of the hash are 32-bit words.
    output::check_words(spec, sink);

    if sink.has_errors() {
        return None;
    }
    let layers = walked.layers.clone();
    let graph = build::graph(spec, accumulator, walked);
    // Sums of products of the declared ranges stay within i32.
    size::check_sums(&graph, &layers, sink);
    // Float layers follow each other, after at most one integer layer.
    float::check_graph(spec, &graph, &layers, sink);
    // The container has no layers of 16-bit values.
    words::check_file(spec, &graph, &layers, sink);
    // A layer that reads the accumulators directly is the whole output, and all of its outputs are used.
    output::check_direct(spec, &graph, sink);
    output::check_parts(spec, &graph, sink);
    // Float PSQT outputs match the number of float outputs.
    output::check_psqt_floats(spec, &graph, sink);
    // A raw file has every tensor once, with readable types and axes.
    raw::check_raw(spec, &graph, sink);
    // Golden numbers belong to existing outputs.
    golden::check_heads(spec, &graph, sink);
    // The parameters fit in memory, with room for their prepared copies.
    size::check_bytes(&graph, spec, sink);
    (!sink.has_errors()).then_some(graph)
}
