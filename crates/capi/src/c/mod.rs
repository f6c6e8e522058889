//! What C sees: `include/nnue.h` is made of this module by `cbindgen`.

// in the order of the header
mod pointer;

mod networks;

mod stack;

mod batch;

mod position;

pub use batch::*;
pub use networks::*;
pub use position::*;
pub use stack::*;
