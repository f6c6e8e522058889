//! Nothing: `tests/kinds.rs` tests `nnue` as engines build it.
