//! Judges a model: what is wrong, where, and what to write instead.
//!
//! Independent errors are all reported; those that follow from an earlier one are not. A model that passes can be
//! planned ([`crate::plan::plan`]) without a panic.

mod accumulator;
mod bucket;
mod float;
mod input;
mod name;
mod output;
mod own_activation;
mod quant;
mod raw;
mod shape;
mod size;
#[cfg(test)]
mod tests;

use crate::diagnostic::Sink;
use crate::model::NetSpec;

/// Most sets of pairs of pieces (threats, pawn pairs) that feed the accumulator, behind one set of single pieces.
pub const MAX_PAIR_SETS: usize = 3;
/// Greatest accumulator, in neurons per perspective.
pub const MAX_WIDTH: u64 = 8192;
/// Greatest scale of accumulators: a product of two values up to it, shifted right by at most 16, is at most 127.
pub const MAX_ONE: u64 = 2895;
/// Greatest number of outputs of a layer.
pub const MAX_OUTPUTS: u64 = 4096;
/// Greatest number of values that are joined: far beyond what a layer can read, and few enough to be written down.
pub const MAX_CONCAT: u64 = 1 << 20;
/// Greatest number of bytes of all parameters.
pub const MAX_BYTES: u64 = 1 << 30;

/// Records every error of a model in `sink`.
pub fn check(spec: &NetSpec, sink: &mut Sink) {
    // At least one feature set feeds the accumulator, and not more of a kind than are supported.
    input::check_count(spec, sink);
    // The same pairs twice are the same rows twice.
    input::check_duplicates(spec, sink);
    // A set of the user's own is everything that the accumulator is made of.
    input::check_own(spec, sink);
    // Accumulators are made of pieces, and pairs are added to them.
    input::check_order(spec, sink);
    // `[22528]` is an assertion: it must be the number of rows of the set.
    input::check_rows(spec, sink);
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
    // Separate weights are those of two perspectives, in a file that has them.
    accumulator::check_separate(spec, sink);

    // There are at most as many stacks as piece counts.
    bucket::check_count(spec, sink);
    // A selector divides by something, and the smallest piece count does not go below zero.
    bucket::check_selector(spec, sink);
    // Only chess counts pieces.
    bucket::check_own(spec, sink);
    // Every piece count chooses a stack that exists, and every stack is chosen by some piece count.
    bucket::check_range(spec, sink);

    // Names are bound once, before they are read, and are read.
    name::check_names(spec, sink);
    // Every operation gets operands that it is defined for.
    let layers = shape::check_shapes(spec, sink);

    // Factors of the output are fractions of 32-bit numbers.
    output::check_ratios(spec, sink);
    // The value is divided by something.
    output::check_value(spec, sink);
    // Golden values are numbers of 32 bits in positions that exist.
    raw::check_goldens(spec, sink);
    // The version is one word of the file, and so is the start of its hash.
    output::check_words(spec, sink);

    if sink.has_errors() {
        return;
    }
    let plan = crate::plan::lower(spec);
    // A kernel reads either one run of activated accumulators or small buffers.
    size::check_inputs(&plan, &layers, sink);
    // Sums of products of the declared ranges stay within i32.
    size::check_sums(&plan, &layers, sink);
    // Floats follow each other, behind one layer of whole numbers at most.
    float::check_graph(spec, &plan, &layers, sink);
    // A layer that reads the accumulators is the whole output, and nothing of it is left out.
    output::check_direct(spec, &plan, sink);
    output::check_parts(spec, &plan, sink);
    // A raw file has every tensor once, in types and with axes that can be read.
    raw::check_raw(spec, &plan, sink);
    // The parameters fit in memory, with room for their prepared copies.
    size::check_bytes(&plan, spec, sink);
}
