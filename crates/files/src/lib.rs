//! Readers and writers for network files, driven by a [`NetDesc`](nnue_spec::NetDesc), and what is wrong with a file that is none.
//!
//! * [`read`] streams a Stockfish container or a header-less file into borrowed tensors; [`write`](fn@write) is its exact
//!   inverse.
//! * [`check_golden`] compares golden values; [`Tensors::read`] reads, and compares by the reference interpreter.
//! * [`dense`] and [`subnets`] are the files of such networks.
//! * [`randomize`] makes weights for tests.
//! * [`leb128`] is the encoding of numbers; a [`Decoder`](leb128::Decoder) may be written for a processor.
//!
//! This is what a program compiles that evaluates a network. What else can be done with files (which declaration would fit, proofs about
//! weights, quantising) is in the crate `nnue-tools`, of which nothing here knows.
//!
//! Files are hostile input: every fault is a [`LoadError`], nothing is allocated from a length that was not checked, and no
//! content causes a panic.
//!
//! Features: `dense` and `subnets` for files of such networks, `golden` for golden values.
//!
//! Without the feature `std` (on by default), files are read from memory and written into it, by [`read_slice`] and [`to_bytes`].
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod blocks;
#[cfg(feature = "dense")]
pub mod dense;
mod error;
mod floats;
#[cfg(feature = "golden")]
mod golden;
mod io;
pub mod layout;
pub mod leb128;
mod limits;
mod prelude;
pub mod published;
mod random;
pub mod raw;
mod reader;
mod signature;
mod stream;
#[cfg(feature = "subnets")]
pub mod subnets;
mod tensors;
mod writer;

pub use error::{LoadError, LoadErrorKind, WriteError};
#[cfg(feature = "golden")]
pub use golden::{check_golden, sets_of_equal_size};
pub use limits::MAX_DESCRIPTION;
pub use nnue_spec::{Encoding, Padding};
pub use prelude::Prelude;
pub use random::randomize;
pub use raw::raw_size;
#[cfg(feature = "std")]
pub use reader::read;
pub use reader::{BLOCK_HEAD, BLOCK_MAGIC, Header, assert_shapes, read_slice};
pub use tensors::{Elements, Tensors};
pub use writer::to_bytes;
#[cfg(feature = "std")]
pub use writer::write;
