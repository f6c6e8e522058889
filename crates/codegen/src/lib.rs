//! The compiler behind `nnue!`: tokens in, tokens out.
//!
//! ```text
//!   tokens ──► syntax ──► lower ──► nnue_spec::{check, plan} ──► emit ──► tokens
//!                │          │                │
//!                └──────────┴────────────────┴── diagnostics ──► report (and fallback items)
//! ```
//!
//! It is an ordinary library, so that tests and the command `nnue expand` can use it without rustc.
#![forbid(unsafe_code)]

mod compile;
mod described;
mod emit;
mod fallback;
mod features;
mod item;
mod lower;
mod report;
mod span_table;
mod syntax;
mod text;
mod weights;

use proc_macro2::TokenStream;

pub use described::described_text;
pub use features::Features;
#[cfg(feature = "format")]
pub use text::expand_formatted;
pub use text::{
    TextError, dense_text, expand_text, graph_text, model_text, plan_text, single_plan,
    single_subnets, subnets_text,
};

/// Expands the tokens of one `nnue! { .. }`: the declared types, or `compile_error!`s and stubs of the types.
pub fn expand(input: TokenStream) -> TokenStream {
    expand_for(input, Features::ALL)
}

/// [`expand`] for an `nnue` with these features; needing another one is an error.
pub fn expand_for(input: TokenStream, features: Features) -> TokenStream {
    compile::compile(input, features).items
}
