//! Accumulators: lazily, incrementally, exactly.
//!
//! ```text
//!   push(Change) ──► a record                                 pop() ──► forgotten
//!   evaluate     ──► per perspective: nearest computed ancestor ──► fused row updates
//!                                     own king moved in between ──► refresh cache ──► ...
//! ```

mod cache;
mod pair_lists;
mod pairs;
mod rows;
mod stack;
#[cfg(test)]
mod tests;
mod transform;
mod update;
mod verify;

pub use stack::AccumulatorStack;
pub(crate) use update::{first_side, reads_both};
pub use verify::Mismatch;
pub(crate) use verify::{build, first_mismatch};
