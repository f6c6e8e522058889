//! Accumulators: lazy, incremental, exact.
//!
//! ```text
//!   push(Change) ──► a record                                 pop() ──► forgotten
//!   evaluate     ──► per perspective: nearest computed ancestor ──► fused row updates
//!                                     own king moved in between ──► refresh cache ──► ...
//!
//!   line            plies and accumulators, whatever the game
//!   chess           what a line needs in chess: update (sets of pieces), pairs (and sets of pairs), cache, lists of rows
//!   table           accumulators of positions that come without moves
//!   batch           accumulators of many positions that do not follow from each other; new_rows: which rows it reads for the first time
//! ```
//!
//! Accumulators over user-defined sets are in [`game`](crate::game).

mod batch;
mod cache;
mod chess;
mod children;
mod family;
mod line;
mod mismatch;
mod new_rows;
mod pair_lists;
mod pairs;
mod perspectives;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod update;

pub use chess::{AtRunTime, Chess, SetsOf};
pub(crate) use children::Node;
pub use line::{Game, Line};
pub use mismatch::Mismatch;
pub(crate) use mismatch::first_mismatch;
pub(crate) use new_rows::NewRows;
pub use perspectives::Perspectives;
pub(crate) use table::Table;
