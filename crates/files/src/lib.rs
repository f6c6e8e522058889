//! Readers and writers for network files, driven by a [`NetDesc`](nnue_spec::NetDesc), and proofs about the weights in them.
//!
//! * [`read`] streams a Stockfish container or a header-less file into borrowed tensors; [`write`](fn@write) is its exact
//!   inverse.
//! * [`recognise`](fn@recognise) finds out which of several known networks a file holds.
//! * [`randomize`] makes weights for tests.
//! * [`bounds::prove`] finds out from the weights what can overflow.
//! * [`leb128`] is the encoding of numbers; a [`Decoder`](leb128::Decoder) may be written for a processor.
//!
//! Files are hostile input: every fault is a [`LoadError`], nothing is allocated from a length that was not checked, and no
//! content causes a panic.
//!
//! Without the feature `std` (on by default), files are read from memory and written into it, by [`read_slice`] and [`to_bytes`].
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod blocks;
pub mod bounds;
pub mod dense;
mod error;
mod explain;
mod floats;
mod golden;
mod io;
mod layout;
pub mod leb128;
mod limits;
mod prelude;
mod random;
mod raw;
mod reader;
#[cfg(feature = "std")]
mod recognise;
mod signature;
mod stream;
pub mod subnets;
mod tensors;
mod writer;

pub use error::{LoadError, LoadErrorKind, WriteError};
pub use golden::check_golden;
pub use limits::MAX_DESCRIPTION;
pub use nnue_spec::{Encoding, Padding};
pub use random::randomize;
pub use raw::raw_size;
#[cfg(feature = "std")]
pub use reader::read;
pub use reader::{Header, read_slice};
#[cfg(feature = "std")]
pub use recognise::{Recognition, Rule, recognise};
pub use tensors::Tensors;
pub use writer::to_bytes;
#[cfg(feature = "std")]
pub use writer::write;
