//! Tools for declared networks and their files, which engines do not need to compile.
//!
//! * [`read`] reads a file; the error for one that does not fit suggests a declaration that would ([`fits`]).
//! * [`recognise`](fn@recognise) identifies which of several known networks a file contains.
//! * [`convert`](fn@convert::convert) gives a network another form of file.
//! * [`unused`] zeroes rows that no legal position has.
//! * [`bounds::prove`] proves for given weights what cannot overflow.
//!
//! With the feature `compression`:
//!
//! * [`compression`] reads and writes files in gzip or zstd.
//! * [`named`] compares a network with a hash in its name.
//!
//! With the feature `declaration`:
//!
//! * [`declaration`](fn@declaration::declaration) writes a descriptor as a declaration.
//!
//! With the feature `search`:
//!
//! * [`search`] guesses the declaration of a file.
//!
//! With the feature `golden`:
//!
//! * [`golden`] finds readings of a file that give golden values, and writes such values for a declaration.
//!
//! With the feature `quantize`:
//!
//! * [`quantize`](fn@quantize::quantize) quantises a trained float network.
//! * [`calibrate`] chooses the scale of every activation from the values of the float network in positions.
//! * [`permute`](fn@permute::permute) reorders the neurons of an accumulator.
//! * [`order`] finds an order in which a layer can skip more inputs.
//!
//! With the feature `numpy`:
//!
//! * [`npy`] reads arrays of numpy, [`half`] floats of 16 bits, [`folder`] a file for each tensor.
//!
//! With the features `plot` (charts) and `networks` (plots of networks):
//!
//! * [`plot`] plots networks, and draws charts.
#![forbid(unsafe_code)]

pub mod bounds;
#[cfg(feature = "quantize")]
pub mod calibrate;
#[cfg(feature = "compression")]
pub mod compression;
pub mod convert;
#[cfg(feature = "declaration")]
pub mod declaration;
pub mod fits;
#[cfg(feature = "numpy")]
pub mod folder;
#[cfg(feature = "golden")]
pub mod golden;
#[cfg(feature = "numpy")]
pub mod half;
#[cfg(feature = "compression")]
pub mod named;
#[cfg(feature = "numpy")]
pub mod npy;
#[cfg(feature = "quantize")]
pub mod order;
#[cfg(feature = "quantize")]
pub mod permute;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "quantize")]
pub mod quantize;
mod recognise;
#[cfg(feature = "search")]
pub mod search;
pub mod unused;

pub use fits::read;
#[cfg(feature = "golden")]
pub use golden::{golden_clauses, golden_clauses_of_rows};
pub use recognise::{Recognition, Rule, StreamError, Streamed, read_stream, recognise};
