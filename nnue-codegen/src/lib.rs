//! The compiler behind `nnue!`: tokens in, tokens out.
#![forbid(unsafe_code)]
mod lower;
mod span_table;
mod syntax;
