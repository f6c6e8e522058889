//! Readers and writers for network files, driven by a [`NetDesc`](nnue_spec::NetDesc), with errors that
//! explain what is wrong with a file.
//!
//! * [`read`] streams a Stockfish container or a header-less file into borrowed tensors; [`write`](fn@write)
//!   is its exact inverse.
//! * [`open`] opens a file; a folder, a pipe or a device is refused.
//! * [`check_golden`] compares golden values; [`Tensors::read`] reads a file and compares them with the
//!   reference interpreter.
//! * [`dense`] and [`subnets`] read and write files of such networks.
//! * [`signature::identify`] names the kind of other files, and the command that reads it.
//! * [`randomize`] makes weights for tests.
//! * [`leb128`] is the encoding of numbers; a [`Decoder`](leb128::Decoder) may be written for a processor.
//!
//! Programs that evaluate a network compile this crate. Other work on files (which declaration would fit,
//! proofs about weights, quantising) is in the crate `nnue-tools`, on which this one does not depend.
//!
//! Files are hostile input: every fault is a [`LoadError`], no allocation trusts an unchecked length, and no
//! content causes a panic.
//!
//! Features: `dense` and `subnets` for files of such networks, `golden` for golden values.
//!
//! Without the feature `std` (on by default), [`read_slice`] reads from memory and [`to_bytes`] writes into
//! it.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod appended;
mod block_head;
pub mod blocks;
mod damage;
#[cfg(feature = "dense")]
pub mod dense;
mod error;
mod floats;
#[cfg(feature = "golden")]
mod golden;
mod in_place;
mod io;
pub mod layout;
pub mod leb128;
mod limits;
mod prelude;
pub mod published;
mod random;
pub mod raw;
mod reader;
#[cfg(feature = "std")]
mod regular;
pub mod shards;
pub mod signature;
mod stream;
#[cfg(feature = "subnets")]
pub mod subnets;
mod tensors;
mod writer;

pub use error::{LoadError, LoadErrorKind, WriteError};
#[cfg(feature = "golden")]
pub use golden::{check_golden, sets_of_equal_size};
pub use in_place::InPlace;
pub use limits::MAX_DESCRIPTION;
pub use nnue_spec::{Encoding, Padding};
pub use prelude::Prelude;
pub use random::randomize;
pub use raw::raw_size;
#[cfg(feature = "std")]
pub use reader::read;
pub use reader::{BLOCK_HEAD, BLOCK_MAGIC, Header, assert_shapes, read_slice, read_slice_in_place};
#[cfg(feature = "std")]
pub use regular::open;
pub use tensors::{Elements, Tensors};
pub use writer::to_bytes;
#[cfg(feature = "std")]
pub use writer::write;
