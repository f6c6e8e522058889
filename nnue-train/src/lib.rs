//! Training of declared networks.
//!
//! * [`batch`]: positions as a trainer reads them;
//! * [`batches`]: batches made by threads of the records of any reader;
//! * [`features`]: which rows of the weights are active in a position;
//! * [`network`]: the outputs of a declared network in real numbers, and their gradient.
//!
//! The command `nnue-train` prepares the data.
#![forbid(unsafe_code)]

pub mod batch;
pub mod batches;
pub mod features;
pub mod network;
