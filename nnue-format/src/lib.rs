//! Readers and writers for network files, driven by a [`NetDesc`](nnue_spec::NetDesc), and proofs about the weights in them.
//!
//! * [`read`] streams a Stockfish container or a header-less file into borrowed tensors; [`write`](fn@write) is its exact
//!   inverse.
//! * [`recognise`](fn@recognise) says which of several known networks a file holds.
//! * [`bounds::prove`] decides from the weights what can overflow.
//! * [`leb128`] is the encoding of numbers; its [`Decoder`](leb128::Decoder) is the seam for faster processors.
//!
//! Files are hostile input: everything that can be wrong with one is a [`LoadError`], nothing is allocated from an
//! unchecked length, and no content causes a panic.
#![forbid(unsafe_code)]

pub mod bounds;
mod error;
mod explain;
mod golden;
mod layout;
pub mod leb128;
mod prelude;
mod raw;
mod reader;
mod recognise;
mod signature;
mod stream;
mod tensors;
mod writer;

pub use error::{LoadError, LoadErrorKind, WriteError};
pub use nnue_spec::{Encoding, Padding};
pub use prelude::MAX_DESCRIPTION;
pub use raw::raw_size;
pub use reader::{Header, read, read_slice};
pub use recognise::{Recognition, Rule, recognise};
pub use tensors::Tensors;
pub use writer::write;
