//! Batches: their rows against the reference interpreter, their order, their ends.

mod features;
mod order;

use nnue_codegen::plan_text;
use nnue_spec::plan::Plan;

/// The declarations in a text.
fn declared(text: &str) -> Vec<Plan> {
    plan_text(text).unwrap_or_else(|errors| panic!("{}", errors[0]))
}
