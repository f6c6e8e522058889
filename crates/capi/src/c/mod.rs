//! What C sees: `include/nnue.h` is made of this module by `cbindgen`.

// in the order of the header
mod pointer;

mod version;

mod networks;

mod stack;

mod table;

mod batch;

mod position;

mod fen;

#[cfg(feature = "described")]
mod described;

#[cfg(feature = "rows")]
mod rows;

#[cfg(feature = "rows")]
mod rows_stack;

#[cfg(feature = "rows")]
mod rows_batch;

#[cfg(feature = "rows")]
mod rows_candidates;

#[cfg(feature = "search")]
mod search;

pub use batch::*;
#[cfg(feature = "described")]
pub use described::*;
pub use fen::*;
pub use networks::*;
pub use position::*;
#[cfg(feature = "rows")]
pub use rows::*;
#[cfg(feature = "rows")]
pub use rows_batch::*;
#[cfg(feature = "rows")]
pub use rows_candidates::*;
#[cfg(feature = "rows")]
pub use rows_stack::*;
#[cfg(feature = "search")]
pub use search::*;
pub use stack::*;
pub use table::*;
pub use version::*;
